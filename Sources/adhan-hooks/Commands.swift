internal import ArgumentParser
internal import CommandKit
internal import HookPlan
internal import Host
internal import PrayerEngine
internal import Texts

/// `adhan-hooks run EVENT`: runs the commands of an event, one after the other.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run what an event runs, as a trial, and print each result.")

    @Argument(help: ArgumentHelp("The event, such as preroll or finished.", valueName: "event"))
    var event: String

    @Option(help: ArgumentHelp("The prayer of the event.", valueName: "prayer"))
    var prayer: String?

    @OptionGroup var place: ConfigOption

    func run() throws {
        guard let event = HookEvent(rawValue: event) else {
            throw Self.unknown("event", event, HookEvent.allCases.map(\.rawValue))
        }
        if let prayer, Prayer(rawValue: prayer) == nil {
            throw Self.unknown("prayer", prayer, Prayer.allCases.map(\.rawValue))
        }
        let hooks = try HookFile.read(place.file).hooks.filter { $0.accepts(event, prayer: prayer) }
        guard !hooks.isEmpty else {
            throw HooksError(
                .failed,
                "no [[hook]] of \"\(place.file)\" is for \(event.rawValue)\(prayer.map { " of \($0)" } ?? "; name a --prayer where hooks do")"
            )
        }
        let at = InstantText.rfc3339(WallClock.now(), in: .utc, milliseconds: true)
        let document = HookDocument(event, at: at, prayer: prayer, pretended: true)
        Orphans.adopt()
        let runner = CommandRunner()
        var hasFailed = false
        for hook in hooks {
            let result = runner.run(
                hook.command, environment: document.environment, input: document.bytes,
                limit: hook.timeoutSeconds)
            for line in result.output.split(whereSeparator: \.isNewline) {
                try Output(json: false).write("  \(PlainText.visible(String(line)))\n")
            }
            try Output(json: false).write("\(hook.name): \(result.failure ?? "done")\n")
            hasFailed = hasFailed || result.failure != nil
        }
        if hasFailed { throw HooksError(.failed, "not every hook of \(event.rawValue) did what it should") }
    }

    private static func unknown(_ what: String, _ word: String, _ names: [String]) -> HooksError {
        let guess = NearestName.of(word, among: names).map { "; did you mean \($0)?" }
        return HooksError(
            .usage,
            "\"\(PlainText.visible(word))\" is no \(what)\(guess ?? ": write one of \(names.joined(separator: ", "))")"
        )
    }
}

/// `adhan-hooks off`: for `ExecStopPost=`, because a killed program switches nothing off.
struct OffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Switch every relay off, and a television that was woken.")

    @OptionGroup var place: ConfigOption

    func run() throws {
        let relays = try HookFile.read(place.file).held
        Orphans.adopt()
        let failures = RelaySwitch().endAll(
            relays.map { ($0.name, $0.drive) }, limit: RelayDrive.limitSeconds)
        // Each failure was already reported when it occurred.
        if !failures.isEmpty { throw HooksError(.failed, "not every relay is off") }
    }
}
