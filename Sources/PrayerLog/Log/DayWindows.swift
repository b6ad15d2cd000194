package import PrayerEngine

/// The times of one day's five prayers at a place.
package struct DayWindows: Equatable, Sendable {
    package let date: CivilDate
    private let windows: [PrayerWindow]

    package subscript(prayer: DailyPrayer) -> PrayerWindow { windows[prayer.rawValue] }

    /// - Parameters:
    ///   - events: when the day's events are.
    ///   - nextFajr: with which the time of isha ends.
    ///   - day: from one midnight to the next. Where the sun gives a prayer no time, it may be prayed all day.
    package init(
        date: CivilDate, events: (DayEvent) -> Instant?, nextFajr: Instant?, day: PrayerWindow
    ) {
        self.date = date
        let ends: [[Instant?]] = [
            [events(.sunrise), events(.dhuhr)],
            [events(.asr), events(.maghrib)],
            [events(.maghrib), events(.isha)],
            [events(.isha), nextFajr],
            [nextFajr],
        ]
        windows = DailyPrayer.allCases.map { prayer in
            guard let start = events(prayer.event) else { return day }
            let end = ends[prayer.rawValue].compactMap(\.self).first { $0 > start }
            return PrayerWindow(start: start, end: end ?? max(day.end, start))
        }
    }

    /// The instant at which the last of the five prayers is missed, so that the day can be resolved.
    package var end: Instant { windows.map(\.end).max() ?? self[.isha].end }
}

/// Facts about now: the time, the place's date, and the windows of the days that may not be over yet.
package struct Today: Equatable, Sendable {
    package let now: Instant
    /// The date of the place's clocks.
    package let date: CivilDate
    package let yesterday: DayWindows
    package let today: DayWindows
    package let tomorrow: DayWindows

    package init(now: Instant, yesterday: DayWindows, today: DayWindows, tomorrow: DayWindows) {
        self.now = now
        date = today.date
        self.yesterday = yesterday
        self.today = today
        self.tomorrow = tomorrow
    }

    package enum Phase: Sendable { case upcoming, open, over }

    /// The windows of a day from yesterday to tomorrow; `nil` for all others.
    package func windows(_ date: CivilDate) -> DayWindows? {
        [yesterday, today, tomorrow].first { $0.date == date }
    }

    /// Whether a prayer's time is in the future, now, or over. Days before yesterday are over, whatever their isha.
    package func phase(_ slot: PrayerSlot) -> Phase {
        guard let window = windows(slot.date)?[slot.prayer] else {
            return slot.date < date ? .over : .upcoming
        }
        return now < window.start ? .upcoming : now < window.end ? .open : .over
    }

    /// The prayers whose time is now, the latest first: at high latitudes an isha after midnight may meet fajr.
    package var open: [PrayerSlot] {
        [yesterday, today].flatMap { day in
            DailyPrayer.allCases.filter { day[$0].contains(now) }.map { PrayerSlot(day.date, $0) }
        }.sorted { $1 < $0 }
    }

    /// The next prayer to come.
    package var next: (slot: PrayerSlot, at: Instant)? {
        [yesterday, today, tomorrow].flatMap { day in
            DailyPrayer.allCases.map { (slot: PrayerSlot(day.date, $0), at: day[$0].start) }
        }.filter { now < $0.at }.min { $0.at < $1.at }
    }
}
