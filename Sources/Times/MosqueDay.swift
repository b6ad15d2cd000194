import PrayerEngine
import Settings
import Texts

/// The events of a day at a mosque before its congregations: published, set by hand or set by a rule.
struct MosqueDay: Sendable {
    let computed: DayTimes
    let mosque: MosqueTimes
    let hijri: HijriCalendar
    let zone: Zone
    let published: PublishedDay?
    let exceptions: [Prayer: DayException]
    let sourcedTimes: [DayEvent: SiteDay.SourcedTime]
    /// Whether imsak keeps its distance from a Fajr that is published or set by hand, as from the computed one.
    let imsakFollowsFajr: Bool
    /// Whether Jumua and Dhuhr are one prayer, as on a Friday without congregations of its own.
    let jumuaIsDhuhr: Bool
    private let clock: SeasonClock

    var date: CivilDate { computed.date }

    init(
        _ computed: DayTimes, _ mosque: MosqueTimes, _ hijri: HijriCalendar, _ zone: Zone,
        _ clock: SeasonClock
    ) {
        self.computed = computed
        self.clock = clock
        self.mosque = mosque
        self.hijri = hijri
        self.zone = zone
        let date = computed.date
        published = mosque.table.published(on: date, in: zone)
        exceptions = mosque.exceptions[date]
        let hasSlots =
            computed.date.isFriday
            && (mosque.jumua.slots.contains { $0.validity.contains(date, clock) }
                || published?.cellMinutes.keys.contains(where: \.isFriday) == true)
        jumuaIsDhuhr = date.isFriday && !hasSlots
        var sourcedTimes: [DayEvent: SiteDay.SourcedTime] = [:]
        for event in TimetableColumn.events {
            if let at = published?.instant(of: event, in: zone) {
                sourcedTimes[event] = .init(at: at, origin: .published)
            }
        }
        for prayer in Prayer.allCases where prayer != .jumua || jumuaIsDhuhr {
            guard
                let at = exceptions[prayer]?.published(hasSlots: false).instant(of: prayer.event, in: zone)
            else { continue }
            sourcedTimes[prayer.event] = .init(at: at, origin: .exception)
        }
        if sourcedTimes[.isha] == nil, let rule = mosque.ramadan.isha, hijri.evening(of: date).isRamadan,
            let at = Self.instant(of: rule, on: date, zone, from: { sourcedTimes[$0]?.at ?? computed[$0] })
        {
            sourcedTimes[.isha] = .init(at: at, origin: .rule)
        }
        // A fast begins before the Fajr that is called. An imsak that was printed for another Fajr, or is after this one, would
        // make people eat into the day.
        if let printed = sourcedTimes[.imsak], let fajr = sourcedTimes[.fajr]?.at ?? computed[.fajr],
            printed.at >= fajr
        {
            sourcedTimes[.imsak] = nil
        }
        imsakFollowsFajr = sourcedTimes[.fajr] != nil && sourcedTimes[.imsak] == nil
        if let fajr = sourcedTimes[.fajr], imsakFollowsFajr, let sky = computed[.fajr],
            let imsak = computed[.imsak]
        {
            sourcedTimes[.imsak] = .init(at: fajr.at + (imsak - sky), origin: fajr.origin)
        }
        self.sourcedTimes = sourcedTimes
    }

    subscript(event: DayEvent) -> Instant? { sourcedTimes[event]?.at ?? computed[event] }

    /// The instant of a time such as `fajr-60m` or `13:30` on this day.
    func instant(of time: IqamaTime) -> Instant? {
        Self.instant(of: time, on: date, zone, from: { self[$0] })
    }

    private static func instant(
        of time: IqamaTime, on date: CivilDate, _ zone: Zone, from event: (DayEvent) -> Instant?
    ) -> Instant? {
        switch time {
        case .after(let name, let minutes): name.flatMap(event).map { $0 + Double(minutes * 60) }
        case .clock(let minutes): PublishedDay.instant(of: minutes, on: date, in: zone)
        }
    }

    func instant(minutes: Double) -> Instant {
        let whole = minutes.rounded(.down)
        return PublishedDay.instant(of: Int(whole), on: date, in: zone) + ((minutes - whole) * 60).rounded()
    }

