package import PrayerEngine
package import Protocol
import Texts

/// adhand's times of some days, kept on disk for when it is away.
package struct CachedTimes: Codable, Equatable, Sendable {
    package let times: TimesDocument
    /// The time of the last answer from adhand, RFC 3339.
    package let asked: String

    /// Days that are kept, today included.
    package static let days = 14

    package init(_ times: TimesDocument, asked now: Instant) {
        self.times = times
        asked = InstantText.rfc3339(now, in: .utc)
    }

    /// The times of each day. An event that cannot be read counts as one that does not occur.
    package var events: [CivilDate: [DayEvent: Instant]] {
        var days: [CivilDate: [DayEvent: Instant]] = [:]
        for day in times.days {
            guard let date = CivilDate(day.date) else { continue }
            var events: [DayEvent: Instant] = [:]
            for event in DayEvent.allCases {
                events[event] = day.events[event.rawValue]?.wrappedValue.flatMap(InstantText.parse)
            }
            days[date] = events
        }
        return days
    }
}

extension DayWindows {
    /// The windows of a date from the events of it and of the next.
    package init(date: CivilDate, zone: Zone, events: (CivilDate) -> [DayEvent: Instant]) {
        let (own, next) = (events(date), events(date.adding(days: 1)))
        self.init(
            date: date, events: { own[$0] }, nextFajr: next[.fajr],
            day: PrayerWindow(start: zone.startOfDay(date), end: zone.startOfDay(date.adding(days: 1))))
    }
}

extension Today {
    package init(now: Instant, zone: Zone, windows: (CivilDate) -> DayWindows) {
        let date = zone.civilDate(of: now)
        self.init(
            now: now, yesterday: windows(date.adding(days: -1)), today: windows(date),
            tomorrow: windows(date.adding(days: 1)))
    }
}
