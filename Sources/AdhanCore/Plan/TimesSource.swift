package import PrayerEngine

/// Where the times of a site come from. They are computed, always; what the mosque says goes before that, event by event.
package struct TimesSource: Sendable, Equatable {
    package let computed: Timetable
    package let mosque: MosqueTimes
    package var table: PublishedTable { mosque.table }
    package var exceptions: DayExceptions { mosque.exceptions }

    package init(computed: Timetable, mosque: MosqueTimes = MosqueTimes()) {
        self.computed = computed
        self.mosque = mosque
    }

    package func day(_ date: CivilDate) -> SiteDay {
        if mosque.isPlain { return SiteDay(computed: computed.day(date)) }
        return days(from: date, count: 1)[0]
    }

    /// The times of days in a row, which are cheaper than one by one.
    package func days(from first: CivilDate, count: Int) -> [SiteDay] {
        guard count > 0 else { return [] }
        if mosque.isPlain { return computed.days(from: first, count: count).map { SiteDay(computed: $0) } }
        // A congregation that is set once a week looks at every day of that week.
        let margin = mosque.isWeekly ? 6 : 0
        let (hijri, zone) = (computed.calculation.hijri, computed.zone)
        var known: [CivilDate: MosqueDay] = [:]
        for day in computed.days(from: first.adding(days: -margin), count: count + 2 * margin) {
            known[day.date] = MosqueDay(day, mosque, hijri, zone)
        }
        let days = known
        let years = [first.year, first.adding(days: count).year]
        let calendar = IqamaCalendar(mosque.iqama, zone: zone, years: years) { date in
            days[date]?.forIqama ?? IqamaCalendar.Day(events: [:])
        }
        let clock = SeasonClock(zone: zone, years: years)
        return (0..<count).compactMap { index in
            days[first.adding(days: index)].map { SiteDay($0, calendar, clock) }
        }
    }
}

/// One day at a site: its times, and where each comes from.
package struct SiteDay: Sendable {
    package enum Origin: String, Sendable, Codable {
        case computed, published, rule, exception
    }

    /// A time that is not simply computed.
    package struct Said: Sendable, Equatable {
        package let at: Instant
        package let origin: Origin
    }

    package let computed: DayTimes
    /// What the timetable says of the day; `nil` where it says nothing.
    package var row: PublishedDay?
    package var exceptions: [Prayer: DayException] = [:]
    /// What goes before the computation.
    package let said: [DayEvent: Said]
    /// Whether the timetable does not have the day, and nothing is called then.
    package var isSilenced = false
    /// Whether there is a timetable that does not have the day.
    package var isMissing = false
    /// When congregations stand up. On a Friday with congregations of its own, Dhuhr's is only there if it is prayed.
    package var congregations: [Prayer: Said] = [:]
    /// Friday's own congregations.
    package var slots: [FridaySlot] = []
    /// Whether a Friday's slots stand in for Dhuhr.
    package var slotsReplaceDhuhr = true
    /// When an adhan that hangs on its congregation is called.
    package var calls: [Prayer: Instant] = [:]
    package var observances = Observances()

    init(computed: DayTimes, said: [DayEvent: Said] = [:]) {
        self.computed = computed
        self.said = said
    }

    package var date: CivilDate { computed.date }

    /// When an event is, whoever says so.
    package subscript(event: DayEvent) -> Instant? { said[event]?.at ?? computed[event] }

    package func origin(of event: DayEvent) -> Origin { said[event]?.origin ?? .computed }

    /// Why an event is not simply where the Sun puts it; `nil` when it is, and when somebody says when it is.
    package func note(for event: DayEvent) -> String? {
        said[event] == nil ? computed.note(for: event) : nil
    }

    /// When a prayer's adhan is called.
    package func call(of prayer: Prayer) -> Instant? { calls[prayer] ?? self[prayer.event] }

    /// The prayers of the day in order: on Fridays jumua stands in for dhuhr, unless dhuhr is prayed beside it.
    package var prayers: [Prayer] {
        guard date.isFriday, !slots.isEmpty, !slotsReplaceDhuhr else { return Prayer.prayers(on: date) }
        return [.fajr, .dhuhr, .jumua, .asr, .maghrib, .isha]
    }
}

/// One of Friday's congregations.
package struct FridaySlot: Sendable, Equatable {
    package let number: Int
    package var adhan: Instant?
    package var khutba: SiteDay.Said?
    package var prayer: SiteDay.Said?
    /// Of its adhan; `nil`: as the configuration says of jumua.
    package var sound: [String]?
}

/// What a day has besides its prayers.
package struct Observances: Sendable, Equatable {
    /// Whether its daylight is fasted in Ramadan.
    package var isFasting = false
    package var wake: [Instant] = []
    package var imsak: SiteDay.Said?
    package var tarawih: Instant?
    package var qiyam: Instant?
    package var eidPrayers: [Instant] = []
    package var takbirat: [Instant] = []
}
