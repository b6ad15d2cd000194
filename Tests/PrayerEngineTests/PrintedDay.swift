import Testing

@testable import PrayerEngine

/// One day as an authority printed it, wall clock.
struct PrintedDay: Sendable {
    let method: String
    let place: Place
    let zone: String
    let date: CivilDate
    let times: [String]

    static let events: [DayEvent] = [.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha]

    /// The days of a fixture by their method.
    static func load(_ fixture: String) -> [String: [PrintedDay]] {
        let rows = (try? Fixture.rows(fixture)) ?? []
        let days = rows.compactMap { row -> PrintedDay? in
            guard let latitude = Double(row[2]), let longitude = Double(row[3]),
                let elevation = Double(row[4]),
                // The towns' own heights: only some authorities consider them.
                let place = try? Place(
                    latitude: latitude, longitude: longitude,
                    elevationMetres: fixture == "towns" ? 0 : elevation,
                    townElevationMetres: fixture == "towns" ? elevation : 0),
                let date = CivilDate(row[6])
            else { return nil }
            return PrintedDay(method: row[0], place: place, zone: row[5], date: date, times: Array(row[7...]))
        }
        return Dictionary(grouping: days, by: \.method)
    }

    /// Printed minus ours in minutes, for every printed time.
    static func differences(_ days: [PrintedDay]) throws -> [(event: DayEvent, minutes: Int)] {
        var found: [(DayEvent, Int)] = []
        for day in days {
            var calculation = Calculation(method: try #require(Method.named(day.method)))
            calculation.asr = day.method == "tatarstan" ? .hanafi : .standard
            let zone = try Fixture.zone(day.zone)
            let ours = ComputedTimes(place: day.place, calculation: calculation, zone: zone).day(day.date)
            for (event, text) in zip(events, day.times) {
                let parts = text.split(separator: ":").compactMap { Int($0) }
                guard parts.count == 2 else { continue }
                let second = zone.clock(of: try #require(ours[event])).secondOfDay
                let difference = parts[0] * 60 + parts[1] - Int((second / 60).rounded())
                found.append((event, (difference + 2160) % 1440 - 720))
            }
        }
        return found
    }
}
