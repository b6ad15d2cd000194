package import PrayerEngine
package import Settings
package import Texts

/// The source of a site's times: always computed, and overridden by the mosque for single events.
package struct TimesSource: Sendable, Equatable {
    package let computed: ComputedTimes
    package let mosque: MosqueTimes
    package var table: PublishedTimetable { mosque.table }
    package var exceptions: DayExceptions { mosque.exceptions }

    package init(computed: ComputedTimes, mosque: MosqueTimes = MosqueTimes()) {
        self.computed = computed
        self.mosque = mosque
    }

    package func day(_ date: CivilDate) -> SiteDay {
        if mosque.isPlain { return SiteDay(computed: computed.day(date)) }
        return days(from: date, count: 1)[0]
    }

    /// The times of consecutive days, which are cheaper together.
    package func days(from first: CivilDate, count: Int) -> [SiteDay] {
        guard count > 0 else { return [] }
        if mosque.isPlain { return computed.days(from: first, count: count).map { SiteDay(computed: $0) } }
        let known = mosqueDays(from: first, count: count)
        let calendar = iqamaCalendar(known, first, count)
        return (0..<count).compactMap { index in
            known[first.adding(days: index)].map { SiteDay($0, calendar) }
        }
    }

    /// The calendar of congregations for consecutive days.
    func iqamaCalendar(from first: CivilDate, count: Int) -> IqamaCalendar {
        iqamaCalendar(mosqueDays(from: first, count: count), first, count)
    }

    private func iqamaCalendar(_ known: [CivilDate: MosqueDay], _ first: CivilDate, _ count: Int)
        -> IqamaCalendar
    {
        let days = known.mapValues(\.forIqama)
        let years = [first.year, first.adding(days: count).year]
        return IqamaCalendar(mosque.iqama, zone: computed.zone, years: years) { date in
            days[date] ?? IqamaCalendar.Events(eventMinutes: [:])
        }
    }

    /// Days with their times. A congregation that is set once a week needs every day of that week.
    private func mosqueDays(from first: CivilDate, count: Int) -> [CivilDate: MosqueDay] {
        let margin = mosque.isWeekly ? 6 : 0
        let (hijri, zone) = (computed.calculation.hijri, computed.zone)
        let clock = SeasonClock(zone: zone, years: [first.year, first.adding(days: count).year])
        var known: [CivilDate: MosqueDay] = [:]
        for day in computed.days(from: first.adding(days: -margin), count: count + 2 * margin) {
            known[day.date] = MosqueDay(day, mosque, hijri, zone, clock)
        }
        return known
    }
}

/// One day at a site: its times, and their sources.
package struct SiteDay: Sendable {
    /// A time that is not simply computed.
    package struct SourcedTime: Sendable, Equatable {
        package let at: Instant
        package let origin: TimeOrigin

        package init(at: Instant, origin: TimeOrigin) {
            self.at = at
            self.origin = origin
        }
    }

    package let computed: DayTimes
    /// The timetable's entry for the day; `nil` where there is none.
    package var row: PublishedDay?
    package var exceptions: [Prayer: DayException] = [:]
    /// The times that override the computation.
    package let sourcedTimes: [DayEvent: SourcedTime]
    /// Whether the timetable lacks the day, so that only exceptions are called.
    package var isSilenced = false
    /// Whether Jumua is Dhuhr by another name, as on a Friday without congregations of its own.
    package var jumuaIsDhuhr = false
    /// Whether there is a timetable that lacks the day.
    package var isMissing = false
    /// The instants of congregations. On a Friday with congregations of its own, Dhuhr's is only there if it is prayed.
    package var congregations: [Prayer: SourcedTime] = [:]
    /// Friday's own congregations.
    package var slots: [FridaySlot] = []
    /// Whether a Friday's slots replace Dhuhr.
    package var slotsReplaceDhuhr = true
    /// The instants of adhans that are anchored to their congregations.
    package var calls: [Prayer: Instant] = [:]
    package var observances = Observances()
    /// Whether imsak follows a Fajr that is published or set by hand, and is not printed itself.
    package var imsakFollowsFajr = false

    init(computed: DayTimes, sourcedTimes: [DayEvent: SourcedTime] = [:]) {
        self.computed = computed
        self.sourcedTimes = sourcedTimes
        jumuaIsDhuhr = computed.date.isFriday
    }

    package var date: CivilDate { computed.date }

    /// The instant of an event, from any source.
    package subscript(event: DayEvent) -> Instant? { sourcedTimes[event]?.at ?? computed[event] }

    /// Whether a prayer is not called because the timetable lacks the day.
    package func isSilent(_ prayer: Prayer) -> Bool { isSilenced && exceptions[prayer]?.adhanMinutes == nil }

    /// The events that the timetable prints. An imsak that follows a published Fajr is not printed.
    package var published: [DayEvent] {
        TimetableColumn.events.filter {
            origin(of: $0) == .published && row?.cellMinutes[.begins($0)] != nil
                && !($0 == .imsak && imsakFollowsFajr)
        }
    }

    package func origin(of event: DayEvent) -> TimeOrigin { sourcedTimes[event]?.origin ?? .computed }

    /// Why an event differs from the Sun's own; `nil` when it does not, and when it was set explicitly.
    package func note(for event: DayEvent) -> String? {
        sourcedTimes[event] == nil ? computed.note(for: event) : nil
    }

    /// The instant of a prayer's adhan.
    package func call(of prayer: Prayer) -> Instant? { calls[prayer] ?? self[prayer.event] }

    /// The prayers of the day in order: on Fridays jumua replaces dhuhr, unless dhuhr is prayed beside it.
    package var prayers: [Prayer] {
        guard date.isFriday, !slots.isEmpty, !slotsReplaceDhuhr else { return Prayer.prayers(on: date) }
        return [.fajr, .dhuhr, .jumua, .asr, .maghrib, .isha]
    }
}

/// One of Friday's congregations.
package struct FridaySlot: Sendable, Equatable {
    package let number: Int
    package var adhan: Instant?
    package var khutba: SiteDay.SourcedTime?
    package var prayer: SiteDay.SourcedTime?
    /// The sound of its adhan; `nil`: as configured for jumua.
    package var sound: RotatingSound?

    package init(
        number: Int, adhan: Instant? = nil, khutba: SiteDay.SourcedTime? = nil,
        prayer: SiteDay.SourcedTime? = nil,
        sound: RotatingSound? = nil
    ) {
        self.number = number
        self.adhan = adhan
        self.khutba = khutba
        self.prayer = prayer
        self.sound = sound
    }
}

/// The observances of a day besides its prayers.
package struct Observances: Sendable, Equatable {
    /// Whether its daylight is a fasting day of Ramadan.
    package var isFasting = false
    package var wake: [Instant] = []
    package var imsak: SiteDay.SourcedTime?
    package var tarawih: Instant?
    package var qiyam: Instant?
    package var eidPrayers: [Instant] = []
    package var takbirat: [Instant] = []

    package init(
        isFasting: Bool = false, wake: [Instant] = [], imsak: SiteDay.SourcedTime? = nil,
        tarawih: Instant? = nil,
        qiyam: Instant? = nil, eidPrayers: [Instant] = [], takbirat: [Instant] = []
    ) {
        self.isFasting = isFasting
        self.wake = wake
        self.imsak = imsak
        self.tarawih = tarawih
        self.qiyam = qiyam
        self.eidPrayers = eidPrayers
        self.takbirat = takbirat
    }
}
