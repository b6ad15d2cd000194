import PrayerEngine

/// One prayer of one day that is not called: it is then as one that is switched off, on that day alone.
extension DaemonState {
    mutating func skip(_ asked: SkipParameters, _ turn: inout Turn) throws(ControlError) -> SaidReply {
        // What has just become due was due before it was skipped.
        settle(&turn)
        let chosen = try occurrences(asked, now: turn.now, next: nextToCall)
        for one in chosen { try refuseIfPast(one, now: turn.now) }
        var skips = saved.toggles.skips
        // By a clock that nobody checked nothing is forgotten.
        if clock.synchronized {
            skips.forget(before: zone.civilDate(of: turn.now).adding(days: -PrayerSkips.daysKept))
        }
        var new: [Occurrence] = []
        for one in chosen where skips.insert(one.prayer, on: one.date) { new.append(one) }
        guard skips.count <= PrayerSkips.most else {
            throw .invalidTime(
                value: asked.date ?? "next",
                reason: "\(PrayerSkips.most) prayers are skipped already; take some back with adhanctl unskip"
            )
        }
        guard !new.isEmpty else {
            return SaidReply("\(text(chosen)) \(chosen.count == 1 ? "was" : "were") skipped already")
        }
        saved.toggles.skips = skips
        planCache.invalidate()
        // Its reminder may sound already, and what wakes people for it.
        fadeOut(
            because: "adhanctl skip",
            where: { job in
                let id = job.announcement.id
                return id.isPlanned && id.kind != .takbirat
                    && new.contains { $0.prayer == id.prayer && $0.date == id.date }
            }, &turn)
        let message = "\(text(new)) will not be called"
        turn.publish(.toggleChanged, .notice, "\(message) (adhanctl skip)")
        publishPlan(&turn)
        let toggles = saved.toggles
        let off = new.filter { !toggles.isEnabled($0.prayer, in: world.config) }
        return SaidReply(
            message, problems: off.map { "\($0.prayer.title) is switched off anyway" })
    }

    mutating func unskip(_ asked: SkipParameters, _ turn: inout Turn) throws(ControlError) -> SaidReply {
        settle(&turn)
        let chosen = try occurrences(asked, now: turn.now, next: nextSkipped)
        for one in chosen where !saved.toggles.skips.contains(one.prayer, on: one.date) {
            throw .nothingSet(what: "\(text([one])) is not skipped")
        }
        for one in chosen { saved.toggles.skips.remove(one.prayer, on: one.date) }
        planCache.invalidate()
        // A clock that was ahead may have recorded as skipped what is yet to come.
        for one in chosen {
            for call in calls(of: one) where call.at > turn.now && saved.outcome(of: call.id) == .skipped {
                saved.forget(call.id)
            }
        }
        let (toggles, now) = (saved.toggles, turn.now)
        let sentences = chosen.map { one in
            if !toggles.isEnabled(one.prayer, in: world.config) {
                return "\(text([one])) is no longer skipped, but it is switched off"
            }
            guard let call = calls(of: one).first(where: { $0.at > now }) else {
                return "\(text([one])) is no longer skipped, but its time is past"
            }
            return "\(text([one])) will be called at \(InstantText.minute(call.at, in: zone))"
        }
        let message = sentences.joined(separator: "; ")
        turn.publish(.toggleChanged, .notice, "\(message) (adhanctl unskip)")
        publishPlan(&turn)
        return SaidReply(message)
    }

    func skips(at now: Instant) -> [SkipDocument] {
        let today = zone.civilDate(of: now)
        return saved.toggles.skips.all.map { date, prayer in
            // The times of a few days are at hand; of others the date has to do.
            let isNear = (today.adding(days: -1)...today.adding(days: 2)).contains(date)
            let call = isNear ? calls(of: Occurrence(prayer: prayer, date: date)).first : nil
            return SkipDocument(
                date: date.description, prayer: prayer.rawValue, at: call.map { self.text($0.at) })
        }
    }

    /// The skips whose prayer is yet to come.
    func comingSkips(at now: Instant) -> [SkipDocument] {
        let today = zone.civilDate(of: now)
        return skips(at: now).filter { skip in
            guard let at = skip.at.flatMap(InstantText.parse) else {
                return CivilDate(skip.date).map { today < $0 } ?? false
            }
            return now < at
        }
    }

    // MARK: Which prayer of which day

    private struct Occurrence {
        let prayer: Prayer
        let date: CivilDate
    }

