import PrayerEngine

// Times a run of consecutive days of all ten events at one place on one core, in microseconds a day.

let days = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 100_000 : 100_000
let first = CivilDate(dayNumber: 0)
let clock = ContinuousClock()

/// The best of five runs, as the least disturbed one.
func best(_ name: String, _ days: Int, _ work: () -> Double) {
    var best = Double.infinity
    var sum = 0.0
    for _ in 0..<5 {
        let took = clock.measure { sum = work() }
        best = min(best, took / .microseconds(1) / Double(days))
    }
    let micros = (best * 1000).rounded() / 1000
    print("\(name): \(micros) µs a day of ten events (\(days) days, checksum \(Int(sum)))")
}

func sum(_ day: DayTimes) -> Double {
    DayEvent.allCases.reduce(0) { $0 + (day[$1]?.unixSeconds.truncatingRemainder(dividingBy: 86_400) ?? 0) }
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