    /// The instant of a congregation. Twenty minutes after the adhan are twenty minutes even in the night in which the clock is
    /// set.
    func instant(of time: IqamaCalendar.Time) -> Instant {
        let byClock = instant(minutes: time.minutes)
        guard let anchor = time.anchor, let start = self[anchor], let from = minutes(of: anchor) else {
            return byClock
        }
        let elapsed = start + (time.minutes - from) * 60
        return abs(elapsed - byClock) > 60 ? elapsed : byClock
    }

    private func minutes(of event: DayEvent) -> Double? {
        self[event].map { SunReference.minutes(of: $0, after: date, in: zone) }
    }

    var forIqama: IqamaCalendar.Events {
        var events: [DayEvent: Double] = [:]
        for event in DayEvent.allCases { events[event] = minutes(of: event) }
        var (cells, byHand) = ([Prayer: Double](), [Prayer: Double]())
        for prayer in TimetableColumn.prayers {
            let adhan = events[prayer.event].map { Int($0.rounded(.down)) }
            let column = TimetableColumn.iqama(prayer, slot: 1)
            cells[prayer] = published?.minutes(of: column, adhan: adhan).map(Double.init)
            let exception =
                (prayer == .dhuhr && jumuaIsDhuhr ? exceptions[.jumua] : nil) ?? exceptions[prayer]
            byHand[prayer] = exception?.published(hasSlots: false).minutes(of: column, adhan: adhan).map(
                Double.init)
        }
        return IqamaCalendar.Events(
            eventMinutes: events, publishedMinutes: cells, exceptionMinutes: byHand,
            isRamadan: hijri.date(date).isRamadan,
            isRamadanEvening: hijri.evening(of: date).isRamadan)
    }

    // MARK: Friday

    /// A cell or an exception of Friday; the exception wins.
    private func sourcedTime(_ column: TimetableColumn, _ fallback: IqamaTime?, after start: Instant?)
        -> SiteDay
        .SourcedTime?
    {
        let noon = minutes(of: .dhuhr).map { Int($0.rounded(.down)) }
        if let minutes = exceptions[.jumua]?.published(hasSlots: true).minutes(of: column, adhan: noon) {
            return .init(at: instant(minutes: Double(minutes)), origin: .exception)
        }
        if let minutes = published?.minutes(of: column, adhan: noon) {
            return .init(at: instant(minutes: Double(minutes)), origin: .published)
        }
        guard let fallback else { return nil }
        if case .after(nil, let minutes) = fallback {
            return (start ?? self[.dhuhr]).map { .init(at: $0 + Double(minutes * 60), origin: .rule) }
        }
        return instant(of: fallback).map { .init(at: $0, origin: .rule) }
    }

    var slots: [FridaySlot] {
        guard date.isFriday, !jumuaIsDhuhr else { return [] }
        let rules = mosque.jumua.slots
        var slots: [FridaySlot] = []
        for number in TimetableColumn.slots {
            let rule = number <= rules.count ? rules[number - 1] : nil
            if let rule, !rule.validity.contains(date, clock) { continue }
            let khutba = sourcedTime(.khutba(slot: number), rule?.khutba, after: nil)
            let prayer = sourcedTime(.jumuaIqama(slot: number), rule?.prayer, after: khutba?.at)
            guard rule != nil || khutba != nil || prayer != nil else { continue }
            var slot = FridaySlot(number: number, khutba: khutba, prayer: prayer, sound: rule?.sound)
            // Without a rule of its own the first congregation has Dhuhr's adhan.
            let adhan =
                rule?.adhan ?? (number == 1 && rules.isEmpty ? .dhuhr : JumuaSettings.Slot.FirstAdhan.none)
            slot.adhan =
                switch adhan {
                case .none: nil
                case .dhuhr: self[.dhuhr]
                case .clock(let minutes): instant(minutes: Double(minutes))
                case .beforeKhutba(let minutes): khutba.map { $0.at - Double(minutes * 60) }
                }
            // One adhan calls to all congregations that begin with it.
            if slots.contains(where: { $0.adhan == slot.adhan }) { slot.adhan = nil }
            slots.append(slot)
        }
        return slots
    }

    // MARK: Ramadan and the feasts

