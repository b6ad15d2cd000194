import Glibc
import PrayerEngine

// Times runs of days of all ten events at one place, in microseconds of one core's time a day.

let days = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 100_000 : 100_000
let first = CivilDate(dayNumber: 0)

/// Processor time, not the wall's: the machine may be busy with other things.
func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// The best of seven runs, as the least disturbed one.
func best(_ name: String, _ days: Int, _ work: () -> Double) {
    var best = Double.infinity
    var sum = 0.0
    for _ in 0..<7 {
        let start = processorSeconds()
        sum = work()
        best = min(best, (processorSeconds() - start) / Double(days) * 1e6)
    }
    print(
        "adhand, \(name): \((best * 1000).rounded() / 1000) µs a day (ten events, \(days) days, checksum \(sum))"
    )
}

/// Reads every event, so that none can be left out.
func sum(_ day: DayTimes) -> Double {
    var sum = 0.0
    for event in DayEvent.allCases { sum += day[event]?.unixSeconds ?? 0 }
    return sum
}

let places: [(String, Double, Double)] = [("Queens 40.73", 40.7282, -73.7949), ("Oslo 59.91", 59.91, 10.75)]
for (name, latitude, longitude) in places {
    let place = try Place(latitude: latitude, longitude: longitude)
    let timetable = Timetable(place: place, calculation: Calculation(), zone: .utc)
    best("\(name), in a row", days) { timetable.days(from: first, count: days).reduce(0) { $0 + sum($1) } }
    let single = min(days, 10_000)
    best("\(name), one at a time", single) {
        (0..<single).reduce(0) { $0 + sum(timetable.day(first.adding(days: $1))) }
    }
}
