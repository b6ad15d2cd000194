/// One night, from sunset to the next sunrise, and the positions of Fajr and Isha in it.
struct Night: Sendable {
    let evening: SolarEvents
    let morning: SolarEvents
    let plan: CalculationPlan

    private var length: Double { morning.sunrise.seconds - evening.sunset.seconds }

    enum Side { case evening, morning }

    /// The share of the night, 0…1, that an angle may be away from sunset or sunrise at most.
    ///
    /// - Returns: `nil` when the rule leaves this night to the Sun.
    private func share(_ side: Side, angle: Double, isFound: Bool) -> Double? {
        switch plan.nightRule {
        case .none, .auto: return nil
        case .middleOfNight: return 0.5
        case .oneThird: return 1.0 / 3
        case .oneSeventh: return 1.0 / 7
        // No angle exceeds 30°, so the share is never more than half.
        case .twilightAngle: return angle / 60
        case .nearestLatitude:
            let own = side == .evening ? evening.solar : morning.solar
            let latitude = plan.substituteLatitude(own, angle: angle)
            if isFound, abs(latitude) >= abs(plan.observer.latitude) { return nil }
            return share(
                side, angle: angle, from: evening.solar, to: morning.solar,
                at: plan.observer.at(latitude: latitude))
        case .nearestDay:
            let own = side == .evening ? evening.solar : morning.solar
            let (depth, _) = plan.observer.extremes(declination: own.noonDeclinationDegrees)
            if isFound, depth >= angle + SubstituteDay.margin { return nil }
            guard let substitute = plan.nearestDay(to: own, angle: angle) else { return 0.5 }
            return share(side, angle: angle, from: substitute, to: substitute, at: plan.observer)
        case .frozen:
            let (own, half) =
                side == .evening ? (evening.solar, .evening) : (morning.solar, SolarDay.Half.morning)
            // For a Maghrib by an angle the night of Isha determines the source, so that both come from the Sun or both from
            // the rule.
            if isFound, own.crossing(.depression(angle), half, at: plan.observer).state == .found {
                return nil
            }
            return frozenShare(own, half, angle: angle)
        }
    }

    /// The position in this night of the last dark night's clock time, kept on its own side of the middle and no nearer to
    /// sunset or sunrise than a seventh of the night, because a night may become too short to contain that clock time.
    private func frozenShare(_ own: SolarDay, _ half: SolarDay.Half, angle: Double) -> Double {
        guard let x = plan.lastCrossing(before: own, angle: angle, half) else { return 0.5 }
        let seconds = own.instant(x).unixSeconds
        let taken =
            half == .evening ? seconds - evening.sunset.seconds : morning.sunrise.seconds - seconds
        return min(max(taken / length, 1.0 / 7), 0.5)
    }

    /// The position of the angle in another night. The same solar day passed twice provides both ends of its night.
    private func share(
        _ side: Side, angle: Double, from first: SolarDay, to second: SolarDay, at observer: Observer
    ) -> Double {
        let sunset = first.crossing(observer.sunsetTarget, .evening, at: observer)
        let sunrise = second.crossing(observer.sunriseTarget, .morning, at: observer)
        let twilight = (side == .evening ? first : second).crossing(
            .depression(angle), side == .evening ? .evening : .morning, at: observer)
        guard sunset.state == .found, sunrise.state == .found, twilight.state == .found else { return 0.5 }
        let isSameDay = first.index == second.index
        let gap = isSameDay ? 1 : second.origin - first.origin
        let length = gap + sunrise.x - sunset.x
        return (side == .evening ? twilight.x - sunset.x : sunrise.x - twilight.x) / length
    }

    /// Isha or Fajr by its angle, limited to the rule's share of the night.
    ///
    /// - Parameters:
    ///   - scale: for Maghrib's angle, the part of Isha's share that belongs to it.
    ///   - floor: Unix seconds that Isha must not precede: a Maghrib that a rule determined.
    func twilight(
        _ time: EventTime, _ side: Side, angle: Double, scale: Double = 1, floor: Double = -.infinity
    ) -> EventTime {
        guard length > 0 else { return time }  // also false without a sunset or a sunrise
        let from = side == .evening ? evening.sunset.seconds : morning.sunrise.seconds
        let direction = side == .evening ? 1.0 : -1.0
        let taken = (time.seconds - from) * direction / length
        let isInside = time.exists && taken > 0 && time.seconds > floor
        guard let share = share(side, angle: angle / scale, isFound: isInside) else { return time }
        if isInside, taken <= share * scale { return time }
        let reason = time.exists ? (isInside ? EventNote.Reason.lateInNight : .neverSoHigh) : time.note.reason
        return EventTime(
            seconds: from + direction * share * scale * length,
            note: EventNote(reason: reason, rule: plan.nightRule, value: Float(angle)))
    }

    /// Isha as minutes after Maghrib, but not past the middle of the night unless the rule is `none`.
    func interval(after maghrib: Double, minutes: Double, isRamadan: Bool) -> EventTime {
        let seconds = maghrib + minutes * 60
        guard seconds.isFinite else { return EventTime(note: EventNote(reason: .baseMissing)) }
        let middle = evening.sunset.seconds + length / 2
        if plan.nightRule != .none, length > 0, seconds > middle {
            return EventTime(
                seconds: middle,
                note: EventNote(reason: .longInterval, rule: .middleOfNight, value: Float(minutes)))
        }
        return EventTime(
            seconds: seconds,
            note: isRamadan ? EventNote(reason: .ramadan, value: Float(minutes)) : .none)
    }

    /// Fajr or Isha of a method with seasons: the time by the angle, but never further from sunrise or sunset than the season's
    /// minutes. From 55° of latitude, the Moonsighting Committee replaces the angle by a seventh of the night.
    func seasonal(_ time: EventTime, _ side: Side, _ season: Method.Season) -> EventTime {
        let from = side == .evening ? evening.sunset.seconds : morning.sunrise.seconds
        let direction = side == .evening ? 1.0 : -1.0
        guard length > 0 else { return time }
        let date = side == .evening ? evening.date : morning.date
        let minutes: Double
        var takesSeventh = false
        switch season {
        case .moonsighting:
            let season = MoonsightingSeason(date: date, latitude: plan.observer.latitude)
            minutes = side == .evening ? season.evening(plan.calculation.shafaq) : season.morning
            takesSeventh = abs(plan.observer.latitude) >= 55
        case .table(let table):
            // North of the table's town a night may be shorter than the table's two twilights.
            minutes = min(table.minutes(side, on: date), length / 120)
        }
        if takesSeventh, length / 7 <= minutes * 60 {
            return EventTime(seconds: from + direction * length / 7, note: EventNote(reason: .seventhOfNight))
        }
        let taken = (time.seconds - from) * direction
        if time.exists, !takesSeventh, taken > 0, taken <= minutes * 60 { return time }
        return EventTime(
            seconds: from + direction * minutes * 60,
            note: EventNote(reason: .season, value: Float(minutes)))
    }
}
