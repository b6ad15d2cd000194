import PrayerEngine
import Texts

/// The keys of `[[output]]`.
extension ConfigSchema {
    static let outputs: ConfigKey<Config> = .tables(
        "output", \.outputs, of: output, blank: OutputSettings(), required: ["name", "devices"],
        "loudspeakers that are not alike, instead of [audio] devices, up to 8 times", fault: outputFault)

    private static let output: [ConfigKey<OutputSettings>] =
        keys.map { key in
            // A displayed table shows the defaults, too.
            ConfigKey(
                name: key.name, rule: key.rule, meaning: key.meaning,
                example: key.example ?? key.get(OutputSettings()), get: key.get, set: key.set)
        }

    private static let keys: [ConfigKey<OutputSettings>] =
        [
            ConfigKey(
                name: "name", rule: .text(.outputName), meaning: "what status, history and commands call it",
                example: .text("hall")
            ) {
                .text($0.name)
            } set: { output, value in
                if case .text(let text) = value { output.name = text }
            },
            ConfigKey(
                name: "devices", rule: .texts(.device, orOne: false),
                meaning: "ALSA names, tried in order at every announcement",
                example: .texts(["hw:CARD=Hall", "default"])
            ) {
                .texts($0.devices)
            } set: { output, value in
                output.devices = value.strings
            },
            ConfigKey(
                name: "kinds", rule: .texts(.announcedKind, orOne: true), meaning: "default: all",
                example: .texts(["adhan", "iqama"])
            ) {
                $0.kinds.isEmpty ? nil : ConfigValue.texts($0.kinds.map(\.rawValue)).concise
            } set: { output, value in
                output.kinds = value.strings.compactMap { AnnouncedKind(rawValue: $0) }
            },
            prayers("prayers", \.prayers, "of which prayers; default: all", ["maghrib", "isha"]),
            prayers("except", \.except, "not of these", ["fajr"]),
            percent("volume", "instead of the announcement's own", 60) {
                $0.volumePercent
            } set: {
                $0.volumePercent = $1
            },
        ] + volumes + [
            .integer("max-volume", 0...100, "percent", \.mostPercent, "nothing is louder here"),
            .duration(
                "latency", 0...10, exact: true, \.latencySeconds,
                "fed that much early: Snapcast, Bluetooth, receivers"),
            .optionalDuration(
                "preroll", 0...60, exact: true, \.prerollSeconds, example: 2, "default: as in [audio]"),
            .optionalDuration("fade-out", 0...60, \.fadeOutSeconds, example: 1, "default: as in [audio]"),
            .optionalDuration(
                "keep-awake", 60...3600, \.keepAwakeSeconds, example: 300, "as in [audio]; default: off"),
            .flag("required", \.isRequired, "false: where it fails, the rest counts as played"),
        ]

    /// The keys of single prayers: a more specific one overrides `volume`.
    private static let volumes: [ConfigKey<OutputSettings>] = Prayer.allCases.map { prayer in
        percent("\(prayer.rawValue)-volume", "of what belongs to \(prayer.title)", 30) {
            $0.prayerVolumes[prayer]
        } set: {
            $0.prayerVolumes[prayer] = $1
        }
    }

    private static func percent(
        _ name: String, _ meaning: String, _ example: Int,
        get: @escaping @Sendable (OutputSettings) -> Int?,
        set: @escaping @Sendable (inout OutputSettings, Int) -> Void
    ) -> ConfigKey<OutputSettings> {
        ConfigKey(
            name: name, rule: .integer(0...100, unit: "percent"), meaning: meaning, example: .integer(example)
        ) {
            get($0).map { .integer($0) }
        } set: { output, value in
            if case .integer(let percent) = value { set(&output, percent) }
        }
    }

