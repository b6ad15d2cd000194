import Announcements
import Envelope
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// Start, reload, changes of the zone, and the end.
extension DaemonState {
    mutating func start(_ batch: inout EffectBatch) {
        running = true
        // Running without a file is allowed, but is seldom intended.
        let isEmbedded = !inputs.lookedFor.isEmpty
        batch.publish(
            .daemonStarted, isEmbedded ? .warning : .info,
            "adhand \(adhandVersion) started for \(inputs.site.name)\(inputs.site.approximate ? " (approximate)" : ""), "
                + "configuration: \(inputs.configuration)")
        adopt(inputs, &batch)
        // A configuration that is not the box's own must not erase anything.
        if inputs.problem == nil, inputs.lookedFor.isEmpty { forgetOutputs(&batch) }
        reportConfigurationProblem(&batch)
        reportStateLoss(&batch)
        reportSettings(since: nil, &batch)
        leaveFleets(&batch)
        reportFleet(since: nil, &batch)
        reportPracticeNews(&batch)
        reportPlaceProblem(&batch)
        reportTimetableProblem(&batch)
        reconcile(&batch)
        if plannedDate == nil { publishPlan(&batch) }
        batch.add(.notifyService(.ready))
        checkDevices(&batch)
        tryTrials(&batch)
    }

    /// Records a sound that was audible when the program ended: it cannot continue while the clock is untrusted, and once the
    /// clock is right it is too late. Sounds that were never audible remain open.
    mutating func dropReplacedSounds(_ batch: inout EffectBatch) {
        let heard = saved.underway.filter { $0.startedAt != nil && !$0.isPlayed }
        saved.underway.removeAll { $0.startedAt != nil && !$0.isPlayed }
        for entry in heard {
            let announcement = announcement(of: entry).continuing(
                at: entry.scheduled, sounds: entry.sounds, cap: entry.cap)
            let reason =
                reasonNotToResume(entry)
                ?? "adhand ended while calling it, and the clock was wrong when adhand came back"
            recordInterrupted(announcement, entry, reason, &batch)
        }
    }

    /// Resumes or records the sound that an earlier run was calling when it ended: once, as soon as the clock can be trusted.
    mutating func resumeUnderway(_ batch: inout EffectBatch) {
        hasTakenUp = true
        let underway = saved.underway
        saved.underway = []
        let recent = plan(at: batch.now)
        for entry in underway {
            guard let startedAt = entry.startedAt ?? entry.endedBy.map({ _ in entry.aliveAt }) else {
                beginAgain(entry, &batch)
                continue
            }
            let planned = recent.first { $0.announcement.id == entry.id }
            let announcement = onOutputs(
                (planned?.announcement ?? announcement(of: entry)).continuing(
                    at: entry.scheduled, sounds: entry.sounds, cap: entry.cap), entry)
            if entry.isPlayed, !parts(of: announcement).isEmpty {
                takeUp(announcement, entry, at: 0, batch.now)
                continue
            }
            let isWanted = planned?.enabled ?? announcement.isSimulated
            // The position when the silence with which the device is started is over.
            let elapsed = batch.now + resumedLeadSeconds(of: announcement, entry) - startedAt
            if let reason = reasonNotToResume(announcement, entry, isWanted, at: elapsed, now: batch.now) {
                recordInterrupted(announcement, entry, reason, &batch)
            } else {
                resume(announcement, entry, at: elapsed, &batch)
            }
        }
    }

    /// Why an interrupted call is not resumed now, if there is a reason.
    private func reasonNotToResume(
        _ announcement: Announcement, _ entry: SavedState.Underway, _ isWanted: Bool, at elapsed: Double,
        now: Instant
    ) -> String? {
        if let reason = reasonNotToResume(entry) { return reason }
        if announcement.shares?.heard.isEmpty == true {
            return "adhand ended while calling it, and no output plays it now"
        }
        guard isWanted else { return "adhand ended while calling it, and it is switched off now" }
        if saved.mute?.silences(announcement, at: now) == true {
            return "adhand ended while calling it, and it is muted now"
        }
        let isOver = entry.durationSeconds.map { $0 <= elapsed } ?? false
        // It was played on an output that is ahead of the ear; elsewhere it may not have begun.
        let isAhead = entry.outputs.contains { $0.proof?.outcome == .played }
        guard elapsed >= (isAhead ? -Self.longestLeadSeconds : 0),
            now - entry.aliveAt <= Self.resumeWithinSeconds, !isOver
        else {
            return "adhand ended while calling it and came back too late to go on"
        }
        return nil
    }

