import SeededRandom
import Testing

@testable import PrayerEngine

@Suite("What must hold everywhere, on every day")
struct PropertyTests {
    static let chain: [DayEvent] = [.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha]

    /// One place with one way of calculating.
    struct Setting: Sendable, CustomTestStringConvertible {
        let latitude: Double
        let longitude: Double
        let calculation: Calculation
        let first: CivilDate

        var timetable: ComputedTimes {
            get throws {
                ComputedTimes(
                    place: try Place(latitude: latitude, longitude: longitude), calculation: calculation,
                    zone: try PropertyTests.solarZone(longitude))
            }
        }

        var testDescription: String {
            "\(calculation.method.name) \(calculation.highLatitude.rawValue) at \(latitude), \(longitude)"
        }
    }

    /// A global grid: latitudes from pole to pole and around the critical ones, with methods and rules dealt
    /// over it.
    static let grid: [Setting] = {
        var random = SplitMix64(seed: 3)
        let critical = [48.0, 51.5, 55, 58.3, 60, 63.4, 65.7, 66.5, 67.4, 69.65, 78.2, 84, 89.9]
        let latitudes = Array(stride(from: -90.0, through: 90, by: 15)) + critical + critical.map(-)
        return latitudes.enumerated().map { turn, latitude in
            var calculation = Calculation(method: Method.all[turn * 5 % Method.all.count])
            calculation.highLatitude = HighLatitudeRule.allCases[turn % HighLatitudeRule.allCases.count]
            calculation.asr = turn % 2 == 0 ? .hanafi : .standard
            if turn % 3 == 0 { calculation.rounding = Rounding.none }
            return Setting(
                latitude: latitude, longitude: .random(in: -180...180, using: &random),
                calculation: calculation,
                first: CivilDate(dayNumber: .random(in: -7300...47_000, using: &random)))
        }
    }()

    @Test("A year of days: in order, without unexplained jumps or gaps", arguments: grid)
    func year(_ setting: Setting) throws {
        var previous: DayTimes?
        for day in try setting.timetable.days(from: setting.first, count: 366) {
            var last = -Double.infinity
            for event in Self.chain {
                guard let instant = day[event] else {
                    #expect(day.note(for: event) != nil, "\(day.date) \(event) is missing without a word")
                    continue
                }
                #expect(instant.unixSeconds > last, "\(day.date) \(event) is out of order")
                last = instant.unixSeconds
            }
            #expect(day[.dhuhr] != nil)
            for event in DayEvent.allCases {
                guard let previous, !day.hasNote(for: event), !previous.hasNote(for: event) else { continue }
                guard let today = day[event], let yesterday = previous[event] else {
                    #expect(day[event] == nil && previous[event] == nil, "\(day.date) \(event) came or went")
                    continue
                }
                #expect(abs(today - yesterday - 86_400) <= 600, "\(day.date) \(event) jumped")
            }
            previous = day
        }
    }

    @Test("A day asked for alone is the same as one of many, in zones on both sides of the date line")
    func bulkAndSingle() throws {
        var random = SplitMix64(seed: 11)
        for zone in [
            "UTC0", "<+14>-14", "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45", "<-11>11", "EST5EDT",
        ] {
            let timetable = ComputedTimes(
                place: try Place(
                    latitude: .random(in: -66...66, using: &random),
                    longitude: .random(in: -180...180, using: &random)),
                calculation: Calculation(), zone: try Zone(name: zone, posix: zone))
            let first = CivilDate(dayNumber: .random(in: -7300...40_000, using: &random))
            for (offset, day) in timetable.days(from: first, count: 60).enumerated() {
                let alone = timetable.day(first.adding(days: offset))
                #expect(day.date == alone.date)
                for event in DayEvent.allCases {
                    #expect(day[event] == alone[event])
                    #expect(day.note(for: event) == alone.note(for: event))
                }
            }
        }
    }

    @Test(
        "Dhuhr falls on the date it belongs to, at noon by the Sun, from UTC−12 to UTC+14",
        arguments: [
            ("<+14>-14", 1.87, -157.4), ("<+13>-13", -21.1, -175.2), ("<-11>11", -14.3, -170.7),
            ("<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45", -43.95, -176.5), ("<-12>12", 0.2, -176.5),
            ("<+12>-12", 52.9, 172.9), ("<+0545>-5:45", 27.7, 85.3),
        ])
    func civilDay(rule: String, latitude: Double, longitude: Double) throws {
        let zone = try Zone(name: rule, posix: rule)
        let timetable = ComputedTimes(
            place: try Place(latitude: latitude, longitude: longitude), calculation: Calculation(), zone: zone
        )
        let first = try #require(CivilDate("2026-01-01"))
        var last: Instant?
        for day in timetable.days(from: first, count: 400) {
            let dhuhr = try #require(day[.dhuhr])
            #expect(zone.civilDate(of: dhuhr) == day.date)
            let solar = dhuhr.unixSeconds / 3600 + longitude / 15
            #expect(abs(solar.truncatingRemainder(dividingBy: 24) - 12) < 0.3)
            if let last { #expect(abs(dhuhr - last - 86_400) < 91) }
            last = dhuhr
        }
    }

    @Test("Morning and evening mirror each other about noon, and east and west run on the same Sun")
    func symmetry() throws {
        var random = SplitMix64(seed: 5)
        var calculation = Calculation()
        calculation.rounding = Rounding.none
        for _ in 0..<200 {
            let latitude = Double.random(in: -45...45, using: &random)
            let longitude = Double.random(in: -180...165, using: &random)
            let date = CivilDate(dayNumber: .random(in: -7300...47_000, using: &random))
            // Zones of solar time, so that both places mean the same solar day.
            let west = ComputedTimes(
                place: try Place(latitude: latitude, longitude: longitude), calculation: calculation,
                zone: try Self.solarZone(longitude))
            let east = ComputedTimes(
                place: try Place(latitude: latitude, longitude: longitude + 15), calculation: calculation,
                zone: try Self.solarZone(longitude))
            let (day, there) = (west.day(date), east.day(date))
            let noon = try #require(day[.dhuhr])
            for (morning, evening) in [(DayEvent.fajr, DayEvent.isha), (.sunrise, .maghrib)] {
                let before = noon - (try #require(day[morning]))
                let after = try #require(day[evening]) - noon
                #expect(abs(before - after) < 120, "\(date) \(latitude)")
            }
            for event in PropertyTests.chain {
                let hour = try #require(day[event]) - #require(there[event])
                #expect(abs(hour - 3600) < 12, "\(date) \(latitude) \(event): \(hour)")
            }
        }
    }

    /// A zone whose noon is the Sun's to half an hour.
    static func solarZone(_ longitude: Double) throws -> Zone {
        let hours = Int((longitude / 15).rounded())
        return try Zone(name: "solar", posix: "<XXX>\(-hours)")
    }

    @Test("The years at the ends of the calendar give finite times", arguments: ["0001-01-02", "9999-12-30"])
    func farYears(date: String) throws {
        let timetable = ComputedTimes(
            place: try Place(latitude: 21.4, longitude: 39.8), calculation: Calculation(), zone: .utc)
        let day = timetable.day(try #require(CivilDate(date)))
        for event in Self.chain { #expect(day[event]?.unixSeconds.isFinite == true, "\(event)") }
    }
}
