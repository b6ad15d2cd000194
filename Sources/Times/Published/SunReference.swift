package import PrayerEngine

/// The Sun's own events on the days of a table, independent of any method: published times are compared with them.
package struct SunReference: Sendable {
    /// Minutes after the date's midnight by the wall clock; nil where there is no such event.
    package struct Events: Sendable {
        package var sunriseMinutes: Double?
        package var noonMinutes: Double?
        package var asrStandardMinutes: Double?
        package var asrHanafiMinutes: Double?
        package var sunsetMinutes: Double?

        package func minutes(of event: DayEvent, asr: AsrSchool) -> Double? {
            switch event {
            case .sunrise: sunriseMinutes
            case .dhuhr: noonMinutes
            case .asr: asr == .standard ? asrStandardMinutes : asrHanafiMinutes
            case .maghrib: sunsetMinutes
            default: nil
            }
        }
    }

    package let place: Place
    package let zone: Zone
    private var days: [Int: Events] = [:]

    /// The events that the Sun alone decides.
    package static let events: [DayEvent] = [.sunrise, .dhuhr, .asr, .maghrib]

    package init(place: Place, zone: Zone, dates: some Sequence<CivilDate>) {
        self.place = place
        self.zone = zone
        var calculation = Calculation(method: Method.named("mwl") ?? Method.all[0])
        calculation.rounding = Rounding.none
        calculation.highLatitude = .none
        calculation.asr = .standard
        let standard = ComputedTimes(place: place, calculation: calculation, zone: zone)
        calculation.asr = .hanafi
        let hanafi = ComputedTimes(place: place, calculation: calculation, zone: zone)
        for span in DateSpan.runs(Set(dates).sorted()) {
            let pairs = zip(
                standard.days(from: span.from, count: span.days),
                hanafi.days(from: span.from, count: span.days))
            for (day, other) in pairs {
                func minutes(_ instant: Instant?) -> Double? {
                    instant.map { Self.minutes(of: $0, after: day.date, in: zone) }
                }
                days[day.date.dayNumber] = Events(
                    sunriseMinutes: minutes(day[.sunrise]), noonMinutes: minutes(day[.dhuhr]),
                    asrStandardMinutes: minutes(day[.asr]), asrHanafiMinutes: minutes(other[.asr]),
                    sunsetMinutes: minutes(day[.sunset]))
            }
        }
    }

    package subscript(date: CivilDate) -> Events { days[date.dayNumber] ?? Events() }

    /// Minutes after a date's midnight at which clocks show an instant; beyond 0..<1440 on neighbouring days.
    package static func minutes(of instant: Instant, after date: CivilDate, in zone: Zone) -> Double {
        let clock = zone.clock(of: instant)
        return Double((clock.date.dayNumber - date.dayNumber) * 1440) + clock.secondOfDay / 60
    }

    /// Published minus computed minutes, −720..<720.
    package static func difference(_ published: Int, _ computed: Double) -> Double {
        let difference = Double(published) - computed
        return difference - (difference / 1440).rounded() * 1440
    }
}

/// The middle of some numbers.
package enum Median {
    package static func of(_ values: some Sequence<Double>) -> Double? {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
