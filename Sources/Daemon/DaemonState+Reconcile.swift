import Announcements
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// Brings everything in line with the plan: calls or records announcements that are due, prepares the next ones, arms the rest.
extension DaemonState {
    mutating func reconcile(_ batch: inout EffectBatch) {
        checkClock(&batch)
        endOverdueParts(&batch)
        endHeardJobs(&batch)
        if trust.trusted, !stopping {
            notePlace(&batch)
            ensurePlanned(batch.now)
            let plan = plan(at: batch.now)
            let coming = plan.after(batch.now)
            reviveUpcoming(coming, &batch)
            resolveDue(plan, &batch)
            // The muted adhan may just have passed: an announcement that follows within seconds is prepared with sound.
            endMute(&batch)
            prepare(coming, &batch)
            startPreflights(coming, &batch)
            saved.resolvedThrough = batch.now
            if plannedDate != zone.civilDate(of: batch.now) {
                if plannedDate != nil {
                    reportConfigurationProblem(&batch)
                    reportStateLoss(&batch)
                    reportPracticeNews(&batch)
                    reportPlaceProblem(&batch)
                    reportTimetableProblem(atMidnight: true, &batch)
                }
                publishPlan(&batch)
            }
        } else {
            // A cued sound starts by itself, even by an untrusted clock.
            for job in jobs where job.phase == .cued { drop(job, &batch) }
            endMute(&batch)
        }
        stopWhatNothingTakesOver(&batch)
        endOutputMutes(&batch)
        readAgain(&batch)
        noteProblems(at: batch.now)
        noteAlive(now: batch.now)
        keepAwake(&batch)
        rearm(&batch)
        sendStatus(&batch)
    }

    /// Notes that no place is set: no prayer is called, so none is missed.
    private mutating func notePlace(_ batch: inout EffectBatch) {
        if inputs.placeProblem != nil {
            saved.isWithoutPlace = true
        } else if saved.isWithoutPlace {
            saved.isWithoutPlace = false
            saved.since = max(saved.since, batch.now)
        }
    }

    /// Computes the plan around `now`, from the oldest unresolved instant to the horizon.
    mutating func ensurePlanned(_ now: Instant) {
        planCache.ensurePlanned(
            after: earliest(at: now), through: now + Self.horizonSeconds, site: inputs.site,
            config: inputs.config,
            toggles: saved.toggles)
    }

    private func earliest(at now: Instant) -> Instant {
        max(now - Self.longestAbsenceSeconds, min(saved.resolvedThrough, now - 86_400))
    }

    /// The entries around `now` in order, including simulated ones.
    func plan(at now: Instant) -> ArraySlice<PlannedAnnouncement> {
        // A simulated announcement is called even without a place.
        let entries =
            inputs.placeProblem == nil
            ? planCache.entries(after: earliest(at: now), through: now + Self.horizonSeconds) : []
        guard !simulated.isEmpty else { return entries }
        let extra = simulated.map { PlannedAnnouncement(announcement: $0, enabled: true) }
        return (entries + extra).sorted { $0.announcement.at < $1.announcement.at }[...]
    }

    /// Reopens coming announcements that a clock that ran ahead may have recorded as missed.
    private mutating func reviveUpcoming(
        _ coming: ArraySlice<PlannedAnnouncement>, _ batch: inout EffectBatch
    ) {
        for entry in coming where saved.outcome(of: entry.announcement.id) == .missed {
            batch.explain("a clock that was ahead took it for missed; it is yet to come", entry.announcement)
            saved.forget(entry.announcement.id)
        }
    }

    /// Resolves every announcement whose instant has come: it is called, or recorded with the reason why not.
    private mutating func resolveDue(_ plan: ArraySlice<PlannedAnnouncement>, _ batch: inout EffectBatch) {
        var callable: [Announcement] = []
        // Collect everything unresolved before recording any of it: recording weeks of misses can evict older outcomes.
        // Collect no more than can be remembered, because an evicted outcome would be unresolved again.
        let past = plan.through(batch.now).suffix(HandledIds.mostAtOnce)
        let open = past.filter { entry in
            saved.outcome(of: entry.announcement.id) == nil && !isUnderway(entry.announcement)
                && !isWaiting(entry.announcement, now: batch.now)
        }
        // Outcomes of the last day must not be evicted either, because that day is examined again and again.
        if !open.isEmpty {
            saved.protect(plan.after(batch.now - 86_400).map(\.announcement.id))
        }
        for entry in open {
            let announcement = entry.announcement
            if let verdict = reasonNotToCall(entry, now: batch.now) {
                resolve(announcement, verdict, &batch)
            } else {
                callable.append(
                    begunAhead(announcement)?.announcement
                        ?? withVolumes(announcement, at: volumeInstant(announcement, now: batch.now)))
            }
        }
        call(callable, &batch)
        simulated.removeAll { saved.outcome(of: $0.id) != nil }
    }

