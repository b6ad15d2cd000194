import ArgumentParser
import CommandKit
import Maintenance
import Protocol
import Settings
import Texts

struct MuteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute",
        abstract: "Silences adhand; what plays fades out.",
        usage: """
            adhanctl mute [<duration> | --for <duration> | --until <when> | --next]
            adhanctl mute --output <name> (--for <duration> | --until <when>)
            """,
        discussion: "Without an option it stays silent until \"adhanctl unmute\". A mute outlives restarts.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The same as with --for.", valueName: "duration"))
    var words: [String] = []

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For this long: 90s, 10m, 2h, 1h30m, 1d.", valueName: "duration"))
    var duration: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Until a time of day (14:00, 9pm) or a prayer (isha).", valueName: "when"),
        completion: .prayers)
    var until: String?

    @Flag(name: .long, help: "Only the next adhan and what reminds of it.")
    var next = false

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "Only this output of [[output]]: for a time, as a quiet window would; what plays there is played to its end.",
            valueName: "name"))
    var names: [String] = []

    func validate() throws {
        let (asked, name) = (try parameters(), try onlyOutput(names))
        if name != nil, asked.duration == nil, asked.until == nil {
            throw CommandError.usage(
                "the mute of one output ends by itself: say --for how long, or --until when")
        }
    }

    private func parameters() throws(CommandError) -> MuteParameters {
        let given = [
            ("a duration", !words.isEmpty), ("--for", duration != nil), ("--until", until != nil),
            ("--next", next),
        ].filter(\.1).map(\.0)
        if given.count > 1 { throw CommandError.usage("\(given[0]) and \(given[1]) exclude each other") }
        if next { return MuteParameters(next: true) }
        if let until { return MuteParameters(until: try Self.moment(until)) }
        if let duration { return MuteParameters(duration: try Self.length(duration, option: "--for")) }
        return words.isEmpty ? MuteParameters() : try spoken()
    }

    /// Reads `2h`, `for 2 hours`, `until isha`, `next`.
    private func spoken() throws(CommandError) -> MuteParameters {
        let rest = words.dropFirst().joined(separator: " ")
        switch words[0].lowercased() {
        case "next" where words.count == 1: return MuteParameters(next: true)
        case "for" where !rest.isEmpty: return MuteParameters(duration: try Self.length(rest))
        case "until" where !rest.isEmpty, "till" where !rest.isEmpty:
            return MuteParameters(until: try Self.moment(rest))
        default: break
        }
        let text = words.joined(separator: " ")
        if let prayer = Spelling.prayer(text)?.rawValue {
            throw CommandError.usage(
                "say whether until \(prayer), which is called (mute --until \(prayer)), or \(prayer) itself (disable \(prayer))"
            )
        }
        if Spelling.timeOfDay(text) != nil { return MuteParameters(until: try Self.moment(text)) }
        return MuteParameters(duration: try Self.length(text))
    }

    private static func length(_ text: String, option: String? = nil) throws(CommandError) -> String {
        if let duration = Spelling.duration(text) { return duration }
        let unit = Int(text).map { "; \($0) of what? Write \($0)m or \($0)h" } ?? ""
        throw CommandError.usage(
            "\(option.map { "\($0) must be" } ?? "give") \(DurationText.described), not \"\(text)\"\(unit)"
        )
    }

    /// The end of a mute: words are prayers, anything else is a time of day, whose date the daemon decides.
    private static func moment(_ text: String) throws(CommandError) -> String {
        if text.first?.isLetter == true { return try PrayerName.read(text).rawValue }
        if let time = Spelling.timeOfDay(text) { return time }
        throw CommandError.usage(
            "--until must be a time of day such as 14:00, or a prayer such as isha, not \"\(text)\"")
    }

    func run() throws {
        let asked = try parameters()
        if let name = names.first {
            return try global.daemon.perform(
                .muteOutput,
                MuteOutputParameters(output: name, duration: asked.duration, until: asked.until),
                on: global.output)
        }
        try global.daemon.perform(.mute, asked, on: global.output)
    }
}

/// The only output; refuses several, because the others would be ignored silently.
private func onlyOutput(_ names: [String]) throws(CommandError) -> String? {
    guard names.count <= 1 else {
        throw CommandError.usage(
            "it takes one --output; type the command once for each of \(names.joined(separator: ", "))")
    }
    return names.first
}

struct Unmute: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute",
        abstract: "Ends a mute.",
        usage: "adhanctl unmute [--socket <path>] [--json] [--output <name>]")

    @OptionGroup var global: GlobalOptions

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp("The mute of this output of [[output]].", valueName: "name"))
    var names: [String] = []

    func validate() throws { _ = try onlyOutput(names) }

    func run() throws {
        if let name = names.first {
            return try global.daemon.perform(
                .unmuteOutput, OutputParameters(output: name), on: global.output)
        }
        try global.daemon.perform(.unmute, on: global.output)
    }
}