    /// Why an interrupted call is not resumed, as far as that does not depend on the time.
    private func reasonNotToResume(_ entry: SavedState.Underway) -> String? {
        if let ending = entry.endedBy { return "ended by \(ending.who)" }
        guard entry.boot == boot else { return "the machine was started again while it was being called" }
        return nil
    }

    /// Restarts a call whose device never reported a beginning: nothing was heard, so it is resolved like any other.
    private mutating func beginAgain(_ entry: SavedState.Underway, _ batch: inout EffectBatch) {
        saved.forget(entry.id)
        batch.explain("\(entry.id): the program ended before a sound of it was heard; it is resolved again")
        let announcement = announcement(of: entry)
        if announcement.isSimulated { simulated.append(announcement) }
    }

    /// The announcement that an earlier run was calling, reconstructed from its identity when the plan no longer has it.
    private func announcement(of entry: SavedState.Underway) -> Announcement {
        if case .call(let name) = entry.id.kind, let date = entry.id.date,
            let place = inputs.config.calls.firstIndex(where: { $0.name == name })
        {
            return Announcement(inputs.config.calls[place], place: place, on: date, at: entry.scheduled)
        }
        return Announcement(entry.id, at: entry.scheduled, settings: inputs.config.settings(of: entry.id))
    }

    private mutating func resume(
        _ announcement: Announcement, _ entry: SavedState.Underway, at positionSeconds: Double,
        _ batch: inout EffectBatch
    ) {
        batch.explain("\(named(announcement)) goes on where it would be now", announcement)
        let job = takeUp(announcement, entry, at: positionSeconds, batch.now)
        batch.add(.cue(order(for: job)))
        batch.add(.start(token: job.token))
        lastAlive = batch.now
    }

    /// Restores the job of an interrupted call. A job that all outputs had played ends at once.
    @discardableResult
    private mutating func takeUp(
        _ announcement: Announcement, _ entry: SavedState.Underway, at positionSeconds: Double, _ now: Instant
    ) -> Job {
        saved.setOutcome(.playing, of: announcement.id, at: announcement.at)
        var continued = entry
        continued.aliveAt = now
        saved.underway.append(continued)
        let index = jobs.endIndex
        _ = add(announcement, .playing)
        jobs[index].startedAt = continued.startedAt
        jobs[index].calledAt = now
        jobs[index].notedDurationSeconds = entry.durationSeconds
        resumeParts(of: index, entry, at: positionSeconds, now: now)
        noteParts(of: announcement.id)
        return jobs[index]
    }

    private mutating func recordInterrupted(
        _ announcement: Announcement, _ entry: SavedState.Underway, _ reason: String,
        _ batch: inout EffectBatch
    ) {
        saved.setOutcome(.interrupted, of: announcement.id, at: announcement.at)
        batch.record(
            HistoryEntry(
                announcement, .interrupted, in: zone, startedAt: entry.startedAt, reason: reason,
                endedBy: entry.endedBy?.who, cause: entry.endedBy?.cause ?? .shutdown,
                source: source(of: announcement)))
        var fields = Notice.Fields(announcement, reason: reason)
        fields.cause = entry.endedBy?.cause ?? .shutdown
        batch.publish(
            .prayerInterrupted, entry.endedBy == nil ? .error : .notice, "\(announcement.title): \(reason)",
            fields)
    }

    /// Moves the silence before a sound when the clock is set: a sound that started by itself counts its silence in frames.
    mutating func shiftPreroll(by seconds: Double, _ batch: inout EffectBatch) {
        for index in jobs.indices where jobs[index].phase == .cued {
            jobs[index].startedAt = jobs[index].startedAt.map { $0 + seconds }
            for part in jobs[index].parts.indices {
                jobs[index].parts[part].startedAt = jobs[index].parts[part].startedAt.map { $0 + seconds }
            }
        }
        for index in jobs.indices where jobs[index].phase != .cued {
            jobs[index].waitLonger(by: seconds)
            jobs[index].heardUntil = jobs[index].heardUntil.map { $0 + seconds }
        }
        for job in jobs where job.phase == .cued { review(job, &batch) }
    }

