package import PrayerEngine
import Protocol
import Texts

/// The home screen's lines, each as a list of entries with the instants from which they apply, as the page receives them.
package struct HomeScreen: Sendable, Equatable {
    package let days: [StateDocument.DayEntry]
    /// The cards by `fajr`, `sunrise`, `dhuhr`, `asr`, `maghrib`, `isha`.
    package let cards: [String: [StateDocument.CardEntry]]
    package let next: [StateDocument.NextEntry]
    package let fridays: [StateDocument.FridayEntry]
    /// The days on which people fast, whether announced or not.
    package let fasts: [StateDocument.FastEntry]

    /// Seconds for which sunrise stays on its card.
    private static let sunriseStaysSeconds = 900.0

    init(
        _ schedule: Schedule, _ sequences: [PrayerSequence], _ settings: DisplaySettings, from start: Instant,
        until end: Instant
    ) {
        days = Self.days(schedule, settings.hijriTurn, start, end)
        cards = Self.cards(schedule, sequences, start, end)
        next = Self.next(schedule, start, end)
        fridays = Self.fridays(schedule, sequences, start, end)
        fasts = Self.fasts(schedule, start, end)
    }

    /// The values that are shown between `start` and `end`; each applies until its instant.
    private static func rolling<Value, Result>(
        _ values: [(value: Value, until: Instant)], _ start: Instant, _ end: Instant,
        _ make: (_ from: Instant, Value) -> Result
    ) -> [Result] {
        var from = start
        var results: [Result] = []
        for (value, until) in values.sorted(by: { $0.until < $1.until }) where start < until && from < end {
            results.append(make(from, value))
            from = until
        }
        return results
    }

    private static func days(
        _ schedule: Schedule, _ turn: DisplaySettings.HijriTurn, _ start: Instant, _ end: Instant
    ) -> [StateDocument.DayEntry] {
        let zone = schedule.zone
        let first = zone.civilDate(of: start)
        var edges: [Instant] = [start]
        var date = first
        while zone.startOfDay(date) < end {
            edges.append(zone.startOfDay(date))
            date = date.adding(days: 1)
        }
        let maghribs = schedule.occasions.filter { $0.kind == .adhan && $0.prayer == .maghrib }
        if turn == .maghrib { edges += maghribs.map(\.at) }
        return Set(edges.filter { start <= $0 && $0 < end }).sorted().map { edge in
            let civil = zone.civilDate(of: edge)
            let isEvening =
                turn == .maghrib && maghribs.contains { $0.date == civil && $0.at <= edge }
            let hijri = schedule.hijri[civil.adding(days: isEvening ? 1 : 0)]
            return .init(
                from: schedule.text(edge), date: civil.description, weekday: civil.weekday,
                hijri: hijri.map { [$0.year, $0.month, $0.day] })
        }
    }

    private static func cards(
        _ schedule: Schedule, _ sequences: [PrayerSequence], _ start: Instant, _ end: Instant
    ) -> [String: [StateDocument.CardEntry]] {
        var cards: [String: [StateDocument.CardEntry]] = [:]
        for prayer: Prayer in [.fajr, .dhuhr, .asr, .maghrib, .isha] {
            let byDate = Dictionary(
                grouping: sequences.filter { $0.congregation.prayer.event == prayer.event }
            ) {
                $0.congregation.date
            }
            let shown = byDate.values.flatMap { sameDay in
                // If dhuhr is called beside Friday's congregation, its card shows dhuhr itself.
                let own = sameDay.filter { $0.congregation.prayer == prayer }
                return inTurn(own.isEmpty ? sameDay : own)
            }
            cards[prayer.rawValue] = rolling(shown, start, end) { from, sequence in
                let congregation = sequence.congregation
                let isKhutba = congregation.adhan == nil && congregation.khutba != nil
                return .init(
                    from: schedule.text(from), date: congregation.date.description,
                    at: schedule.text(congregation.beginning),
                    iqama: (congregation.iqama?.at).map(schedule.text),
                    jumua: congregation.prayer == .jumua, enabled: congregation.adhan?.isEnabled ?? false,
                    khutba: isKhutba ? true : nil)
            }
        }
        let sunrises = schedule.occasions.filter { $0.kind == .sunrise }
        cards["sunrise"] = rolling(sunrises.map { ($0, $0.at + sunriseStaysSeconds) }, start, end) {
            from, sunrise in
            .init(
                from: schedule.text(from), date: sunrise.date.description, at: schedule.text(sunrise.at),
                iqama: nil, jumua: false, enabled: false, khutba: nil)
        }
        return cards
    }

    /// The congregations of one prayer of a day: the card shows the first until it is over, then the second.
    private static func inTurn(_ congregations: [PrayerSequence]) -> [(value: PrayerSequence, until: Instant)]
    {
        var shown: [(value: PrayerSequence, until: Instant)] = []
        for one in congregations.sorted(by: { $0.congregation.slot < $1.congregation.slot })
        where shown.last.map({ $0.until < one.over }) ?? true {
            shown.append((one, one.over))
        }
        return shown
    }

    private static func next(_ schedule: Schedule, _ start: Instant, _ end: Instant) -> [StateDocument
        .NextEntry]
    {
        let awaited = schedule.occasions.filter { [.adhan, .khutba, .eid].contains($0.kind) }
        return rolling(awaited.map { ($0, $0.at) }, start, end) { from, occasion in
            let prayer = occasion.prayer ?? (occasion.kind == .khutba ? .jumua : nil)
            return .init(
                from: schedule.text(from), at: schedule.text(occasion.at), kind: occasion.kind.rawValue,
                prayer: prayer?.rawValue, slot: occasion.slot)
        }
    }

    private static func fridays(
        _ schedule: Schedule, _ sequences: [PrayerSequence], _ start: Instant, _ end: Instant
    ) -> [StateDocument.FridayEntry] {
        let byDate = Dictionary(
            grouping: sequences.filter { $0.congregation.prayer == .jumua }
        ) { $0.congregation.date }
        let fridays = byDate.values.map { slots in
            (value: slots, until: slots.map(\.over).max() ?? start)
        }
        return rolling(fridays, start, end) { from, slots in
            .init(
                from: schedule.text(from), date: slots[0].congregation.date.description,
                slots: slots.map(\.congregation).sorted { $0.slot < $1.slot }.map {
                    .init(
                        slot: $0.slot, adhan: ($0.adhan?.at).map(schedule.text),
                        khutba: ($0.khutba?.at).map(schedule.text), prayer: ($0.iqama?.at).map(schedule.text))
                })
        }
    }

    /// A day on which people fast.
    private struct Fast {
        let date: CivilDate
        let imsak: Instant?
        let iftar: Instant?
    }

    /// The days on which people fast.
    static func fasts(_ schedule: Schedule) -> Set<CivilDate> {
        Set(allFasts(schedule).map(\.value.date))
    }

    /// The fasts of all days, each until its iftar, which is maghrib: a separate occasion exists only if it has a sound.
    private static func allFasts(_ schedule: Schedule) -> [(value: Fast, until: Instant)] {
        let byDate = Dictionary(grouping: schedule.occasions, by: \.date)
        return byDate.compactMap { date, day -> (value: Fast, until: Instant)? in
            let called = day.first { $0.kind == .iftar }?.at
            let isRamadan = schedule.hijri[date].map { $0.month == Schedule.HijriDay.ramadan } ?? false
            let imsak =
                day.first { $0.kind == .imsak }?.at ?? (isRamadan ? schedule.imsak[date] : nil)
            guard isRamadan || imsak != nil || called != nil else { return nil }
            let iftar = called ?? day.first { $0.kind == .adhan && $0.prayer == .maghrib }?.at
            guard let until = iftar ?? imsak else { return nil }
            return (Fast(date: date, imsak: imsak, iftar: iftar), until)
        }
    }

    private static func fasts(
        _ schedule: Schedule, _ start: Instant, _ end: Instant
    ) -> [StateDocument.FastEntry] {
        rolling(allFasts(schedule), start, end) { from, fast in
            .init(
                from: schedule.text(from), date: fast.date.description, imsak: fast.imsak.map(schedule.text),
                iftar: fast.iftar.map(schedule.text))
        }
    }
}

extension Schedule {
    /// An instant as the page receives it.
    package func text(_ instant: Instant) -> String {
        InstantText.rfc3339(instant, in: zone, milliseconds: true)
    }
}
