import Announcements
import PrayerEngine
import Protocol
import StateFile
import Texts
import Times

/// Skips one prayer of one day: it is treated as switched off on that day alone.
extension DaemonState {
    mutating func skip(_ asked: SkipParameters, _ batch: inout EffectBatch) throws(ControlError)
        -> ChangeReply
    {
        // A prayer that has just become due was due before it was skipped.
        reconcile(&batch)
        let chosen = try occurrences(asked, now: batch.now, next: nextToCall)
        for one in chosen { try refuseIfPast(one, now: batch.now) }
        var skips = saved.toggles.skips
        // An untrusted clock expires nothing.
        if clock.synchronized {
            skips.forget(before: zone.civilDate(of: batch.now).adding(days: -PrayerSkips.daysKept))
        }
        var new: [Occurrence] = []
        for one in chosen {
            let day = inputs.site.times.day(one.date)
            if !skips.contains(one.prayer, on: day) { new.append(one) }
            for name in day.names(of: one.prayer) { skips.insert(name, on: one.date) }
        }
        guard skips.count <= PrayerSkips.most else {
            throw .invalidTime(
                value: asked.date ?? "next",
                reason: "\(PrayerSkips.most) prayers are skipped already; take some back with adhanctl unskip"
            )
        }
        guard !new.isEmpty else {
            return ChangeReply("\(text(chosen)) \(chosen.count == 1 ? "was" : "were") skipped already")
        }
        saved.toggles.skips = skips
        planCache.invalidate()
        // The reminder or the wake-up of the skipped prayer may already sound.
        fadeOut(
            because: EndedBy(.toggle, "adhanctl skip"),
            where: { job in
                let id = job.announcement.id
                return id.isPlanned && id.isOfPrayer
                    && new.contains { $0.prayer == id.prayer && $0.date == id.date }
            }, &batch)
        let message = "\(text(new)) will not be called"
        batch.publish(.toggleChanged, .notice, "\(message) (adhanctl skip)")
        publishPlan(&batch)
        let toggles = saved.toggles
        let off = new.filter { !toggles.isEnabled($0.prayer, in: inputs.config) }
        return ChangeReply(
            message,
            problems: off.map { "\($0.prayer.title) is switched off anyway" } + muteNews(&batch))
    }

    mutating func unskip(_ asked: SkipParameters, _ batch: inout EffectBatch) throws(ControlError)
        -> ChangeReply
    {
        reconcile(&batch)
        let chosen = try occurrences(asked, now: batch.now, next: nextSkipped)
        for one in chosen where !isSkipped(one) {
            throw .nothingSet(what: "\(text([one])) is not skipped")
        }
        for one in chosen {
            for name in inputs.site.times.day(one.date).names(of: one.prayer) {
                saved.toggles.skips.remove(name, on: one.date)
            }
        }
        planCache.invalidate()
        // A clock that was ahead may have recorded coming announcements as skipped.
        for one in chosen {
            for call in calls(of: one) where call.at > batch.now && saved.outcome(of: call.id) == .skipped {
                saved.forget(call.id)
            }
        }
        // The scope of the mute may have changed as well.
        _ = muteNews(&batch)
        let message = chosen.map { prospect(of: $0, now: batch.now) }.joined(separator: "; ")
        batch.publish(.toggleChanged, .notice, "\(message) (adhanctl unskip)")
        publishPlan(&batch)
        return ChangeReply(message)
    }

    func skips(at now: Instant) -> [SkipDocument] {
        let today = zone.civilDate(of: now)
        return skipped.map { one in
            // The times of a few days are at hand; other days are named by their date.
            let isNear = (today.adding(days: -1)...today.adding(days: 2)).contains(one.date)
            let call = isNear ? calls(of: one).first : nil
            return SkipDocument(
                date: one.date.description, prayer: one.prayer.rawValue, at: call.map { self.text($0.at) })
        }
    }

    /// Everything that is skipped, under its name on that day: a Friday's Dhuhr may be its Jumu'ah.
    private var skipped: [Occurrence] {
        saved.toggles.skips.all.reduce(into: []) { all, skip in
            var one = Occurrence(prayer: skip.prayer, date: skip.date)
            if skip.prayer == .dhuhr, skip.date.isFriday,
                let named = try? occurrence(of: .dhuhr, on: skip.date)
            {
                one = named
            }
            if !all.contains(one) { all.append(one) }
        }
    }

