import Glibc
import PrayerEngine

/// Runs of days of all ten events at one place, in microseconds of one core's time a day.
enum Speed {
    static func report(days: Int) throws {
        let first = CivilDate(dayNumber: 0)
        let places = [("Queens 40.73", 40.7282, -73.7949), ("Oslo 59.91", 59.91, 10.75)]
        for (name, latitude, longitude) in places {
            let place = try Place(latitude: latitude, longitude: longitude)
            let timetable = ComputedTimes(place: place, calculation: Calculation(), zone: .utc)
            measure("\(name), in a row", days) {
                timetable.days(from: first, count: days).reduce(0) { $0 + sum($1) }
            }
            let single = min(days, 10_000)
            measure("\(name), one at a time", single) {
                (0..<single).reduce(0) { $0 + sum(timetable.day(first.adding(days: $1))) }
            }
        }
    }

    /// One method of each kind of work: what the authority's rules cost.
    static func reportFamilies(days: Int) throws {
        for family in families {
            guard let method = Method.named(family.method) else { continue }
            var calculation = Calculation(method: method)
            calculation.zone = family.zone
            let place = try Place(latitude: family.latitude, longitude: family.longitude)
            let timetable = ComputedTimes(place: place, calculation: calculation, zone: .utc)
            measure("\(family.zone ?? family.method), \(family.what)", days) {
                timetable.days(from: CivilDate(dayNumber: 10_000), count: days).reduce(0) { $0 + sum($1) }
            }
        }
    }

    private static let families: [Family] = [
        Family("mwl", "angles", 40.73, -73.79),
        Family("umm-al-qura", "minutes, longer in Ramadan", 21.42, 39.83),
        Family("tehran", "a Maghrib by its angle", 35.69, 51.39),
        Family("moonsighting", "seasons by latitude", 51.5, 0),
        Family("london", "seasons by a table", 51.5, 0),
        Family("diyanet", "one Sun a day", 41.01, 28.95),
        Family("tunisia", "another Sun for noon and Asr", 36.8, 10.19),
        Family("kosovo", "a perpetual table with minutes by the date", 42.66, 21.17),
        Family("kemenag", "Asr's noon shadow of one hour, two horizons", -6.92, 107.61),
        Family("singapore", "one place for all", 1.35, 103.82),
        Family("jakim", "a zone of one point", 2.58, 104.44, zone: "JHR01"),
        Family("jakim", "a zone of two points", 3.14, 101.69, zone: "WLY01"),
    ]

    private struct Family {
        let method: String
        let what: String
        let latitude: Double
        let longitude: Double
        let zone: String?

        init(_ method: String, _ what: String, _ latitude: Double, _ longitude: Double, zone: String? = nil) {
            (self.method, self.what) = (method, what)
            (self.latitude, self.longitude, self.zone) = (latitude, longitude, zone)
        }
    }

    /// The best of seven runs, as the least disturbed one; processor time, as the machine may be busy.
    private static func measure(_ name: String, _ days: Int, _ work: () -> Double) {
        var best = Double.infinity
        var sum = 0.0
        for _ in 0..<7 {
            let start = clock()
            sum = work()
            best = min(best, Double(clock() - start) / Double(CLOCKS_PER_SEC) / Double(days) * 1e6)
        }
        print("adhand, \(name): \(rounded(best)) µs a day (ten events, \(days) days, checksum \(sum))")
    }

    /// Reads every event, so that none can be left out.
    private static func sum(_ day: DayTimes) -> Double {
        var sum = 0.0
        for event in DayEvent.allCases { sum += day[event]?.unixSeconds ?? 0 }
        return sum
    }
}

/// To a thousandth.
func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
