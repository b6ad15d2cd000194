import Announcements
import PrayerEngine
import Protocol
import Settings
import StateFile

/// Turns a decision into a sound, or into a record of why there is none.
extension DaemonState {
    /// Calls an announcement now: starts what is cued, or has it prepared and started at once.
    mutating func begin(_ announcement: Announcement, _ batch: inout EffectBatch) {
        for index in jobs.indices
        where jobs[index].endedBy == nil && jobs[index].hasDevice
            && jobs[index].announcement.id != announcement.id
            && !jobs[index].hasTakenDevice(from: announcement)
        {
            end(index, by: EndedBy(.announcement, announcement.id.description), at: batch.now)
            jobs[index].isTakenOver = true
            // A sound that a start has resumed in this same event must not begin after the sound that takes over.
            if !jobs[index].parts.contains(where: \.hasBegun) {
                batch.add(.stop(token: jobs[index].token, withinSeconds: 0))
            }
        }
        cues.published.removeAll { $0.id == announcement.id }
        saved.setOutcome(.playing, of: announcement.id, at: announcement.at)
        batch.explain("\(named(announcement)) is due and called", announcement)
        if let index = jobs.firstIndex(where: { $0.phase == .cued && $0.announcement == announcement }) {
            jobs[index].phase = .playing
            jobs[index].calledAt = batch.now
            // A cued sound starts by itself at the instant. The explicit start is for a clock that jumped over the instant; that
            // call is late already, so the disk comes first.
            let start = Effect.start(token: jobs[index].token)
            let isPunctual = batch.now - announcement.at < Self.punctualSeconds
            if jobs[index].startedAt == nil {
                if isPunctual { batch.addUrgent(start) } else { batch.add(start) }
            }
        } else {
            let job = add(announcement, .playing, at: batch.now)
            batch.add(.cue(order(for: job)))
            batch.add(.start(token: job.token))
        }
        if !saved.underway.contains(where: { $0.id == announcement.id }) {
            saved.underway.append(.init(announcement, aliveAt: batch.now, boot: boot))
        }
        noteParts(of: announcement.id)
        lastAlive = batch.now
        // A device that was started early has already reported its beginning.
        if let index = jobs.firstIndex(where: { $0.announcement == announcement && $0.startedAt != nil }) {
            reportBegan(index, &batch)
        }
    }

    /// - Parameters:
    ///   - seconds: the time left for the silence with which devices are started; `nil`: as configured.
    ///   - now: the instant of a call made now: every output starts at once, with enough silence that all are heard together.
    mutating func add(
        _ announcement: Announcement, _ phase: Job.Phase, within seconds: Double? = nil,
        at now: Instant? = nil
    ) -> Job {
        tokens += 1
        var job = Job(
            token: tokens, announcement: announcement, phase: phase, parts: parts(of: announcement))
        job.calledAt = now
        if let seconds {
            for index in job.parts.indices {
                let left = max(0, seconds - job.parts[index].latencySeconds)
                job.parts[index].prerollSeconds = min(left, job.parts[index].prerollSeconds)
            }
        }
        if now != nil {
            let leadSeconds = job.leadSeconds
            for index in job.parts.indices {
                job.parts[index].prerollSeconds = leadSeconds - job.parts[index].latencySeconds
            }
        }
        jobs.append(job)
        return job
    }

    func order(for job: Job) -> JobOrder {
        let announcement = job.announcement
        let outputs = job.parts.filter { !$0.isOver }.map { part in
            part.order(
                limitSeconds: job.limitSeconds
                    ?? announcement.limitSeconds.map { max(0.1, $0 - part.positionSeconds) })
        }
        return JobOrder(
            token: job.token, prayer: announcement.prayer, sounds: announcement.sounds, outputs: outputs,
            fadeInSeconds: announcement.fadeInSeconds, patienceSeconds: announcement.lateGraceSeconds,
            heardAt: job.phase == .cued ? announcement.at : nil, strict: job.strict)
    }

    /// Records the outcome of an announcement that is not called, with the reason.
    mutating func resolve(
        _ announcement: Announcement, _ verdict: NotCalled, _ batch: inout EffectBatch
    ) {
        saved.setOutcome(verdict.outcome, of: announcement.id, at: announcement.at)
        saved.underway.removeAll { $0.id == announcement.id }
        withdraw(announcement, &batch)
        // An announcement that was due before this box was set up is not to be recorded.
        guard announcement.at >= saved.since else {
            return batch.explain(
                "\(named(announcement)) was due before this box was set up, so it is not recorded",
                announcement)
        }
        batch.record(
            HistoryEntry(announcement, verdict, in: zone, source: source(of: announcement)))
        batch.publish(.notCalled(announcement, verdict.outcome, verdict.reason, at: batch.now, in: zone))
    }

    /// Stops a prepared announcement, which would otherwise start by itself.
    private mutating func withdraw(_ announcement: Announcement, _ batch: inout EffectBatch) {
        for job in jobs where job.announcement.id == announcement.id && job.phase == .cued {
            drop(job, &batch)
        }
    }

    /// Handles a `silent` announcement: everything happens except the sound.
    mutating func resolveSilent(_ announcement: Announcement, _ batch: inout EffectBatch) {
        saved.setOutcome(.silent, of: announcement.id, at: announcement.at)
        withdraw(announcement, &batch)
        releaseCue(of: announcement, &batch)
        let reason = "its sound is \"silent\""
        batch.record(
            HistoryEntry(
                announcement, .silent, in: zone, startedAt: batch.now, reason: reason,
                source: source(of: announcement)))
        batch.publish(.reachedSilently(announcement, at: batch.now, in: zone))
    }

    /// Ends the sound for a person or an event. The state records it at once: a crash during the fade must not restore the sound.
    mutating func end(_ index: Int, by ending: EndedBy, at now: Instant) {
        jobs[index].phase = .stopping
        jobs[index].stoppedAt = jobs[index].stoppedAt ?? now
        jobs[index].endedBy = ending
        jobs[index].isToBeResumed = false
        saved.setUnderway(jobs[index].announcement.id) { $0.endedBy = ending }
    }
}
