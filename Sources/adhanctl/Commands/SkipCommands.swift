import ArgumentParser
import CommandKit
import Console
import ControlClient
import Maintenance
import PrayerEngine
import Protocol
import Settings
import Texts

struct Skip: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Leaves prayers of one day uncalled.",
        usage: """
            adhanctl skip <prayer> ... [<date>]
            adhanctl skip --list
            """,
        discussion: """
            The prayer is as if it were switched off, on that day alone. Without a date the next one is meant. \
            "adhanctl unskip" undoes it.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp(SkipWords.help, valueName: "prayer"), completion: .prayersAndDays)
    var words: [String] = []

    @Flag(help: "Show what is skipped.") var list = false

    func run() throws {
        guard !list else {
            guard words.isEmpty else { throw CommandError.usage("--list takes no prayer") }
            let reply = try global.daemon.ask(.getSkips)
            return try global.output.show(reply) { MosqueText.skips(reply, $0) }
        }
        let asked = try SkipWords(words).parameters(global.daemon)
        try global.daemon.perform(.skipPrayers, asked, on: global.output)
    }
}

struct Unskip: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unskip",
        abstract: "Has skipped prayers called after all.",
        usage: "adhanctl unskip <prayer> ... [<date>]",
        discussion: "Without a date the next one that is skipped is meant.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp(SkipWords.help, valueName: "prayer"), completion: .prayersAndDays)
    var words: [String]

    func run() throws {
        let asked = try SkipWords(words).parameters(global.daemon)
        try global.daemon.perform(.unskipPrayers, asked, on: global.output)
    }
}

/// Prayers, optionally followed by a day.
struct SkipWords {
    static let help =
        "fajr, dhuhr, asr, maghrib, isha or jumua; then today, tomorrow, a weekday or YYYY-MM-DD."

    private let prayers: [Prayer]
    private let day: String?

    init(_ words: [String]) throws(CommandError) {
        guard let last = words.last else {
            throw CommandError.usage("name a prayer, such as \"adhanctl skip fajr tomorrow\"")
        }
        // "friday" alone means its prayer; after a prayer it means the day.
        let hasDay = words.count > 1 && Self.isDay(last)
        day = hasDay ? last.lowercased() : nil
        var prayers: [Prayer] = []
        for word in hasDay ? words.dropLast() : words[...] {
            if Spelling.prayer(word) == nil, Self.isDay(word) {
                throw CommandError.usage("name a prayer before the day: adhanctl skip fajr \(word)")
            }
            prayers.append(try PrayerName.read(word))
        }
        self.prayers = prayers
    }

    private static func isDay(_ word: String) -> Bool {
        ["today", "tomorrow"].contains(word.lowercased()) || weekday(word) != nil || CivilDate(word) != nil
    }

    private static func weekday(_ word: String) -> Int? { Weekday.number(word) }

    func parameters(_ daemon: ControlClient) throws(CommandError) -> SkipParameters {
        SkipParameters(prayers: prayers.map(\.rawValue), date: try date(daemon))
    }

    /// The date; "today" is the daemon's.
    private func date(_ daemon: ControlClient) throws(CommandError) -> String? {
        guard let day else { return nil }
        guard let weekday = Self.weekday(day) else { return try DaemonDay.read(day, "the day", daemon) }
        let status = try daemon.ask(.getStatus).status
        try DaemonDay.check(status, day)
        guard let today = CivilDate(status.now.prefix(10)) else {
            throw CommandError(.failed, "adhand does not say which day it is; give the date as YYYY-MM-DD")
        }
        let ahead = (weekday - today.weekday + 7) % 7
        // On a Monday, "monday" is today while all its prayers are to come, and then the next Monday.
        let areToCome = prayers.allSatisfy { prayer in
            status.prayers.contains { $0.prayer == prayer.rawValue && status.isToCome($0) }
        }
        return today.adding(days: ahead == 0 && !areToCome ? 7 : ahead).description
    }
}

extension StatusDocument {
    fileprivate func isToCome(_ prayer: PrayerState) -> Bool {
        guard let at = InstantText.parse(prayer.at), let now = InstantText.parse(now) else { return false }
        return now < at
    }
}