    private func isSkipped(_ one: Occurrence) -> Bool {
        saved.toggles.skips.contains(one.prayer, on: inputs.site.times.day(one.date))
    }

    /// The skips whose prayer is still to come.
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

    private struct Occurrence: Equatable {
        let prayer: Prayer
        let date: CivilDate
    }

    /// The occurrence that `next` means where no date is given.
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
        // On most Fridays Jumu'ah is called at Dhuhr's time, so a person who names Dhuhr means it.
        let isJumua = prayer == .dhuhr && !inputs.site.times.day(date).prayers.contains(.dhuhr)
        return Occurrence(prayer: isJumua ? .jumua : prayer, date: date)
    }

    /// The adhans of an occurrence: several on a Friday with several congregations.
    private func calls(of one: Occurrence) -> [Announcement] { entries(of: one).map(\.announcement) }

    private func entries(of one: Occurrence) -> [PlannedAnnouncement] {
        DayPlan.announcements(
            on: inputs.site.times.day(one.date), site: inputs.site, config: inputs.config,
            toggles: saved.toggles
        ).filter { $0.announcement.isAdhan && $0.announcement.prayer == one.prayer }
    }

    /// The outcome to expect for a prayer of one day that is no longer skipped.
    private func prospect(of one: Occurrence, now: Instant) -> String {
        let name = text([one])
        guard let entry = entries(of: one).first(where: { $0.announcement.at > now }) else {
            let isOff = !saved.toggles.isEnabled(one.prayer, in: inputs.config)
            return "\(name) is no longer skipped, but \(isOff ? "it is switched off" : "its time is past")"
        }
        let at = InstantText.minute(entry.announcement.at, in: zone)
        guard let obstacle = whyUnheard(entry) else { return "\(name) will be called at \(at)" }
        return "\(name) is no longer skipped, but \(obstacle)"
    }

    private static let makesNoSound = "it is configured to make no sound"

    /// Why an adhan will be inaudible at its time, as things are now.
    private func whyUnheard(_ entry: PlannedAnnouncement) -> String? {
        let adhan = entry.announcement
        guard trust.trusted else { return "nothing is called until the clock is set" }
        guard inputs.placeProblem == nil else {
            return "nothing is called, because no place is set: run \"sudo \(PlaceProblem.fix)\""
        }
        if let reason = entry.reason { return "it is not called, because \(reason)" }
        guard entry.enabled else {
            return "it is switched off: \"adhanctl enable \(adhan.prayer.rawValue)\" switches it on"
        }
        if saved.mute?.silences(adhan, at: adhan.at) == true {
            return "it is muted: \"adhanctl unmute\" ends the mute"
        }
        if adhan.isSilent { return Self.makesNoSound }
        if let silent = silencing(adhan, at: adhan.at) { return "it will not be heard: \(silent.reason)" }
        return !hasOutputs && adhan.volumePercent == 0 ? Self.makesNoSound : nil
    }

    private func isToCome(_ call: Announcement, after now: Instant) -> Bool {
        now < call.at
            && (saved.outcome(of: call.id)?.isFinal != true || saved.outcome(of: call.id) == .skipped)
    }

    private func nextToCall(_ prayer: Prayer, _ now: Instant) throws(ControlError) -> Occurrence {
        try refuseByClock("next", "name the date, such as \"adhanctl skip \(prayer.rawValue) 2026-11-24\"")
        let today = zone.civilDate(of: now)
        for ahead in -1...8 {
            guard let one = try? occurrence(of: prayer, on: today.adding(days: ahead)) else { continue }
            if calls(of: one).contains(where: { isToCome($0, after: now) }) { return one }
        }
        throw .invalidTime(value: "next", reason: "\(prayer.title) does not occur in the coming week")
    }

    private func nextSkipped(_ prayer: Prayer, _ now: Instant) throws(ControlError) -> Occurrence {
        let skipped = skipped.filter { $0.prayer == prayer || prayer == .dhuhr && $0.prayer == .jumua }
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
        guard one.date <= zone.civilDate(of: trust.earliest(now, saved.clock)).adding(days: 366) else {
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
