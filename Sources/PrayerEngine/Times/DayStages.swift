internal import Glibc

/// A day's events as they come about, step by step: what ``Timetable/explain(_:on:)`` tells and ``DayTimes``
/// keeps the end of.
struct DayStages: Sendable {
    /// Where the Sun puts them (sunset for a Maghrib without angle); no rule.
    var astronomical = EventSeconds()
    /// After the high-latitude rule.
    var ruled = EventSeconds()
    /// After the method's minutes.
    var offset = EventSeconds()
    /// After the user's minutes.
    var adjusted = EventSeconds()
    /// After rounding: the result.
    var final = EventSeconds()
    var notes = EventNotes()

    /// Imsak, ten minutes before Fajr: the usual precaution of timetables.
    static let imsakLead = 600.0

    /// - Parameters:
    ///   - before, today, after: three solar days in a row; the events are those of the middle one.
    ///   - isRamadan: whether the date is in Ramadan.
    ///   - zoneOffset: seconds east of UTC, for whole minutes of local time.
    init(before: Sky, today: Sky, after: Sky, plan: Plan, isRamadan: Bool, zoneOffset: Int) {
        let lastNight = Night(evening: before, morning: today, plan: plan)
        let tonight = Night(evening: today, morning: after, plan: plan)
        set(.sunrise, today.sunrise)
        set(.dhuhr, Mark(seconds: today.noon))
        set(.asr, today.asr)
        set(.sunset, today.sunset)
        setFajr(Self.fajr(today.fajr, lastNight, on: today.date), raw: today.fajr)
        let maghrib = Self.maghrib(today, tonight)
        set(.maghrib, maghrib)
        setIsha(today, tonight, maghrib: maghrib, isRamadan: isRamadan)
        setNightParts(tonight, nextFajr: Self.fajr(after.fajr, tonight, on: after.date))
        shift(plan.calculation)
        round(plan.calculation, zoneOffset: zoneOffset)
        restoreOrder()
    }

    private mutating func set(_ event: DayEvent, _ mark: Mark) {
        astronomical[event] = mark.note.rule == nil ? mark.seconds : .nan
        ruled[event] = mark.seconds
        notes[event] = mark.note
    }

    private static func fajr(_ mark: Mark, _ night: Night, on date: CivilDate) -> Mark {
        let method = night.plan.method
        if method.isSeasonal { return night.seasonal(mark, .morning) }
        var fajr = night.twilight(mark, .morning, angle: method.fajrAngle(on: date))
        if fajr.note.reason == .none, let earlier = method.earlierFajr, date < earlier.until {
            fajr.note = EventNote(reason: .earlierAngle, value: Float(earlier.angle))
        }
        return fajr
    }

    private mutating func setFajr(_ fajr: Mark, raw: Mark) {
        set(.fajr, fajr)
        astronomical[.fajr] = raw.seconds
        ruled[.imsak] = fajr.seconds - Self.imsakLead
        astronomical[.imsak] = raw.seconds - Self.imsakLead
        notes[.imsak] = fajr.note
    }

    private static func maghrib(_ today: Sky, _ night: Night) -> Mark {
        let method = night.plan.method
        guard method.maghribAngle > 0 else { return today.sunset }
        // Maghrib's share of the night is to Isha's as its angle is to Isha's, so that it always comes first.
        var ishaAngle = 18.0
        if case .angle(let angle) = method.isha { ishaAngle = angle }
        return night.twilight(
            today.maghrib, .evening, angle: method.maghribAngle, scale: method.maghribAngle / ishaAngle)
    }

    private mutating func setIsha(_ today: Sky, _ night: Night, maghrib: Mark, isRamadan: Bool) {
        let method = night.plan.method
        switch method.isha {
        case .angle(let angle):
            set(
                .isha,
                method.isSeasonal
                    ? night.seasonal(today.isha, .evening)
                    : night.twilight(
                        today.isha, .evening, angle: angle,
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

    /// Midnight and the last third, from the Sun's sunset and the next sunrise or Fajr, before any minutes
    /// are added.
    private mutating func setNightParts(_ night: Night, nextFajr: Mark) {
        let sunset = night.evening.sunset
        let sunrise = night.morning.sunrise
        let end = night.plan.calculation.effectiveMidnight == .standard ? sunrise : nextFajr
        set(.midnight, Self.part(1.0 / 2, from: sunset, to: end))
        set(.lastThird, Self.part(2.0 / 3, from: sunset, to: nextFajr))
    }

    private static func part(_ part: Double, from start: Mark, to end: Mark) -> Mark {
        guard start.exists, end.exists else { return Mark(note: EventNote(reason: .baseMissing)) }
        let isPlain = start.note.reason == .none && end.note.reason == .none
        return Mark(
            seconds: start.seconds + part * (end.seconds - start.seconds),
            note: isPlain ? .none : EventNote(reason: .derived))
    }

    private mutating func shift(_ calculation: Calculation) {
        for event in DayEvent.allCases {
            // Imsak keeps its distance from Fajr.
            let source = event == .imsak ? DayEvent.fajr : event
            offset[event] = ruled[event] + Double(calculation.method.offsets[source] * 60)
            adjusted[event] = offset[event] + Double(calculation.adjustments[source] * 60)
        }
    }

    private mutating func round(_ calculation: Calculation, zoneOffset: Int) {
        final = adjusted
        let rounding = calculation.effectiveRounding
        guard rounding != .none else { return }
        let roundsDown =
            calculation.rounding == nil && calculation.method.sunriseRoundsDown
        // Whole minutes of local time: before standard time, zones stood seconds apart.
        let shift = Double(zoneOffset % 60)
        for event in DayEvent.allCases {
            let minutes = (adjusted[event] + shift) / 60
            let whole: Double
            if rounding == .nearest {
                whole = (minutes + 0.5).rounded(.down)
            } else if event == .sunrise, roundsDown {
                whole = minutes.rounded(.down)
            } else {
                whole = minutes.rounded(.up)
            }
            final[event] = whole * 60 - shift
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

    /// Minutes and rounding must not make two events meet or change places: where they would, as on the
    /// shortest days and nights, the day keeps its exact instants.
    private mutating func restoreOrder() {
        guard !isOrdered(final) else { return }
        final = isOrdered(adjusted) ? adjusted : ruled
        for event in DayEvent.allCases where notes[event].reason == .none {
            notes[event].reason = .withheld
        }
    }
}