    /// `next`: which one is meant where no date is given.
    private func occurrences(
        _ asked: SkipParameters, now: Instant, next: (Prayer, Instant) throws(ControlError) -> Occurrence
    ) throws(ControlError) -> [Occurrence] {
        guard !asked.prayers.isEmpty else { throw .invalidParameter(parameter: "prayers") }
        var chosen: [Occurrence] = []
        for name in asked.prayers {
            let prayer = try prayer(name)
            guard let text = asked.date else {
                chosen.append(try next(prayer, now))
                continue
            }
            chosen.append(try occurrence(of: prayer, on: try dates(from: text, days: 1)[0]))
        }
        return chosen
    }

    private func occurrence(of prayer: Prayer, on date: CivilDate) throws(ControlError) -> Occurrence {
        if prayer == .jumua, !date.isFriday {
            throw .invalidTime(
                value: date.description,
                reason: "it is \(LocalText.long(date)), and \(Prayer.jumua.title) is on Fridays")
        }
        // On most Fridays Jumu'ah is called at Dhuhr's time, and is what somebody means by it.
        let isJumua = prayer == .dhuhr && !world.site.times.day(date).prayers.contains(.dhuhr)
        return Occurrence(prayer: isJumua ? .jumua : prayer, date: date)
    }

    /// The adhans of it: several on a Friday with several congregations.
    private func calls(of one: Occurrence) -> [Announcement] {
        DayPlan.announcements(
            on: world.site.times.day(one.date), config: world.config, toggles: saved.toggles
        ).map(\.announcement).filter { $0.isAdhan && $0.prayer == one.prayer }
    }

    private func isToCome(_ call: Announcement, after now: Instant) -> Bool {
        now < call.at
            && (saved.outcome(of: call.id)?.isFinal != true || saved.outcome(of: call.id) == .skipped)
    }

    private func nextToCall(_ prayer: Prayer, _ now: Instant) throws(ControlError) -> Occurrence {
        guard trust.trusted else {
            throw .invalidTime(
                value: "next", reason: "the clock is not set, so which one is next is unknown; name the date")
        }
        let today = zone.civilDate(of: now)
        for ahead in -1...8 {
            guard let one = try? occurrence(of: prayer, on: today.adding(days: ahead)) else { continue }
            if calls(of: one).contains(where: { isToCome($0, after: now) }) { return one }
        }
        throw .invalidTime(value: "next", reason: "\(prayer.title) does not occur in the coming week")
    }

    private func nextSkipped(_ prayer: Prayer, _ now: Instant) throws(ControlError) -> Occurrence {
        let skipped = saved.toggles.skips.all.filter {
            $0.prayer == prayer || prayer == .dhuhr && $0.prayer == .jumua
        }.map { Occurrence(prayer: $0.prayer, date: $0.date) }
        let today = zone.civilDate(of: now)
        guard
            let coming = skipped.first(where: { one in
                today < one.date || calls(of: one).contains { isToCome($0, after: now) }
            }) ?? (trust.trusted ? nil : skipped.first)
        else { throw .nothingSet(what: "\(prayer.title) is not skipped on any day to come") }
        return coming
    }

    private func refuseIfPast(_ one: Occurrence, now: Instant) throws(ControlError) {
        let calls = calls(of: one)
        let value = one.date.description
        guard one.date <= zone.civilDate(of: now).adding(days: 366) else {
            throw .invalidTime(value: value, reason: "it is more than a year ahead")
        }
        guard let last = calls.last else {
            throw .invalidTime(
                value: value, reason: "there is no \(one.prayer.title) on \(LocalText.long(one.date))")
        }
        guard !calls.contains(where: { isToCome($0, after: now) }) else { return }
        let title = text([one])
        if jobs.contains(where: { job in job.isToGoOn && calls.contains { $0.id == job.announcement.id } }) {
            throw .invalidTime(
                value: value, reason: "\(title) is being called now; \"adhanctl stop\" ends it")
        }
        let at = InstantText.minute(last.at, in: zone)
        let wasHeard = calls.contains { saved.outcome(of: $0.id)?.isHeard == true }
        throw .invalidTime(
            value: value,
            reason: wasHeard ? "\(title) was called at \(at) already" : "\(title) was at \(at), which is past"
        )
    }

    /// `Fajr on Tuesday 24 November 2026`
    private func text(_ chosen: [Occurrence]) -> String {
        chosen.map { "\($0.prayer.title) on \(LocalText.long($0.date))" }.joined(separator: ", ")
    }
}
