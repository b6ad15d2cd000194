import ArgumentParser
import CommandKit
import Host
import Languages
import LogStore
import PrayerEngine
import PrayerLog
import Settings
import Texts

struct Week: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "week", abstract: "Seven days and their five prayers.")

    @OptionGroup var global: CompanionOptions
    @OptionGroup var seeing: ReportOptions

    @Option(help: ArgumentHelp("The last of the seven days (default: today).", valueName: "day"))
    var date: String?

    func run() throws {
        let person = try global.quietPerson()
        let last = try day(date, today: person.times.today().date)
        person.warnOfPlace()
        let log = try person.logbook(try person.store())
        let end = last ?? log.today.date
        try show((-6...0).map { end.adding(days: $0) }, log, person, global, seeing)
    }
}

struct Month: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "month", abstract: "The days of a month and their prayers.")

    @OptionGroup var global: CompanionOptions
    @OptionGroup var seeing: ReportOptions

    @Argument(help: "YYYY-MM, or 1 to 12 for one of this year (default: this month).")
    var month: String?

    func run() throws {
        let person = try global.quietPerson()
        let today = person.times.today().date
        let year = "\(today)".prefix(4)
        let month =
            month.map { text in Int(text).map { "\(year)-\($0 < 10 ? "0" : "")\($0)" } ?? text }
            ?? String("\(today)".prefix(7))
        let dates: [CivilDate]
        do throws(OptionError) {
            dates = try DateSelection(month: month).days(today: today)
        } catch {
            throw Refusal(
                .usage,
                "the month must be written YYYY-MM, or 1 to 12 for one of this year, not \"\(self.month ?? "")\""
            )
        }
        person.warnOfPlace()
        let log = try person.logbook(try person.store())
        try show(dates, log, person, global, seeing)
    }
}

/// Parses a date such as `2026-11-20` or `yesterday`; `nil` if none is given.
private func day(_ text: String?, today: CivilDate) throws(Refusal) -> CivilDate? {
    guard let text else { return nil }
    do throws(OptionError) {
        return try DateSelection.day(text, "--date", today: today)
    } catch {
        throw Refusal(.usage, error.message)
    }
}

private func show(
    _ dates: [CivilDate], _ log: Logbook, _ person: Person, _ global: CompanionOptions,
    _ seeing: ReportOptions
) throws(Refusal) {
    let streak = person.streak(log)
    if global.json { return try global.output.write(document: DaysDocument(log, streak, dates: dates)) }
    let text = LogText(log, streak, words: person.words, plain: seeing.plain)
    try global.output.write(text.days(dates, global.output.style))
}

struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract:
            "How many prayers were on time, late, made up and missed, and when in their time they are prayed.",
        aliases: ["stat"])

    @OptionGroup var global: CompanionOptions
    @OptionGroup var seeing: ReportOptions

    @Option(help: ArgumentHelp("The last n days (default: all).", valueName: "n"))
    var days: Int?

    @Option(
        help: ArgumentHelp("Write the figures as a picture (SVG).", valueName: "file"), completion: .file())
    var chart: String?

    func validate() throws {
        if let days, !(1...100_000).contains(days) {
            throw ValidationError("--days must be a whole number from 1 to 100000, not \(days)")
        }
    }

    func run() throws {
        let person = try global.person()
        let store = try person.store()
        let log = try person.logbook(store)
        let first = days.map { log.today.date.adding(days: 1 - $0) }
        let timings = try logged { () throws(LogRefusal) in
            try store?.timings(from: first, through: nil) ?? []
        }
        let statistics = Statistics(log, timings: timings, from: first)
        if let chart { try write(statistics, to: chart, person.words) }
        if global.json { return try global.output.write(document: StatisticsDocument(statistics)) }
        let text = LogText(log, person.streak(log), words: person.words, plain: seeing.plain)
        try global.output.write(text.statistics(statistics, global.output.style))
    }

    private func write(_ statistics: Statistics?, to chart: String, _ words: Language) throws(Refusal) {
        guard let statistics else {
            throw Refusal(.failed, words.text(.nothingLogged, ["command": "prayed"]))
        }
        let bytes = Array(Chart.svg(statistics, words: words).utf8)
        do throws(FileError) {
            try OutputFile.write(bytes, to: chart)
        } catch {
            throw Refusal(.failed, error.message)
        }
    }
}

struct StreakCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streak", abstract: "Days in a row, and the freezes that are held.",
        discussion: """
            A day counts with five prayers on time or late. What is made up later does not repair it; excused days neither \
            count nor break. Every seven kept days earn a freeze, of which two are held, and a day that would break the \
            streak spends one by itself.
            """, aliases: ["streaks"])

    @OptionGroup var global: CompanionOptions

    func run() throws {
        let person = try global.person()
        let log = try person.logbook(try person.store())
        let streak = person.streak(log)
        if global.json { return try global.output.write(document: StreakDocument(streak)) }
        try global.output.write(
            LogText(log, streak, words: person.words, plain: false).streakText(global.output.style))
    }
}

struct Badges: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "badges",
        abstract: "What was earned, and how far the rest has come.", aliases: ["badge"])

    @OptionGroup var global: CompanionOptions
    @OptionGroup var seeing: ReportOptions

    func run() throws {
        let person = try global.person()
        let log = try person.logbook(try person.store())
        let streak = person.streak(log)
        let badges = BadgeProgress.all(log, streak: streak)
        if global.json { return try global.output.write(document: BadgesDocument(badges)) }
        let text = LogText(log, streak, words: person.words, plain: seeing.plain)
        try global.output.write(text.badges(badges, global.output.style))
    }
}
