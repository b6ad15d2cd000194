import ArgumentParser
import CommandKit
import Console
import Maintenance
import Protocol
import Settings
import Texts

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets a key of the configuration, and has adhand use it.",
        usage: """
            adhanctl set <key> <value> ... [<options>]
            adhanctl set <key>=<value> ... [<options>]
            adhanctl set --undo
            """,
        discussion: """
            Keys are written with dots, as in adhan.fajr.volume; adhand.toml(5) explains them. The configuration is \
            tried as a whole before it is saved. A running adhand keeps what is set itself, over the files, without \
            root; "adhanctl settings" shows it. What it does not keep (and with --file, --config or without adhand all \
            of it) is written into the file: comments and everything else stay, and what the file was before is kept \
            beside it. --undo undoes the last setting, --file --undo brings back the file.
            """)

    @OptionGroup var global: GlobalOptions

    /// Unknown options are passed on by the parser, because negative numbers look like options to it.
    @Argument(
        parsing: .allUnrecognized,
        help: "A key and its value, or keys and values joined by \"=\".", completion: .configurationKeys)
    var arguments: [String] = []

    @Flag(help: "Undo the last setting; with --file, bring back what the file was before the last change.")
    var undo = false

    @Flag(help: "Write the file, also what adhand would keep itself.")
    var file = false

    @Option(
        help: ArgumentHelp("The configuration to write.", valueName: "file"), completion: .configurations)
    var config: String?

    @OptionGroup var change: ChangeOptions

    func validate() throws {
        for word in arguments where word.hasPrefix("-") && Double(word) == nil {
            throw ValidationError("Unknown option '\(word)'")
        }
        if undo, !arguments.isEmpty || change.timetable != nil || change.exceptions != nil {
            throw ValidationError("--undo stands alone, or with --file, --config or --untested")
        }
    }

    func run() throws {
        let client = file || config != nil || change.isAny ? nil : SettingsClient(global.daemon)
        if undo, let client, client.hasChanges {
            let document = try client.undo(nil)
            return try global.output.show(document) { document.text($0) }
        }
        if undo {
            let document = try ConfigurationWriter(named: config, global.daemon).undo(
                isUntested: change.untested)
            return try global.output.show(document) { _ in document.text }
        }
        guard let changes = ConfigChange.KeyChange.read(arguments) else {
            throw CommandError(.usage, "set needs a key and a value, as in: adhanctl set adhan.volume 70")
        }
        if let client, SettingsClient.accepts(changes) {
            let document = try client.set(changes)
            return try global.output.show(document) { document.text($0) }
        }
        let document = try ConfigurationWriter(named: config, global.daemon).set(
            changes, try change.decision, isUntested: change.untested)
        try global.output.show(document) { SetText.render(document, $0) }
        if config == nil { SettingsClient.warn(of: changes.map(\.key), global.daemon) }
    }
}

/// The options that permit a change which is refused otherwise.
struct ChangeOptions: ParsableArguments {
    @Flag(help: "Save what cannot work on this machine now, too: a device or a sound that is not there.")
    var untested = false

    @Option(
        help: ArgumentHelp(
            "Where the place changes: keep or remove the timetable, or a file in its place.",
            valueName: "what"),
        completion: .file())
    var timetable: String?

    @Option(
        help: ArgumentHelp(
            "Where the place changes: keep or remove what was set by hand.", valueName: "what"),
        completion: .list(KeepOrRemove.allCases.map(\.rawValue)))
    var exceptions: String?

    /// Whether one of the options is given; all of them concern the file.
    var isAny: Bool { untested || timetable != nil || exceptions != nil }

    var decision: PlaceDecision {
        get throws(CommandError) { try PlaceDecision(timetable: timetable, exceptions: exceptions) }
    }
}