    /// Prepares a sound again if the clock stepped back after it started by itself, because it would be heard early. The silence
    /// is as long as still fits, since the device is awake. A sound that is already audible has been called.
    mutating func review(_ job: Job, _ batch: inout EffectBatch) {
        let announcement = job.announcement
        guard let audibleFrom = job.startedAt, announcement.at - audibleFrom > Self.earlySeconds else {
            return
        }
        guard batch.now < audibleFrom else { return begin(announcement, &batch) }
        drop(job, &batch)
        let leftSeconds = announcement.at - batch.now
        guard leftSeconds < job.leadSeconds else { return }
        let newJob = add(announcement, .cued, within: leftSeconds)
        batch.add(.cue(order(for: newJob)))
    }

    /// Ends the program: fades out what plays, so that the next start resumes it.
    mutating func stop(_ batch: inout EffectBatch) {
        guard !stopping else { return }
        stopping = true
        saved.fleet.noteStop()
        batch.add(.notifyService(.stopping))
        batch.publish(.daemonStopping, .info, "adhand is stopping")
        for job in jobs {
            // A fade-out that has begun may have long to go.
            let seconds = job.phase == .cued ? 0 : Self.longestLastFadeSeconds
            batch.addUrgent(.stop(token: job.token, withinSeconds: seconds))
        }
        jobs.removeAll { $0.phase == .cued }
        publishCues(&batch)
        for index in jobs.indices where jobs[index].phase == .playing {
            jobs[index].phase = .stopping
            jobs[index].stoppedAt = batch.now
            if jobs[index].announcement.isTest {
                jobs[index].endedBy = EndedBy(.shutdown, "the end of adhand")
            } else {
                jobs[index].isToBeResumed = true
            }
        }
        noteAlive(now: batch.now, afterSeconds: 0)
        if jobs.isEmpty { batch.add(.exit) }
    }

    /// Fades out everything that sounds. A fade that the next start was to resume becomes an end.
    /// - Returns: a sentence about the outputs that are heard longer, for the caller.
    @discardableResult
    mutating func fadeOut(
        because ending: EndedBy, where condition: (Job) -> Bool = { _ in true }, _ batch: inout EffectBatch
    ) -> String {
        callWhatWasSent(where: condition, &batch)
        var echo = ""
        for index in jobs.indices where jobs[index].isToGoOn && condition(jobs[index]) {
            let isFading = jobs[index].phase == .stopping
            echo += jobs[index].echoText
            end(index, by: ending, at: batch.now)
            if isFading { continue }
            batch.addUrgent(.stop(token: jobs[index].token, withinSeconds: .infinity))
        }
        return echo
    }

    mutating func publishPlan(_ batch: inout EffectBatch) {
        let today = zone.civilDate(of: batch.now)
        plannedDate = today
        // No place is set, so no times are announced.
        guard inputs.placeProblem == nil else { return }
        ensurePlanned(batch.now)
        let prayers = DayPlan.prayers(
            on: today, site: inputs.site, config: inputs.config, toggles: saved.toggles)
        let list = prayers.map { entry in
            let off = entry.enabled ? "" : " (off)"
            return
                "\(entry.announcement.prayer.title) \(InstantText.minute(entry.announcement.at, in: zone))\(off)"
        }
        let next =
            nextAdhan(at: batch.now).map { "next is \(upcomingText($0, now: batch.now))" }
            ?? (trust.trusted ? "no prayer is enabled" : "nothing is called until the clock is set")
        batch.publish(.planComputed, .info, "\(today): \(list.joined(separator: ", ")); \(next)")
    }

    /// `Asr 14:31 in 2 h 5 min`
    func upcomingText(_ announcement: Announcement, now: Instant) -> String {
        let wait = announcement.at - now
        let length = LocalText.span(wait < 60 ? wait : (wait / 60).rounded() * 60)
        return "\(announcement.prayer.title) \(InstantText.minute(announcement.at, in: zone)) in \(length)"
    }
}
