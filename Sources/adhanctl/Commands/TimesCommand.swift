import ArgumentParser
import CommandKit
import Console
import Host
import Maintenance
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

struct Times: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "times",
        abstract: "The times of any days at any place.",
        usage: "adhanctl times [<options>]",
        discussion: """
            Without calculation options these are the times of the adhand that answers, with your mosque's timetable. What \
            is left out comes from its configuration, or where none answers from the usual file. A time marked +1 lies after midnight and still belongs to its \
            day; letters refer to the notes below.
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table, json, csv, ics
    }

    @OptionGroup(title: "Days") var days: DayArguments

    @OptionGroup(title: "Calculation options") var calculation: CalculationArguments

    @OptionGroup var state: StateOption

    @OptionGroup var global: GlobalOptions

    @Option(help: "csv is for spreadsheets, ics for calendar applications.")
    var format: Format?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "With ics: sunrise, imsak or another event besides the prayers; repeatable.", valueName: "event"))
    var include: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "With ics: leave out a prayer, or iqama: every congregation; repeatable.", valueName: "event"))
    var exclude: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With ics: remind this long before, such as 10m.", valueName: "duration"))
    var alarm: String?

    func run() throws {
        let selection = days.selection
        try RequestedDays.check(selection)
        let calendar = try calendar()
        let output = global.output
        let times = try self.times(selection)
        switch format ?? (output.json ? .json : .table) {
        case .json: try output.write(document: times)
        case .table: try output.write(TimesTable.render(times, output.style))
        case .csv: try output.write(TimesCSV.render(times))
        case .ics: try output.write(calendar.render(times))
        }
    }

    /// adhand's times or, if it does not answer or options request others, the times by its configuration.
    private func times(_ selection: DateSelection) throws(CommandError) -> TimesDocument {
        if let times = try calculation.daemonTimes(selection, state, global.daemon) { return times }
        let site = try calculation.decidedSite(state, global.daemon)
        return TimesDocument(site: site, dates: try RequestedDays.days(selection, in: site.zone))
    }

    func validate() throws {
        if global.json, let format, format != .json {
            throw ValidationError("--json and --format \(format.rawValue) exclude each other")
        }
        for (option, isGiven) in [
            ("--include", !include.isEmpty), ("--exclude", !exclude.isEmpty), ("--alarm", alarm != nil),
        ]
        where isGiven && format != .ics {
            throw ValidationError("\(option) goes with --format ics")
        }
    }

    private func calendar() throws(CommandError) -> TimesCalendar {
        let besides = DayEvent.allCases.filter { event in !Prayer.allCases.contains { $0.event == event } }
        var included: [DayEvent] = []
        for name in include {
            guard let event = besides.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
                let names = besides.map(\.rawValue).joined(separator: ", ")
                throw CommandError(.usage, "--include knows \(names), not \"\(name)\"")
            }
            included.append(event)
        }
        var seconds: Double?
        if let alarm {
            guard let parsed = DurationText.parse(alarm), parsed <= 86_400 else {
                throw CommandError(
                    .usage, "--alarm must be a duration from 0s to 24h, such as \"10m\", not \"\(alarm)\"")
            }
            seconds = parsed
        }
        var calendar = TimesCalendar(made: WallClock.now(), besides: included, alarmSeconds: seconds)
        for name in exclude {
            if name.lowercased() == "iqama" {
                calendar.hasCongregations = false
            } else if let prayer = Spelling.prayer(name) {
                calendar.leftOut.insert(prayer)
            } else {
                let names = (Prayer.allCases.map(\.rawValue) + ["iqama"]).joined(separator: ", ")
                throw CommandError(.usage, "--exclude knows \(names), not \"\(name)\"")
            }
        }
        return calendar
    }
}

/// The arguments that select days.
struct DayArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("YYYY-MM-DD, today, tomorrow or yesterday (default: today).", valueName: "date"),
        completion: .dates)
    var date: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("This many days from the date on.", valueName: "n"))
    var days: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A month: YYYY-MM, or 1 to 12 for the coming one.", valueName: "month"))
    var month: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("A whole year.", valueName: "year"))
    var year: String?

    @Flag(help: "Years before 1900 are meant.")
    var historical = false

    var selection: DateSelection {
        DateSelection(
            date: date, count: days, month: month, year: year, historical: historical,
            isMonthToCome: true)
    }
}

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Where one time comes from, step by step.")

    @OptionGroup var global: GlobalOptions

    @Argument(
        help: "A prayer, or another event of the day: imsak, sunrise, sunset, midnight, lastThird.",
        completion: .events)
    var prayer: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("YYYY-MM-DD, today, tomorrow or yesterday (default: today).", valueName: "date"),
        completion: .dates)
    var date: String?

    @Flag(help: "A year before 1900 is meant.")
    var historical = false

    @OptionGroup(title: "Calculation options") var calculation: CalculationArguments

    @OptionGroup var state: StateOption

    func run() throws {
        let (event, name) = try event()
        try RequestedDays.check(DateSelection(date: date, historical: historical))
        let site = try calculation.decidedSite(state, global.daemon)
        let asked = try RequestedDays.day(date, in: site.zone)
        let day = name == Prayer.jumua.rawValue ? asked.fridayFromHere : asked
        let note =
            day == asked
            ? nil : "Jumu'ah is on Fridays: this is the first one after \(LocalText.long(asked))."
        let document = ExplainDocument(event, named: name, on: day, site: site, note: note)
        try global.output.show(document) { ExplainText.render(document, site: site, $0) }
    }

    private func event() throws(CommandError) -> (DayEvent, String) {
        if let prayer = Spelling.prayer(prayer) { return (prayer.event, prayer.rawValue) }
        if let event = Spelling.event(prayer) { return (event, event.rawValue) }
        let names = DayEvent.allCases.map(\.rawValue) + [Prayer.jumua.rawValue]
        let near = NearestName.of(prayer, among: names).map { "; did you mean \($0)?" } ?? ""
        throw CommandError(
            .usage,
            "there is no prayer or event \"\(prayer)\"; there are \(names.joined(separator: ", "))\(near)")
    }
}

/// Resolves dates by the clock of the place.
enum RequestedDays {
    /// Refuses invalid dates before the place is resolved.
    static func check(_ selection: DateSelection) throws(CommandError) {
        _ = try days(selection, in: .utc)
    }

    static func day(_ text: String?, named name: String = "--date", in zone: Zone) throws(CommandError)
        -> CivilDate
    {
        let today = zone.civilDate(of: WallClock.now())
        guard let text else { return today }
        do throws(OptionError) {
            return try DateSelection.day(text, name, today: today)
        } catch {
            throw CommandError(error)
        }
    }

    static func days(_ selection: DateSelection, in zone: Zone) throws(CommandError) -> [CivilDate] {
        do throws(OptionError) {
            return try selection.days(today: zone.civilDate(of: WallClock.now()))
        } catch {
            throw CommandError(error)
        }
    }
}

extension CivilDate {
    /// This day, or the first Friday after it.
    fileprivate var fridayFromHere: CivilDate {
        var day = self
        while !day.isFriday { day = day.adding(days: 1) }
        return day
    }
}
