import Protocol
package import Settings
import Texts

extension HookConfig {
    package static let schema = Schema<HookConfig>(
        initial: HookConfig(),
        parts: [
            .section(.init(path: [], keys: tables)),
            .section(
                .init(
                    path: ["cec"],
                    meaning: "a television that is on for what sounds; without a device there is none",
                    keys: cecKeys)),
            .section(.init(path: [], keys: buttonTables)),
        ],
        relations: { _ in [] }, check: { config, _ in config.complaints })

    /// The most tables of one kind, because every relay may have a running program.
    static let mostTables = 16

    package typealias Key = ConfigKey<HookConfig>

    private static let tables: [Key] = [
        .tables(
            "hook", \.hooks, of: hookKeys, blank: HookSettings(), required: ["name", "on", "command"],
            "a program that is run for events", fault: hookFault),
        .tables(
            "relay", \.relays, of: relayKeys, blank: RelaySettings(), required: ["name"],
            "an amplifier that is on before the first sample, and off after the last", fault: relayFault),
    ]

    private static let buttonTables: [Key] = [
        .tables(
            "button", \.buttons, of: buttonKeys, blank: ButtonSettings(), required: [],
            "a key or a line that a hand presses", fault: buttonFault)
    ]

    private static let cecKeys: [Key] = [
        .optionalText("device", .text(.other(HookKinds.device)), \.cec.device, example: "/dev/cec0", ""),
        .duration("lead", 0...300, \.cec.leadSeconds, "on this long before the first sample"),
        .duration("linger", 0...3600, \.cec.lingerSeconds, "in standby this long after the last"),
        .flag("standby", \.cec.isStandby, "only if it was there before"),
    ]

    private static let hookKeys: [ConfigKey<HookSettings>] = [
        .text("name", .text(.other(.name)), \.name, ""),
        ConfigKey(
            name: "on", rule: .texts(.other(HookKinds.event), orOne: true), meaning: "",
            example: .texts(["preroll", "finished", "stopped", "failed"])
        ) {
            $0.on.isEmpty ? nil : .texts($0.on.map(\.rawValue))
        } set: { hook, value in
            hook.on = value.list.compactMap { HookEvent(rawValue: $0) }
        },
        .optionalTexts(
            "command", .texts(.other(HookKinds.word), orOne: true), \.command,
            example: ["/usr/local/lib/adhand/lights", "--dim"], "absolute; no shell is between"),
        ConfigKey(
            name: "prayers", rule: .texts(.other(HookKinds.prayer), orOne: true), meaning: "default: all",
            example: .texts(["maghrib", "isha"])
        ) {
            $0.prayers.isEmpty ? nil : .texts($0.prayers.map(\.rawValue))
        } set: { hook, value in
            hook.prayers = value.list.compactMap { Prayer(rawValue: $0) }
        },
        .duration("lead", 0...21_600, \.leadSeconds, "how long before the adhan \"upcoming\" comes"),
        .duration("timeout", 1...300, \.timeoutSeconds, "then it is ended, with all that it started"),
    ]

    private static let relayKeys: [ConfigKey<RelaySettings>] = [
        .text("name", .text(.other(.name)), \.name, ""),
        .optionalText(
            "chip", .text(.other(HookKinds.device)), \.chip, example: "/dev/gpiochip0",
            "with line; or else on and off"),
        line {
            $0.chip == nil ? nil : $0.line
        } set: {
            $0.line = $1
        },
        lowActive("whether the relay is on when its line is low") {
            $0.chip == nil ? nil : $0.isActiveLow
        } set: {
            $0.isActiveLow = $1
        },
        command("on", \.on), command("off", \.off),
        .duration("lead", 0...300, \.leadSeconds, "on this long before the first sample"),
        .duration("linger", 0...3600, \.lingerSeconds, "off this long after the last"),
        ConfigKey(
            name: "for", rule: .texts(.other(HookKinds.occasion), orOne: true),
            meaning: "default: everything with a sound", example: .texts(["adhan", "iqama"])
        ) {
            $0.kinds.isEmpty ? nil : .texts($0.kinds.map(\.rawValue))
        } set: { relay, value in
            relay.kinds = value.list.compactMap { OccasionDocument.Kind(rawValue: $0) }
        },
    ]