struct UnsetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Takes a key out of the configuration, so that its default is in force again.",
        usage: "adhanctl unset <key> ... [<options>]",
        discussion: """
            A prayer without a key of its own has the one for all prayers: without adhan.fajr.sound, adhan.sound. The \
            output says what is in force now. "adhanctl set --undo" undoes it. What was set by command and is kept by \
            adhand is taken away there; the file stays as it is.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "A key, as in adhan.fajr.sound.", completion: .configurationKeys)
    var keys: [String]

    @Option(
        help: ArgumentHelp("The configuration to write.", valueName: "file"), completion: .configurations)
    var config: String?

    @OptionGroup var change: ChangeOptions

    func run() throws {
        if config == nil, !change.isAny, let client = SettingsClient(global.daemon),
            keys.allSatisfy(client.has)
        {
            let document = try client.unset(keys)
            return try global.output.show(document) { document.text($0) }
        }
        let document = try ConfigurationWriter(named: config, global.daemon, for: "unset").unset(
            keys, try change.decision, isUntested: change.untested)
        try global.output.show(document) { SetText.render(document, $0) }
    }
}

struct MethodCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "method",
        abstract: "Sets the method by which times are calculated.",
        discussion: """
            "adhanctl methods" lists them. The same as "adhanctl set calculation.method <name>"; angles of your own are \
            commented out.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Its name, or its AlAdhan number.", completion: .methods)
    var name: String

    @Option(
        help: ArgumentHelp("The configuration to write.", valueName: "file"), completion: .configurations)
    var config: String?

    func run() throws {
        let change = ConfigChange.KeyChange(key: "calculation.method", words: [name])
        if config == nil, SettingsClient.accepts([change]), let client = SettingsClient(global.daemon) {
            let document = try client.set([change])
            return try global.output.show(document) { document.text($0) }
        }
        let document = try ConfigurationWriter(named: config, global.daemon).set([change])
        try global.output.show(document) { SetText.render(document, $0) }
    }
}

extension Sound {
    struct Use: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Has a sound called as the adhan, or several in turn.",
            usage: "adhanctl sound use <name> ... [--rotate] [--prayer <prayer>] [<options>]",
            discussion: """
                Writes it into the configuration: for every prayer, or for one. A prayer that has a sound of its own \
                keeps it. With --rotate several sounds are called in turn, one each day by the date. "adhanctl set \
                --undo" undoes it.
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(
            help: ArgumentHelp(
                "Its name, as \"adhanctl sound list\" shows it; with --rotate 2 to 16 of them.",
                valueName: "name"),
            completion: .sounds)
        var names: [String]

        @Flag(help: "Call these in turn, one each day.")
        var rotate = false

        @Option(
            name: .long, help: ArgumentHelp("For this prayer alone.", valueName: "prayer"),
            completion: .prayers)
        var prayer: String?

        @OptionGroup var options: SoundPlaceOptions

        @Flag(help: "Save a sound, too, that cannot be played on this machine now.")
        var untested = false

        func validate() throws {
            if !rotate, names.count > 1 {
                throw ValidationError("only one sound is called, unless they take turns; add --rotate")
            }
            if rotate, !RotatingSound.counts.contains(names.count) {
                let counts = RotatingSound.counts
                throw ValidationError(
                    "--rotate takes \(counts.lowerBound) to \(counts.upperBound) sounds, not \(names.count)")
            }
        }

        func run() throws {
            let prayer = try prayer.map { try PrayerName.read($0) }
            let place = try SoundPlace(options.named, global.daemon)
            if !untested {
                for name in names {
                    try refuseMissing(name, in: place, for: prayer.map { [$0] } ?? Prayer.allCases)
                }
            }
            let key = prayer.map { "adhan.\($0.rawValue).sound" } ?? "adhan.sound"
            let word = rotate ? RotatingSound(rotating: names.map { [$0] }).written : names[0]
            let change = ConfigChange.KeyChange(key: key, words: [word])
            if options.config == nil, !untested, SettingsClient.accepts([change]),
                let client = SettingsClient(global.daemon)
            {
                let document = try client.set([change])
                return try global.output.show(document) { document.text($0) }
            }
            let document = try ConfigurationWriter(named: options.config, global.daemon)
                .set([change], isUntested: untested)
            try global.output.show(document) { SetText.render(document, $0) }
        }

        private func refuseMissing(
            _ name: String, in place: SoundPlace, for prayers: [Prayer]
        ) throws(CommandError) {
            guard name != AdhanSettings.silent else { return }
            let without = prayers.filter { !place.hasSound(name, for: $0) }
            guard let first = without.first else { return }
            guard without.count == prayers.count else {
                throw CommandError(
                    .failed,
                    "the sound \"\(name)\" has no recording for \(first.title); add one, or use it for one prayer, "
                        + "with --prayer")
            }
            throw CommandError(
                .failed,
                "\(ControlError.soundNotFound(sound: name).sentence); \"adhanctl sound list\" shows them")
        }
    }
}
