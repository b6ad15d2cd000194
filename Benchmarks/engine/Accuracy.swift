import FoundationEssentials
import PrayerEngine

/// How far the engine is from an ephemeris, over a file of reference instants.
enum Accuracy {
    static func report(file: String) throws {
        let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        var all: [Double] = []
        var temperate: [Double] = []
        var (missing, spurious) = (0, 0)
        for line in text.split(separator: "\n").dropFirst() {
            let row = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            let expected =
                row[7] == "none"
                ? nil : try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(row[7])
            let answer = try answer(row)
            if answer == nil, expected != nil { missing += 1 }
            if answer != nil, expected == nil { spurious += 1 }
            guard let answer, let expected else { continue }
            let error = abs(answer.unixSeconds - expected.timeIntervalSince1970)
            all.append(error)
            if let latitude = Double(row[1]), abs(latitude) < 50 { temperate.append(error) }
        }
        print("adhand, reference instants: \(figures(all)); \(missing) missing, \(spurious) spurious")
        print("adhand, those below 50° of latitude: \(figures(temperate))")
    }

    private static func figures(_ errors: [Double]) -> String {
        let sorted = errors.sorted()
        guard let worst = sorted.last else { return "no rows" }
        let median = sorted[sorted.count / 2]
        let p99 = sorted[sorted.count * 99 / 100]
        return
            "median \(rounded(median)) s, p99 \(rounded(p99)) s, max \(rounded(worst)) s in \(errors.count) rows"
    }

    /// A row of place, latitude, longitude, zone, date, event, parameter and instant, answered without any rule.
    private static func answer(_ row: [String]) throws -> Instant? {
        let (event, angle) = (row[5], Double(row[6]) ?? 0)
        var calculation = Calculation(
            method: try .custom(
                fajr: event == "fajr" ? angle : 18, isha: .angle(event == "isha" ? angle : 17),
                maghrib: event == "maghrib" ? angle : 0))
        calculation.highLatitude = HighLatitudeRule.none
        calculation.rounding = Rounding.none
        calculation.asr = event == "asr" && row[6] == "1" ? .standard : .hanafi
        calculation.midnight = row[6] == "fajr18" ? .jafari : .standard
        guard let latitude = Double(row[1]), let longitude = Double(row[2]), let date = CivilDate(row[4]),
            let event = DayEvent(rawValue: event == "lastthird" ? "lastThird" : event)
        else { return nil }
        let bytes = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/" + row[3]))
        let timetable = ComputedTimes(
            place: try Place(latitude: latitude, longitude: longitude), calculation: calculation,
            zone: try Zone(name: row[3], tzif: [UInt8](bytes)))
        return timetable.day(date)[event]
    }
}