    private static func prayers(
        _ name: String, _ place: any WritableKeyPath<OutputSettings, [Prayer]> & Sendable, _ meaning: String,
        _ example: [String]
    ) -> ConfigKey<OutputSettings> {
        ConfigKey(
            name: name, rule: .texts(.prayer, orOne: true), meaning: meaning, example: .texts(example)
        ) {
            let prayers = $0[keyPath: place].map(\.rawValue)
            return prayers.isEmpty ? nil : ConfigValue.texts(prayers).concise
        } set: { output, value in
            output[keyPath: place] = value.strings.compactMap { Prayer(rawValue: $0) }
        }
    }

    private static let outputFault: @Sendable ([String: ConfigValue]) -> (field: String, reason: String)? = {
        values in
        if values["prayers"] != nil, values["except"] != nil {
            return ("except", "does not go with prayers; keep one of them")
        }
        let devices = values["devices"]?.strings.count ?? 0
        return devices > OutputSettings.mostDevices
            ? ("devices", "has \(devices) names, allowed are \(OutputSettings.mostDevices)") : nil
    }

    /// Complaints about devices of `[audio]`, which belong to an output where there is one.
    static func outputRelations(_ facts: SchemaFacts) -> [SchemaComplaint] {
        guard case .tables(let tables)? = facts.value(["output"]), !tables.isEmpty else { return [] }
        return ["devices", "keep-awake"].filter { facts.has(["audio", $0]) }.map { key in
            .init(
                ["audio", key],
                "audio.\(key) does not go with [[output]]: move this line into the output that it is about, or remove it"
            )
        }
    }

    /// Rules over all outputs, and over the keys that refer to them.
    static func outputComplaints(_ config: Config) -> [SchemaComplaint] {
        let outputs = config.outputs
        guard outputs.count <= OutputSettings.most else {
            return [
                .init(["output"], "output has \(outputs.count) tables, allowed are \(OutputSettings.most)")
            ]
        }
        var complaints = twins(outputs.map(\.name), "output", "outputs")
        for (index, window) in config.quiet.enumerated() {
            complaints += strangers(window.outputs, "quiet", index, config)
        }
        for (index, call) in config.calls.enumerated() {
            complaints += strangers(call.outputs, "call", index, config)
        }
        return complaints
    }

    /// The second of two tables of a list with the same name.
    static func twins(_ names: [String], _ table: String, _ tables: String) -> [SchemaComplaint] {
        guard let twice = names.indices.first(where: { names[..<$0].contains(names[$0]) }) else { return [] }
        let reason = "\(table): two \(tables) are named \"\(names[twice])\"; give each a name of its own"
        return [.init([table], element: twice, "name", reason)]
    }

    private static func strangers(
        _ named: [String], _ table: String, _ index: Int, _ config: Config
    ) -> [SchemaComplaint] {
        let known = config.allOutputs.map(\.name)
        guard let name = named.first(where: { !known.contains($0) }) else { return [] }
        let list = known.map(TOMLEscapes.quote).joined(separator: ", ")
        let because =
            config.outputs.isEmpty
            ? "the only one is \(list), which [audio] devices describe" : "there are \(list)"
        let hint = NearestName.of(name, among: known).map { "; did you mean \(TOMLEscapes.quote($0))?" }
        return [
            .init(
                [table], element: index, "outputs",
                "\(table).outputs must be the name of an output, or a list of 1 to \(ValueRule.longestList) names of outputs, "
                    + "not \(TOMLEscapes.quote(name)): there is no such output; \(because)\(hint ?? "")")
        ]
    }
}

extension TextKind {
    static let prayer = TextKind.other(
        .init(
            allowed: "a prayer such as \"fajr\"", plural: "prayers",
            fault: { text in
                if Prayer(rawValue: text) != nil { return nil }
                let meant =
                    Spelling.prayer(text)?.rawValue
                    ?? NearestName.of(text, among: Prayer.allCases.map(\.rawValue))
                return Fault(hint: meant.map(TOMLEscapes.quote))
            }))
}
