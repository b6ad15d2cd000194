package import PrayerEngine
package import Settings
package import Texts

/// The times of iqamas, day by day. It asks for the day's events and needs no clock.
package struct IqamaCalendar: Sendable {
    /// The times of one day.
    package struct Events: Sendable, Equatable {
        /// Minutes after the date's midnight by the wall clock: published where available, else computed.
        package var eventMinutes: [DayEvent: Double]
        /// Published congregations, on the same scale.
        package var publishedMinutes: [Prayer: Double]
        /// Congregations that were set by hand for this day.
        package var exceptionMinutes: [Prayer: Double]
        package var isRamadan: Bool
        /// Whether the evening belongs to Ramadan, which begins and ends at maghrib.
        package var isRamadanEvening: Bool

        package init(
            eventMinutes: [DayEvent: Double], publishedMinutes: [Prayer: Double] = [:],
            exceptionMinutes: [Prayer: Double] = [:], isRamadan: Bool = false, isRamadanEvening: Bool? = nil
        ) {
            self.eventMinutes = eventMinutes
            self.publishedMinutes = publishedMinutes
            self.exceptionMinutes = exceptionMinutes
            self.isRamadan = isRamadan
            self.isRamadanEvening = isRamadanEvening ?? isRamadan
        }

        func isRamadan(at prayer: Prayer) -> Bool {
            prayer == .maghrib || prayer == .isha ? isRamadanEvening : isRamadan
        }
    }

    /// The source of a congregation's time; the first source with a time wins.
    package enum Source: String, Sendable, Equatable {
        case exception, published, change, ramadan, season, rule
    }

    package struct Time: Sendable, Equatable {
        /// Minutes after the date's midnight by the wall clock.
        package var minutes: Double
        package var source: Source
        /// Whether a person wrote this exact clock time.
        package var isClock: Bool
        /// The event of the same day from which the minutes are counted, if they are.
        package var anchor: DayEvent?
    }

    package let settings: IqamaSettings
    private let clock: SeasonClock
    private let day: @Sendable (CivilDate) -> Events

    package init(
        _ settings: IqamaSettings, zone: Zone, years: [Int] = [],
        day: @escaping @Sendable (CivilDate) -> Events
    ) {
        self.settings = settings
        clock = SeasonClock(zone: zone, years: years)
        self.day = day
    }

    package func events(on date: CivilDate) -> Events { day(date) }

    package func time(of prayer: Prayer, on date: CivilDate) -> Time? {
        let today = day(date)
        // A printed time, or one set by hand, is final: nothing rounds or limits it.
        if let minutes = today.exceptionMinutes[prayer] {
            return Time(minutes: minutes, source: .exception, isClock: true)
        }
        if let minutes = today.publishedMinutes[prayer] {
            return Time(minutes: minutes, source: .published, isClock: true)
        }
        guard let (at, source) = configured(prayer, date, today) else { return nil }
        var rule = settings.rules[prayer] ?? IqamaRule(at: at)
        rule.at = at
        guard let minutes = minutes(rule, prayer, date) else { return nil }
        var (isClock, anchor) = (false, DayEvent?.none)
        switch at {
        case .clock: isClock = true
        case .after(let event, _): anchor = rule.weekly == nil ? event ?? prayer.event : nil
        }
        return Time(minutes: minutes, source: source, isClock: isClock, anchor: anchor)
    }

    private func configured(_ prayer: Prayer, _ date: CivilDate, _ today: Events) -> (IqamaTime, Source)? {
        let changes = settings.changes.filter { $0.holds(on: date) && $0.times[prayer] != nil }
        if let at = changes.max(by: { $0.precedes($1) })?.times[prayer] { return (at, .change) }
        if today.isRamadan(at: prayer), let at = settings.ramadan[prayer] { return (at, .ramadan) }
        let season = settings.seasons.last { $0.times[prayer] != nil && $0.season.contains(date, clock) }
        if let at = season?.times[prayer] { return (at, .season) }
        return settings.rules[prayer].map { ($0.at, .rule) }
    }

    private func minutes(_ rule: IqamaRule, _ prayer: Prayer, _ date: CivilDate) -> Double? {
        guard let weekly = rule.weekly, case .after = rule.at else {
            return Self.minutes(rule.at, prayer, day(date)).map {
                Self.limited(
                    $0, rule, from: rule.notBefore.flatMap { Self.minutes($0, prayer, day(date)) },
                    until: rule.notAfter.flatMap { Self.minutes($0, prayer, day(date)) })
            }
        }
        let first = date.adding(days: -((date.weekday - weekly + 7) % 7))
        guard let base = Self.minutes(rule.at, prayer, day(first)) else { return nil }
        var (earliest, latest): (Double?, Double?) = (nil, nil)
        for index in 0..<7 {
            let other = first.adding(days: index)
            // A limit by the clock does not move when the clock is changed; a limit by the sun does.
            let shift = shift(from: first, to: other)
            func limit(_ time: IqamaTime?) -> Double? {
                time.flatMap { Self.minutes($0, prayer, day(other)) }.map { $0 - shift }
            }
            if let limit = limit(rule.notBefore) { earliest = max(earliest ?? limit, limit) }
            if let limit = limit(rule.notAfter) { latest = min(latest ?? limit, limit) }
        }
        // In the week in which the clock is set, the congregation moves with it as the sun does.
        return Self.limited(base, rule, from: earliest, until: latest) + shift(from: first, to: date)
    }

    private func shift(from first: CivilDate, to other: CivilDate) -> Double {
        func offset(_ date: CivilDate) -> Int {
            clock.zone.offset(at: clock.zone.instant(of: date, secondOfDay: 43_200))
        }
        return Double(offset(other) - offset(first)) / 60
    }

    private static func minutes(_ time: IqamaTime, _ prayer: Prayer, _ day: Events) -> Double? {
        switch time {
        case .after(let event, let minutes):
            return day.eventMinutes[event ?? prayer.event].map { $0 + Double(minutes) }
        case .clock(let minutes):
            // 00:15 for an isha at 23:50 is after midnight.
            guard let adhan = day.eventMinutes[prayer.event] else { return Double(minutes) }
            return Double(minutes) + ((adhan - Double(minutes)) / 1440).rounded() * 1440
        }
    }

    /// The rounded time within the limits; where rounding up exceeds them, it rounds down.
    private static func limited(_ minutes: Double, _ rule: IqamaRule, from: Double?, until: Double?) -> Double
    {
        var value = minutes
        if case .after = rule.at {
            value = rule.rounded(minutes, rule.rounding)
            if let until, value > until { value = rule.rounded(minutes, .down) }
        }
        if let until, value > until { value = until.rounded(.down) }
        if let from, value < from { value = from.rounded(.up) }
        return value
    }
}
