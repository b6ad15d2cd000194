import Announcements
import PrayerEngine
import Settings
import Texts

/// A mosque's rules for one day, as the checker understands them: only the kinds of rules that the settings here have.
struct MosqueReferencePlan {
    let date: CivilDate
    let sky: DayTimes
    let config: Config
    let hijri: HijriCalendar
    let zone: Zone
    let byHand: [Prayer: DayException]

    private var isMosque: Bool { !config.iqama.isEmpty }
    private var printed: [TimetableColumn: Int]? { isMosque ? ScenarioChoices.printed(on: date) : nil }

    /// Whether the timetable lacks the day and nothing is called then.
    var isSilenced: Bool { isMosque && printed == nil && config.missing == .silent }
    /// Whether a prayer is not called; one that was set by hand is called all the same.
    func isSilenced(_ prayer: Prayer) -> Bool { isSilenced && byHand[prayer]?.adhanMinutes == nil }
    var isFasting: Bool { hijri.date(date).month == 9 && config.ramadan.imsak != nil }
    var hasSlots: Bool { !config.jumua.slots.isEmpty }

    private func wall(_ minutes: Int) -> Instant { zone.instant(of: date, secondOfDay: Double(minutes) * 60) }

    /// The time that a person set for Jumu'ah, if it is Dhuhr under another name.
    private var fridaysDhuhr: DayException? { date.weekday == 5 && !hasSlots ? byHand[.jumua] : nil }

    func time(of event: DayEvent) -> Instant? {
        if event == .dhuhr, let minutes = fridaysDhuhr?.adhanMinutes { return wall(minutes) }
        let prayer = Prayer.allCases.first { $0.event == event && $0 != .jumua }
        if let minutes = prayer.flatMap({ byHand[$0]?.adhanMinutes }) { return wall(minutes) }
        if let minutes = printed?[.begins(event)] { return wall(minutes) }
        // The night before a day of Ramadan is Ramadan's.
        if event == .isha, config.ramadan.isha != nil, hijri.date(date.adding(days: 1)).month == 9 {
            return time(of: .maghrib).map { $0 + 7200 }
        }
        return sky[event]
    }

    /// The iqama: set by hand, printed, or by the only rules of the settings: minutes after the adhan, or a clock time.
    func iqama(of prayer: Prayer) -> Instant? {
        if prayer == .dhuhr, let minutes = fridaysDhuhr?.iqamaMinutes { return wall(minutes) }
        if let minutes = byHand[prayer]?.iqamaMinutes { return wall(minutes) }
        if let minutes = printed?[.iqama(prayer, slot: 1)] { return wall(minutes) }
        switch config.iqama.rules[prayer]?.at {
        case .after(nil, let minutes)?: return time(of: prayer.event).map { $0 + Double(minutes * 60) }
        case .after(let event?, let minutes)?: return time(of: event).map { $0 + Double(minutes * 60) }
        case .clock(let minutes)?: return wall(minutes)
        case nil: return nil
        }
    }

    // MARK: Friday

    func khutba(_ index: Int) -> Instant? {
        if index == 0, let minutes = byHand[.jumua]?.adhanMinutes { return wall(minutes) }
        guard case .clock(let minutes)? = config.jumua.slots[index].khutba else { return nil }
        return wall(minutes)
    }

    func standsOnFriday(_ index: Int) -> Instant? {
        if index == 0, let minutes = byHand[.jumua]?.iqamaMinutes { return wall(minutes) }
        switch config.jumua.slots[index].prayer {
        case .after(nil, let minutes)?: return khutba(index).map { $0 + Double(minutes * 60) }
        case .clock(let minutes)?: return wall(minutes)
        default: return nil
        }
    }

    func callOnFriday(_ index: Int) -> Instant? {
        switch config.jumua.slots[index].adhan {
        case .none: nil
        case .dhuhr: config.jumua.replacesDhuhr ? time(of: .dhuhr) : nil
        case .clock(let minutes): wall(minutes)
        case .beforeKhutba(let minutes): khutba(index).map { $0 - Double(minutes * 60) }
        }
    }

    // MARK: Ramadan and the feasts

    var wakes: [Instant] {
        guard isFasting, let fajr = time(of: .fajr) else { return [] }
        return config.ramadan.wake.compactMap {
            if case .after(.fajr, let minutes) = $0 { fajr + Double(minutes * 60) } else { nil }
        }.sorted()
    }

    var imsak: Instant? { isFasting ? time(of: .fajr).map { $0 - 600 } : nil }

    /// The takbirat come twenty minutes after a prayer: on the evening before al-Fitr, on that morning, and from the 9th to the
    /// 13th.
    var takbirat: [Instant] {
        guard !config.eid.takbiratSound.isEmpty else { return [] }
        let (today, tomorrow) = (hijri.date(date), hijri.date(date.adding(days: 1)))
        let isPilgrimage = today.month == 12 && (9...13).contains(today.day)
        var all: [Instant] = []
        if let fajr = time(of: .fajr),
            isPilgrimage || today.month == 10 && today.day == 1 && fajr + 1200 < wall(480)
        {
            // On the morning of al-Fitr, only before 08:00.
            all.append(fajr + 1200)
        }
        if let maghrib = time(of: .maghrib),
            isPilgrimage && today.day != 13 || tomorrow.month == 10 && tomorrow.day == 1
        {
            all.append(maghrib + 1200)
        }
        return all.sorted()
    }
}
