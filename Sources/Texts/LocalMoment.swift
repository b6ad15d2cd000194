package import PrayerEngine

/// A day, or a time of a day, by the clocks of a place that the caller knows.
package struct LocalMoment: Sendable, Equatable, CustomStringConvertible {
    package let date: CivilDate
    /// The time; `nil` for the whole day.
    package let secondOfDay: Int?

    package init(_ date: CivilDate, secondOfDay: Int? = nil) {
        self.date = date
        self.secondOfDay = secondOfDay
    }

    /// `2026-11-29`, `2026-11-29T08:00` or `2026-11-29T08:00:00`; a space may stand for the letter.
    package init?(_ text: String) {
        guard let date = CivilDate(text.prefix(10)) else { return nil }
        let rest = text.dropFirst(10)
        guard let separator = rest.first else {
            self.init(date)
            return
        }
        let clock = rest.dropFirst()
        guard "Tt ".contains(separator), [5, 8].contains(clock.utf8.count),
            let minutes = ClockText.parse(String(clock.prefix(5)))
        else { return nil }
        var seconds = 0
        if clock.utf8.count == 8 {
            let tail = clock.suffix(2)
            guard clock.dropFirst(5).first == ":", tail.utf8.allSatisfy({ (48...57).contains($0) }),
                let number = Int(tail), number < 60
            else { return nil }
            seconds = number
        }
        self.init(date, secondOfDay: minutes * 60 + seconds)
    }

    package var description: String {
        guard let secondOfDay else { return date.description }
        let parts = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60]
        return "\(date)T" + parts.map { InstantText.padded($0, 2) }.joined(separator: ":")
    }

    /// The instant at which it begins.
    package func beginning(in zone: Zone) -> Instant {
        zone.instant(of: date, secondOfDay: Double(secondOfDay ?? 0))
    }

    /// The instant at which it is over: a day at its end, a time at once.
    package func end(in zone: Zone) -> Instant {
        secondOfDay == nil ? zone.startOfDay(date.adding(days: 1)) : beginning(in: zone)
    }
}
