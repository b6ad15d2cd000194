// One day, stage by stage: the events of the Sun (`SolarEvents`), then the rules and the minutes that turn them
// into times (`DayStages`).

/// A day's events, computed step by step: ``ComputedTimes/explain(_:on:)`` returns all stages, and ``DayTimes`` keeps the last.
struct DayStages: Sendable {
    /// The times by the Sun alone, before any rule (sunset for a Maghrib without angle).
    var astronomical = EventSeconds()
    /// The times after the high-latitude rule.
    var ruled = EventSeconds()
    /// The times after the method's minutes.
    var offset = EventSeconds()
    /// The times after the user's minutes.
    var adjusted = EventSeconds()
    /// The times after rounding: the result.
    var final = EventSeconds()
    var notes = EventNotes()

    /// - Parameters:
    ///   - before, today, after: three solar days in a row; the events are those of the middle one.
    ///   - isRamadan: whether the date is in Ramadan.
    ///   - zoneOffset: seconds east of UTC, for whole minutes of local time.
    init(
        before: SolarEvents, today: SolarEvents, after: SolarEvents, plan: CalculationPlan, isRamadan: Bool,
        zoneOffset: Int
    ) {
        let lastNight = Night(evening: before, morning: today, plan: plan)
        let tonight = Night(evening: today, morning: after, plan: plan)
        set(.sunrise, today.sunrise)
        set(.dhuhr, EventTime(seconds: today.dhuhr))
        set(.asr, today.asr)
        set(.sunset, today.sunset)
        setFajr(Self.fajr(today.fajr, lastNight, on: today.date), raw: today.fajr, plan)
        let maghrib = Self.maghrib(today, tonight)
        set(.maghrib, maghrib)
        setIsha(today, tonight, maghrib: maghrib, isRamadan: isRamadan)
        setNightParts(tonight, nextFajr: Self.fajr(after.fajr, tonight, on: after.date))
        shift(plan, on: today.date, isRamadan: isRamadan)
        adjust(plan, zoneOffset: zoneOffset)
    }

    private mutating func set(_ event: DayEvent, _ time: EventTime) {
        astronomical[event] = time.note.rule == nil ? time.seconds : .nan
        ruled[event] = time.seconds
        notes[event] = time.note
    }

    private static func fajr(_ time: EventTime, _ night: Night, on date: CivilDate) -> EventTime {
        if let season = night.plan.season { return night.seasonal(time, .morning, season) }
        if let short = night.short(.morning, time) { return short }
        var fajr = night.twilight(time, .morning, angle: night.plan.fajrAngle(on: date))
        if fajr.note.reason == .none, let earlier = night.plan.earlierFajr(on: date) {
            fajr.note = EventNote(reason: .earlierAngle, value: Float(earlier.angle))
        }
        return fajr
    }

    private mutating func setFajr(_ fajr: EventTime, raw: EventTime, _ plan: CalculationPlan) {
        set(.fajr, fajr)
        astronomical[.fajr] = raw.seconds
        let lead = plan.imsakMinutes * 60
        ruled[.imsak] = fajr.seconds - lead
        astronomical[.imsak] = raw.seconds - lead
        notes[.imsak] = fajr.note
    }

    private static func maghrib(_ today: SolarEvents, _ night: Night) -> EventTime {
        let maghribAngle = night.plan.maghribAngle
        guard maghribAngle > 0 else { return today.sunset }
        // Maghrib's share of the night relates to Isha's as its angle does to Isha's, so that it always comes first.
        var ishaAngle = 18.0
        if case .angle(let angle) = night.plan.isha { ishaAngle = angle }
        return night.twilight(
            today.maghrib, .evening, angle: maghribAngle, scale: maghribAngle / ishaAngle)
    }

    private mutating func setIsha(_ today: SolarEvents, _ night: Night, maghrib: EventTime, isRamadan: Bool) {
        switch night.plan.isha {
        case .angle(let angle):
            set(
                .isha,
                night.plan.season.map { night.seasonal(today.isha, .evening, $0) }
                    ?? night.short(.evening, today.isha)
                    ?? night.twilight(
                        today.isha, .evening, angle: angle + night.plan.twilightDipDegrees,
                        floor: maghrib.note.rule == nil ? -.infinity : maghrib.seconds))
            astronomical[.isha] = today.isha.seconds
        case .minutes(let usual, let ramadan):
            let minutes = isRamadan ? ramadan : usual
            var isha = night.interval(
                after: maghrib.seconds, minutes: minutes, isRamadan: isRamadan && ramadan != usual)
            if isha.note.reason == .none, maghrib.note.reason != .none { isha.note.reason = .derived }
            set(.isha, isha)
            astronomical[.isha] = astronomical[.maghrib] + minutes * 60
        }
    }