    /// Calls one of several announcements that are due at once, unless it gives way to a sound that plays or is about to.
    private mutating func call(_ due: [Announcement], _ batch: inout EffectBatch) {
        guard let winner = Precedence.winner(of: due) else { return }
        // An iqama does not give way to its adhan: it waits. A silent announcement does not displace a call.
        let waiting = due.filter {
            $0.id.waits(for: winner.id) || $0.isCall && winner.isSilent && $0 != winner
        }
        for other in due where other != winner && !waiting.contains(other) {
            let verdict = Precedence.yielding(of: other, at: batch.now, to: .due(winner))
            resolve(other, verdict.map { NotCalled($0) } ?? NotCalled(.skipped, ""), &batch)
        }
        if let verdict = yielding(of: winner, now: batch.now) {
            resolve(winner, NotCalled(verdict), &batch)
            call(waiting, &batch)
        } else if winner.isSilent {
            resolveSilent(winner, &batch)
            call(waiting, &batch)
        } else {
            begin(winner, &batch)
        }
    }

    private func yielding(of announcement: Announcement, now: Instant) -> Precedence.Yielding? {
        let competitors = jobs.filter {
            $0.announcement.id != announcement.id && !$0.isOver(at: now)
        }.compactMap { job in
            switch job.phase {
            case .playing: Precedence.Competitor.sounding(job.announcement)
            case .cued:
                Precedence.Competitor.coming(
                    job.announcement, leadSeconds: job.leadSeconds + Self.giveWayLeadSeconds)
            // A call does not cut short a sound that fades out.
            case .stopping: announcement.isCall ? .sounding(job.announcement) : nil
            }
        }
        return competitors.lazy.compactMap { Precedence.yielding(of: announcement, at: now, to: $0) }.first
    }

    private func isUnderway(_ announcement: Announcement) -> Bool {
        jobs.contains { $0.announcement.id == announcement.id && $0.phase != .cued }
    }

    /// Whether the adhan of an iqama still sounds.
    private func isWaiting(_ announcement: Announcement, now: Instant) -> Bool {
        jobs.contains {
            $0.phase != .cued && announcement.id.waits(for: $0.announcement.id) && !$0.isOver(at: now)
        }
    }

    private func reasonNotToCall(_ entry: PlannedAnnouncement, now: Instant) -> NotCalled? {
        let announcement = entry.announcement
        if entry.isSkipped { return NotCalled(.skipped, DaemonState.skippedByHand, cause: .toggle) }
        if !entry.enabled {
            let byHand = saved.toggles.switches[announcement.prayer] != nil
            let place = byHand ? "switched off with adhanctl disable" : "switched off in the configuration"
            return NotCalled(.disabled, entry.reason ?? place)
        }
        if let mute = saved.mute,
            mute.silences(announcement, at: announcement.at)
        {
            return NotCalled(.muted, muteReason(mute))
        }
        if let twin = saved.handled.twin(of: announcement) {
            return NotCalled(
                .skipped, "the time zone or the date changed; it was dealt with already as \(twin)")
        }
        // The lateness of an iqama that waited for its adhan counts from the end of that adhan.
        let adhanEnd =
            lastAdhan.flatMap { announcement.id.waits(for: $0.id) ? $0.endedAt : nil }
            ?? jobs.first { announcement.id.waits(for: $0.announcement.id) }?.clearsAt
        let lateness = now - max(announcement.at, adhanEnd ?? announcement.at)
        let isLate = lateness > announcement.lateGraceSeconds + Self.punctualSeconds
        // An announcement that is too late for any call has the volumes of its own time.
        let at = isLate ? announcement.at : volumeInstant(announcement, now: now)
        let quiet = begunAhead(announcement) == nil ? silencing(announcement, at: at) : nil
        if isLate, let quiet { return quiet }
        if isLate {
            let grace = "later than the grace of \(LocalText.exactSpan(announcement.lateGraceSeconds)) allows"
            let why =
                announcement.at < startedAt && saved.resolvedThrough < announcement.at
                ? "adhand was not running"
                : "the machine slept, its clock was set, or the configuration changed"
            return NotCalled(
                .missed, "\(why); noticed \(LocalText.exactSpan(lateness)) after its time, \(grace)")
        }
        // It is in time to be called, but a mute silences it.
        if let mute = saved.mute, mute.silences(announcement, at: now) {
            return NotCalled(.muted, muteReason(mute))
        }
        return quiet
    }

