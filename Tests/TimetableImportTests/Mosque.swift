import PrayerEngine
import Settings
import Texts
import Times

@testable import TimetableImport

/// A mosque that prints its times, in whatever form a test asks for.
struct Mosque {
    let site: Site
    let year: Int
    /// Minutes by the wall clock.
    var times: [CivilDate: [DayEvent: Int]] = [:]

    static let events: [DayEvent] = [.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha]
    static let paris = "CET-1CEST,M3.5.0,M10.5.0/3"

    init(
        _ latitude: Double = 48.8566, _ longitude: Double = 2.3522, zone: String = Self.paris,
        named zoneName: String = "Here", year: Int = 2026,
        asr: AsrSchool = .standard, highLatitude: HighLatitudeRule = .auto
    ) throws {
        var calculation = Calculation(method: Method.named("mwl") ?? Method.all[0])
        calculation.asr = asr
        calculation.highLatitude = highLatitude
        site = Site(
            name: "here", place: try Place(latitude: latitude, longitude: longitude), approximate: false,
            zone: try Zone(name: zoneName, posix: zone), calculation: calculation)
        self.year = year
        for date in dates {
            let day = site.computedTimes.day(date)
            for event in Self.events {
                guard let instant = day[event] else { continue }
                let minutes = Int(SunReference.minutes(of: instant, after: date, in: site.zone).rounded())
                times[date, default: [:]][event] = (minutes + 1440) % 1440
            }
        }
    }

    var dates: [CivilDate] {
        guard let first = CivilDate(year: year, month: 1, day: 1) else { return [] }
        return (0..<366).map { first.adding(days: $0) }.filter { $0.year == year }
    }

    var today: CivilDate { CivilDate(dayNumber: dates[0].dayNumber + 40) }

    /// Minutes by the clock of winter time.
    func winter(_ date: CivilDate, _ event: DayEvent) -> Int? {
        times[date]?[event].map { minutes in
            let instant = site.zone.instant(of: date, secondOfDay: Double(minutes * 60))
            let least = SeasonClock(zone: site.zone).offsets(in: date.year).lowerBound
            let shift = (site.zone.offset(at: instant) - least) / 60
            return ((minutes - shift) % 1440 + 1440) % 1440
        }
    }

    /// `05:44` of each event; `style` writes a time.
    func row(_ date: CivilDate, _ separator: String = ",", style: (Int) -> String = ClockText.format)
        -> String
    {
        Self.events.map { times[date]?[$0].map(style) ?? "-----" }.joined(separator: separator)
    }

    /// A line a day, `date` writing its beginning.
    func lines(
        _ separator: String = ",", date: (CivilDate) -> String, style: (Int) -> String = ClockText.format
    ) -> String {
        dates.map { date($0) + separator + row($0, separator, style: style) + "\n" }.joined()
    }

    /// A JSON array of a day each, with the keys of the six events.
    func json(_ keys: [String], date: (CivilDate) -> String, style: (Int) -> String = ClockText.format)
        -> String
    {
        "["
            + dates.map { day in
                let cells = zip(keys, Self.events).map {
                    "\"\($0)\": \"\(times[day]?[$1].map(style) ?? "-")\""
                }
                return "{\(date(day)), \(cells.joined(separator: ", "))}"
            }.joined(separator: ",\n") + "]"
    }

    func read(
        _ text: String, named name: String = "times.csv", _ change: (inout ImportOptions) -> Void = { _ in }
    )
        throws -> ImportResult
    {
        try read([ImportFile(name: name, bytes: Array(text.utf8))], change)
    }

    func read(_ files: [ImportFile], _ change: (inout ImportOptions) -> Void = { _ in }) throws
        -> ImportResult
    {
        var options = ImportOptions()
        change(&options)
        return try Importer.run(files, options: options, site: site, today: today)
    }

    /// The refused requests, as a sentence.
    func refusal(
        _ text: String, named name: String = "times.csv", _ change: (inout ImportOptions) -> Void = { _ in }
    )
        -> TimetableError?
    {
        do {
            _ = try read(text, named: name, change)
            return nil
        } catch let refusal as ImportRefusal {
            return refusal.mistake
        } catch {
            return nil
        }
    }

    /// The days on which a table says otherwise than this mosque.
    func differences(_ table: PublishedTimetable) -> [CivilDate] {
        dates.filter { date in
            let day = table.published(on: date, in: site.zone)
            return Self.events.contains { day?.cellMinutes[.begins($0)] != times[date]?[$0] }
        }
    }
}

/// Times as others write them.
enum Style {
    static func blank(_ minutes: Int) -> String {
        let hour = (minutes / 60 + 11) % 12 + 1
        return "\(hour) \(InstantText.padded(minutes % 60, 2))"
    }

    static func twelve(_ minutes: Int) -> String {
        blank(minutes).replacing(" ", with: ":") + (minutes < 720 ? " AM" : " PM")
    }

    static func bare(_ minutes: Int) -> String { blank(minutes).replacing(" ", with: ":") }
    static func seconds(_ minutes: Int) -> String { ClockText.format(minutes) + ":00" }
    static func dot(_ minutes: Int) -> String { "\(minutes / 60).\(InstantText.padded(minutes % 60, 2))" }

    static func arabic(_ minutes: Int) -> String {
        let digits = Array("٠١٢٣٤٥٦٧٨٩")
        let plain = bare(minutes).replacing(":", with: ".")
        return String(plain.map { $0.wholeNumberValue.map { digits[$0] } ?? $0 })
            + (minutes < 720 ? " ص" : " م")
    }
}