    /// Sets midnight and the last third of one night, from the Sun's sunset to the next sunrise or Fajr, before any
    /// minutes are added.
    private mutating func setNightParts(_ night: Night, nextFajr: EventTime) {
        let sunset = night.evening.sunset
        let end =
            night.plan.calculation.effectiveMidnight == .standard ? night.morning.sunrise : nextFajr
        set(.midnight, Self.part(1.0 / 2, from: sunset, to: end))
        set(.lastThird, Self.part(2.0 / 3, from: sunset, to: end))
    }

    private static func part(_ part: Double, from start: EventTime, to end: EventTime) -> EventTime {
        guard start.exists, end.exists else { return EventTime(note: EventNote(reason: .baseMissing)) }
        let isPlain = start.note.reason == .none && end.note.reason == .none
        return EventTime(
            seconds: start.seconds + part * (end.seconds - start.seconds),
            note: isPlain ? .none : EventNote(reason: .derived))
    }

    private mutating func shift(_ plan: CalculationPlan, on date: CivilDate, isRamadan: Bool) {
        for event in DayEvent.allCases {
            // Imsak is shifted by the same minutes as Fajr.
            let source = event == .imsak ? DayEvent.fajr : event
            offset[event] =
                ruled[event] + plan.offset(of: source, on: date, isRamadan: isRamadan) * 60
        }
    }

    /// Adds the user's minutes, then rounds.
    mutating func adjust(_ plan: CalculationPlan, zoneOffset: Int) {
        for event in DayEvent.allCases {
            let source = event == .imsak ? DayEvent.fajr : event
            adjusted[event] = offset[event] + Double(plan.calculation.adjustments[source] * 60)
        }
        round(plan, zoneOffset: zoneOffset)
        restoreOrder()
    }

    /// Merges the times of a region's two points: the later of the two for imsak and the prayers; the mean of the two for
    /// sunrise, sunset and the parts of the night.
    mutating func combine(with other: DayStages, _ plan: CalculationPlan, zoneOffset: Int) {
        for event in DayEvent.allCases {
            switch event {
            case .imsak, .fajr, .dhuhr, .asr, .maghrib, .isha:
                guard other.adjusted[event] > adjusted[event] else { continue }
                astronomical[event] = other.astronomical[event]
                ruled[event] = other.ruled[event]
                offset[event] = other.offset[event]
                adjusted[event] = other.adjusted[event]
                notes[event] = other.notes[event]
            case .sunrise, .sunset, .midnight, .lastThird:
                astronomical[event] = (astronomical[event] + other.astronomical[event]) / 2
                ruled[event] = (ruled[event] + other.ruled[event]) / 2
                offset[event] = (offset[event] + other.offset[event]) / 2
                adjusted[event] = (adjusted[event] + other.adjusted[event]) / 2
            }
        }
        round(plan, zoneOffset: zoneOffset)
        restoreOrder()
    }

    private mutating func round(_ plan: CalculationPlan, zoneOffset: Int) {
        final = adjusted
        // Round to whole minutes of local time: before standard time, the offsets of zones included seconds.
        let shift = Double(zoneOffset % 60)
        for event in DayEvent.allCases {
            guard let rounding = plan.rounding(of: event) else { continue }
            final[event] = rounding((adjusted[event] + shift) / 60) * 60 - shift
        }
    }

    private static let chain: InlineArray<6, DayEvent> = [.fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha]

    private func isOrdered(_ seconds: EventSeconds) -> Bool {
        var last = -Double.infinity
        for index in 0..<6 {
            let value = seconds[Self.chain[index]]
            if value.isNaN { continue }
            if value <= last { return false }
            last = value
        }
        return true
    }

    /// Minutes and rounding must not make two events coincide or swap: where they would, as on the
    /// shortest days and nights, the day keeps its exact instants.
    private mutating func restoreOrder() {
        guard !isOrdered(final) else { return }
        final = isOrdered(adjusted) ? adjusted : ruled
        for event in DayEvent.allCases where notes[event].reason == .none {
            notes[event].reason = .withheld
        }
    }
}