    /// The reason in the history and the log when a prayer of one day is not called.
    static let skippedByHand = "skipped for this day with adhanctl skip"

    func muteReason(_ mute: Mute) -> String {
        if mute.scope == .next { return "the next adhan was muted" }
        return mute.until.map { "muted until \(InstantText.minute($0, in: zone))" } ?? "muted until unmuted"
    }

    /// Drops sounds that are no longer to be called as prepared, and prepares the next ones.
    private mutating func prepare(_ coming: ArraySlice<PlannedAnnouncement>, _ batch: inout EffectBatch) {
        leaveOutSilencedParts(&batch)
        let longestLeadSeconds = Self.cueLeadSeconds + longestOutputLeadSeconds
        let next = coming.prefix { $0.announcement.at - batch.now <= longestLeadSeconds }
        let near = next.filter(isToSound).map {
            begunAhead($0.announcement)?.announcement ?? withVolumes($0.announcement, at: $0.announcement.at)
        }
        // A prepared sound starts by itself, so a sound that would take the device from a more important one is not prepared.
        let soon = Precedence.audible(
            of: near,
            beside: jobs.filter { $0.phase == .playing && !$0.isOver(at: batch.now) }.map(\.announcement),
            leadSeconds: preparedLeadSeconds(of:)
        ).filter { $0.at - batch.now <= Self.cueLeadSeconds + leadSeconds(of: $0) }.filter { call in
            !call.isCall || !jobs.contains { $0.phase == .stopping && !$0.isOver(at: batch.now) }
        }
        for job in jobs where job.phase == .cued && !soon.contains(job.announcement) { drop(job, &batch) }
        for announcement in soon {
            if !jobs.contains(where: { $0.announcement.id == announcement.id }) {
                // A sound that waited for another one is not late because of a silence that only wakes the device up.
                let left = announcement.at - batch.now
                let job = add(announcement, .cued, within: batch.deviceIsAwake ? left : nil)
                batch.add(.cue(order(for: job)))
                batch.explain("\(named(announcement)): preparing \(soundText(announcement))", announcement)
            }
            if announcement.at - batch.now <= leadSeconds(of: announcement) + Self.giveWayLeadSeconds {
                giveWay(to: announcement, &batch)
            }
        }
    }

    /// Seconds before its instant at which an announcement takes the device. A sound that was prepared before a reload keeps its
    /// silence.
    private func preparedLeadSeconds(of announcement: Announcement) -> Double {
        let prepared = jobs.first { $0.phase == .cued && $0.announcement == announcement }
        return (prepared?.leadSeconds ?? leadSeconds(of: announcement)) + Self.giveWayLeadSeconds
    }

    /// Ends a sound that still plays or fades before the instant, not at it: an adhan's first sample does not wait for a fade.
    private mutating func giveWay(to announcement: Announcement, _ batch: inout EffectBatch) {
        for index in jobs.indices where jobs[index].isInTheWay(of: announcement) {
            jobs[index].hasGivenWay = true
            if jobs[index].phase == .playing {
                end(index, by: EndedBy(.announcement, announcement.id.description), at: batch.now)
            }
            batch.addUrgent(.stop(token: jobs[index].token, withinSeconds: Self.giveWayLeadSeconds / 3))
            batch.explain(
                "\(jobs[index].announcement.title) makes room for \(announcement.title)", announcement)
        }
    }

    mutating func drop(_ job: Job, _ batch: inout EffectBatch) {
        batch.addUrgent(.stop(token: job.token, withinSeconds: 0))
        jobs.removeAll { $0.token == job.token }
        batch.explain(
            "\(named(job.announcement)): what was prepared is dropped; it is no longer to be called like that",
            job.announcement)
    }

    /// Whether a coming announcement will make a sound, as things are now.
    func isToSound(_ entry: PlannedAnnouncement) -> Bool {
        let announcement = entry.announcement
        return entry.enabled && !announcement.isSilent && saved.outcome(of: announcement.id)?.isFinal != true
            && saved.mute?.silences(announcement, at: announcement.at) != true
            && (begunAhead(announcement) != nil || silencing(announcement, at: announcement.at) == nil)
    }

    mutating func noteAlive(now: Instant, afterSeconds: Double = aliveIntervalSeconds) {
        guard jobs.contains(where: \.isToGoOn) else {
            lastAlive = now
            return
        }
        guard now - lastAlive >= afterSeconds || now < lastAlive else { return }
        lastAlive = now
        for index in saved.underway.indices { saved.underway[index].aliveAt = now }
    }
}