    private static func command(
        _ name: String, _ place: ConfigKey<RelaySettings>.Place<[String]>
    ) -> ConfigKey<RelaySettings> {
        .optionalTexts(
            name, .texts(.other(HookKinds.word), orOne: true), place,
            example: ["/usr/local/lib/adhand/amplifier", name], "absolute; no shell is between")
    }

    /// The line of a chip; without a chip there is none.
    static func line<Root>(
        get: @escaping @Sendable (Root) -> Int?, set: @escaping @Sendable (inout Root, Int) -> Void
    ) -> ConfigKey<Root> {
        ConfigKey(
            name: "line", rule: .integer(0...1023, unit: "of the chip"), meaning: "", example: .integer(17)
        ) {
            get($0).map { .integer($0) }
        } set: { root, value in
            if case .integer(let line) = value { set(&root, line) }
        }
    }

    static func lowActive<Root>(
        _ meaning: String, get: @escaping @Sendable (Root) -> Bool?,
        set: @escaping @Sendable (inout Root, Bool) -> Void
    ) -> ConfigKey<Root> {
        ConfigKey(name: "active-low", rule: .flag, meaning: meaning, example: .flag(true)) {
            get($0).map { .flag($0) }
        } set: { root, value in
            if case .flag(let flag) = value { set(&root, flag) }
        }
    }

    // MARK: Combinations of keys

    private static func hookFault(_ values: [String: ConfigValue]) -> (field: String, reason: String)? {
        HookKinds.fault(values["command"]?.list ?? []).map { ("command", $0) }
    }

    private static func relayFault(_ values: [String: ConfigValue]) -> (field: String, reason: String)? {
        if let chip = values["chip"] {
            if let fault = lineFault(chip, values["line"]) { return fault }
            guard values["on"] == nil, values["off"] == nil else {
                return ("chip", "stands beside on and off, and a relay is switched by one of both; keep one")
            }
            return nil
        }
        if values["line"] != nil || values["active-low"] != nil {
            return ("line", "is of no chip; write chip, such as \"/dev/gpiochip0\"")
        }
        for name in ["on", "off"] {
            guard let words = values[name]?.list else {
                return (name, "is missing; write on and off, two commands, or chip and line")
            }
            if let reason = HookKinds.fault(words) { return (name, reason) }
        }
        guard values["on"]?.list != values["off"]?.list else {
            return ("off", "is the same command as on, so the relay would never be off; write the other one")
        }
        return nil
    }

    private static func lineFault(_ chip: ConfigValue, _ line: ConfigValue?) -> (String, String)? {
        line == nil ? ("line", "is missing; write which line of the chip, such as 17") : nil
    }

    private var complaints: [SchemaComplaint] {
        var complaints: [SchemaComplaint] = []
        for (table, names) in [("hook", hooks.map(\.name)), ("relay", relays.map(\.name))] {
            let twice = Dictionary(grouping: names, by: { $0 }).filter { $1.count > 1 }.keys.sorted()
            complaints += twice.map {
                .init([table], "two [[\(table)]] have the name \"\($0)\"; give each its own")
            }
        }
        let counts = [("hook", hooks.count), ("relay", relays.count), ("button", buttons.count)]
        for (table, count) in counts where count > Self.mostTables {
            complaints.append(
                .init([table], "there are \(count) [[\(table)]], and \(Self.mostTables) is the most"))
        }
        return complaints + sharing
    }
}

extension ConfigValue {
    var list: [String] {
        switch self {
        case .texts(let texts): texts
        case .text(let text): [text]
        default: []
        }
    }
}