    var observances: Observances {
        let (today, evening) = (hijri.date(date), hijri.evening(of: date))
        var result = Observances()
        result.isFasting = today.isRamadan
        if today.isRamadan {
            result.wake = mosque.ramadan.wake.compactMap { instant(of: $0) }.sorted()
            if let rule = mosque.ramadan.imsak {
                // A printed imsak overrides the rule; an imsak that only follows a printed fajr does not.
                let printed = imsakFollowsFajr ? nil : sourcedTimes[.imsak]
                result.imsak =
                    printed ?? instant(of: rule).map { SiteDay.SourcedTime(at: $0, origin: .rule) }
            }
        }
        if evening.isRamadan { result.tarawih = mosque.ramadan.tarawih.flatMap { night($0) } }
        if evening.isInLastTenNights { result.qiyam = mosque.ramadan.qiyam.flatMap { night($0) } }
        if today.eid != nil {
            result.eidPrayers = mosque.eid.prayerMinutes.map { instant(minutes: Double($0)) }
        }
        if !mosque.eid.takbiratSound.isEmpty { result.takbirat = takbirat }
        return result
    }

    /// A clock time in the night that begins at this day's Isha.
    private func night(_ time: IqamaTime) -> Instant? {
        guard case .clock(let minutes) = time, let isha = self.minutes(of: .isha) else {
            return instant(of: time)
        }
        return instant(minutes: Double(minutes) + (Double(minutes) < isha - 120 ? 1440 : 0))
    }

    /// The takbirat: before al-Fitr from maghrib to the first prayer, at al-Adha from the 9th's Fajr to the 13th's Asr.
    private var takbirat: [Instant] {
        mosque.eid.takbirat.compactMap { time -> Instant? in
            guard let at = instant(of: time) else { return nil }
            let isEvening = self[.maghrib].map { $0 <= at } ?? false
            let day = hijri.date(date)
            if isEvening, hijri.date(date.adding(days: 1)).eid == .fitr { return at }
            if !isEvening, day.eid == .fitr {
                let end =
                    mosque.eid.prayerMinutes.first.map { instant(minutes: Double($0)) } ?? self[.sunrise]
                return end.map { at < $0 } == true ? at : nil
            }
            guard day.month == 12, (9...13).contains(day.day) else { return nil }
            if day.day == 9, let fajr = self[.fajr], at < fajr { return nil }
            return day.day == 13 && isEvening ? nil : at
        }.sorted()
    }
}

extension SiteDay {
    init(_ day: MosqueDay, _ calendar: IqamaCalendar) {
        self.init(computed: day.computed, sourcedTimes: day.sourcedTimes)
        row = day.published
        exceptions = day.exceptions
        imsakFollowsFajr = day.imsakFollowsFajr
        isMissing = !day.mosque.table.isEmpty && day.published == nil
        isSilenced = isMissing && day.mosque.missing == .silent
        jumuaIsDhuhr = day.jumuaIsDhuhr
        if !isSilent(.jumua) { slots = day.slots }
        slotsReplaceDhuhr = day.mosque.jumua.replacesDhuhr
        for prayer in TimetableColumn.prayers {
            if prayer == .dhuhr, !slots.isEmpty, slotsReplaceDhuhr { continue }
            if isSilent(prayer == .dhuhr && jumuaIsDhuhr ? .jumua : prayer) { continue }
            guard let time = calendar.time(of: prayer, on: date) else { continue }
            congregations[prayer] = SourcedTime(at: day.instant(of: time), origin: time.source.origin)
        }
        for (prayer, seconds) in day.mosque.beforeIqamaSeconds {
            // Friday's Dhuhr, under either name, has Dhuhr's congregation.
            guard let begins = self[prayer.event],
                let stands = congregations[prayer == .jumua ? .dhuhr : prayer],
                origin(of: prayer.event) != .exception
            else { continue }
            calls[prayer] = max(begins, stands.at - seconds)
        }
        if !slotsReplaceDhuhr {
            // Dhuhr's adhan calls to the congregation.
            for index in slots.indices where slots[index].adhan == call(of: .dhuhr) {
                slots[index].adhan = nil
            }
        }
        if !isSilenced { observances = day.observances }
    }
}

extension IqamaCalendar.Source {
    var origin: TimeOrigin {
        switch self {
        case .exception: .exception
        case .published: .published
        case .change, .season, .ramadan, .rule: .rule
        }
    }
}
