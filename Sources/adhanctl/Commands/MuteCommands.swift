import AdhanCore
import ArgumentParser

struct Mute: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Silences adhand; what plays fades out.",
        usage: "adhanctl mute [--for <duration> | --until <when> | --next]",
        discussion: "Without an option it stays silent until \"adhanctl unmute\". A mute outlives restarts.")

    @OptionGroup var global: GlobalOptions

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For so long: 90s, 10m, 2h, 1h30m.", valueName: "duration"))
    var duration: String?

    @Option(
        name: .long, help: ArgumentHelp("Until a time of day (14:00) or a prayer (isha).", valueName: "when"),
        completion: .prayers)
    var until: String?

    @Flag(name: .long, help: "Only the next adhan and what reminds of it.")
    var next = false

    func validate() throws {
        let given = [("--for", duration != nil), ("--until", until != nil), ("--next", next)].filter(\.1).map(
            \.0)
        if given.count > 1 {
            throw ValidationError("\(given[0]) and \(given[1]) exclude each other")
        }
        if let duration, (DurationText.parse(duration) ?? 0) <= 0 {
            throw ValidationError(
                "--for must be a duration up to 8784h such as 90s, 10m, 2h or 1h30m, not \"\(duration)\"")
        }
        if let until { try Self.validate(until: until) }
    }

    /// Words are prayers, all else is a time of day; what day it falls on is for the daemon to say.
    private static func validate(until text: String) throws {
        if text.first?.isLetter == true {
            _ = try PrayerName.read(text)
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard (2...3).contains(parts.count), (0..<24).contains(parts[0]),
            parts.dropFirst().allSatisfy({ (0..<60).contains($0) })
        else {
            throw ValidationError(
                "--until must be a time of day such as 14:00, or a prayer such as isha, not \"\(text)\"")
        }
    }

    func run() throws {
        let asked = MuteParameters(duration: duration, until: until, next: next ? true : nil)
        try global.daemon.tell("Mute", asked, on: global.output)
    }
}

struct Unmute: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Ends a mute.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try global.daemon.tell("Unmute", on: global.output)
    }
}
