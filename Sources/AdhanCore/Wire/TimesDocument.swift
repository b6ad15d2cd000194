package import PrayerEngine

/// `times --format json`: the ten events of some days at one place.
package struct TimesDocument: Codable, Sendable, Equatable {
    package struct Location: Codable, Sendable, Equatable {
        package let name: String
        package let latitude: Double
        package let longitude: Double
        package let elevation: Double
        package let timezone: String
        package let approximate: Bool
    }

    package struct Calculation: Codable, Sendable, Equatable {
        package let method: String
        package let asr: String
        package let highLatitude: String
        package let rounding: String
        package let midnight: String
    }

    package struct Hijri: Codable, Sendable, Equatable {
        package let year: Int
        package let month: Int
        package let day: Int
        package let text: String
    }

    package struct Day: Codable, Sendable, Equatable {
        package let date: String
        package let hijri: Hijri
        /// An event that does not occur and has no rule to stand in for it is `null`.
        package let events: [String: Nullable<String>]
        package let notes: [String: String]
    }

    package let location: Location
    package let calculation: Calculation
    package let days: [Day]

    package init(site: Site, dates: some Sequence<CivilDate>) {
        let calculation = site.calculation
        location = Location(
            name: site.name, latitude: site.place.latitude, longitude: site.place.longitude,
            elevation: site.place.elevation, timezone: site.zone.name, approximate: site.approximate)
        self.calculation = Calculation(
            method: calculation.method.name, asr: calculation.asr.rawValue,
            highLatitude: calculation.highLatitude.rawValue, rounding: calculation.effectiveRounding.rawValue,
            midnight: calculation.effectiveMidnight.rawValue)
        days = dates.map { Self.day($0, site: site) }
    }

    private static func day(_ date: CivilDate, site: Site) -> Day {
        let times = site.times.day(date)
        var events: [String: Nullable<String>] = [:]
        var notes: [String: String] = [:]
        for event in DayEvent.allCases {
            let text = times[event].map {
                InstantText.rfc3339(
                    $0, in: site.zone, milliseconds: site.calculation.effectiveRounding == .none)
            }
            events[event.rawValue] = Nullable(wrappedValue: text)
            notes[event.rawValue] = times.note(for: event)
        }
        let hijri = site.calculation.hijri.date(date)
        return Day(
            date: date.description,
            hijri: Hijri(year: hijri.year, month: hijri.month, day: hijri.day, text: hijri.text),
            events: events, notes: notes)
    }
}
