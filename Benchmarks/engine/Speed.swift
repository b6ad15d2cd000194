import Glibc
import PrayerEngine

/// Runs of days of all ten events at one place, in microseconds of one core's time a day.
enum Speed {
    static func report(days: Int) throws {
        let first = CivilDate(dayNumber: 0)
        let places = [("Queens 40.73", 40.7282, -73.7949), ("Oslo 59.91", 59.91, 10.75)]
        for (name, latitude, longitude) in places {
            let place = try Place(latitude: latitude, longitude: longitude)
            let timetable = Timetable(place: place, calculation: Calculation(), zone: .utc)
            measure("\(name), in a row", days) {
                timetable.days(from: first, count: days).reduce(0) { $0 + sum($1) }
            }
            let single = min(days, 10_000)
            measure("\(name), one at a time", single) {
                (0..<single).reduce(0) { $0 + sum(timetable.day(first.adding(days: $1))) }
            }
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
