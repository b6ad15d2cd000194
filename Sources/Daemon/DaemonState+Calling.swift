import PrayerEngine
import Protocol
import Settings

/// From a decision to a sound, or to the record of why there is none.
extension DaemonState {
    /// Calls an announcement now: starts what is cued, or has it prepared and started at once.
    mutating func begin(_ announcement: Announcement, _ turn: inout Turn) {
        for index in jobs.indices
        where jobs[index].endedBy == nil && jobs[index].hasDevice
            && jobs[index].announcement.id != announcement.id
        {
            end(index, by: Ending(.announcement, announcement.id.description))
        }
        saved.setOutcome(.playing, of: announcement.id, at: announcement.at)
        turn.explain("\(named(announcement)) is due and called", announcement)
        if let index = jobs.firstIndex(where: { $0.phase == .cued && $0.announcement == announcement }) {
            jobs[index].phase = .playing
            // It starts by itself at the instant. Told to as well it is for a clock that leapt over the instant, and late as
            // it is then, the disk comes first.
            let start = Effect.start(token: jobs[index].token)
            let isPunctual = turn.now - announcement.at < Self.punctual
            if jobs[index].startedAt == nil {
                if isPunctual { turn.addUrgent(start) } else { turn.add(start) }
            }
        } else {
            let job = add(announcement, .playing)
            turn.add(.cue(order(for: job)))
            turn.add(.start(token: job.token))
        }
        if !saved.underway.contains(where: { $0.id == announcement.id }) {
            saved.underway.append(.init(announcement, aliveAt: turn.now, boot: boot))
        }
        lastAlive = turn.now
        // A device that was started ahead has said so already.
        if let index = jobs.firstIndex(where: { $0.announcement == announcement && $0.startedAt != nil }) {
            tellBegan(index, &turn)
        }
    }

    mutating func add(_ announcement: Announcement, _ phase: Job.Phase, preroll: Double? = nil) -> Job {
        tokens += 1
        let job = Job(
            token: tokens, announcement: announcement, phase: phase, preroll: preroll ?? world.config.preroll)
        jobs.append(job)
        return job
    }

    func order(for job: Job, limit: Double? = nil, strict: Bool = false) -> JobOrder {
        let config = world.config
        let announcement = job.announcement
        return JobOrder(
            token: job.token, prayer: announcement.prayer, sounds: announcement.sounds,
            volume: announcement.volume,
            devices: config.devices, preroll: job.preroll, fadeIn: announcement.fadeIn,
            position: job.position,
            limit: limit, patience: announcement.lateGrace,
            startAt: job.phase == .cued ? announcement.at - job.preroll : nil, strict: strict)
    }

    /// Records an announcement that is not called, and says why.
    mutating func account(
        for announcement: Announcement, _ outcome: Outcome, _ reason: String, _ turn: inout Turn
    ) {
        saved.setOutcome(outcome, of: announcement.id, at: announcement.at)
        saved.underway.removeAll { $0.id == announcement.id }
        takeBack(announcement, &turn)
        // What was due before this box was set up is not to be recorded.
        guard announcement.at >= saved.since else {
            return turn.explain(
                "\(named(announcement)) was before this box was set up: nobody's promise", announcement)
        }
        turn.record(
            HistoryEntry(announcement, outcome, in: zone, reason: reason, source: source(of: announcement)))
        turn.publish(.notCalled(announcement, outcome, reason, at: turn.now, in: zone))
    }

    /// What is prepared for an announcement starts by itself, unless it is stopped.
    private mutating func takeBack(_ announcement: Announcement, _ turn: inout Turn) {
        for job in jobs where job.announcement.id == announcement.id && job.phase == .cued {
            drop(job, &turn)
        }
    }

    /// `silent` does everything but make a sound.
    mutating func accountSilent(_ announcement: Announcement, _ turn: inout Turn) {
        saved.setOutcome(.silent, of: announcement.id, at: announcement.at)
        takeBack(announcement, &turn)
        let reason = "its sound is \"silent\""
        turn.record(
            HistoryEntry(
                announcement, .silent, in: zone, startedAt: turn.now, reason: reason,
                source: source(of: announcement)))
        turn.publish(.reachedSilently(announcement, at: turn.now, in: zone))
    }

    /// Somebody or something ends what sounds. The state knows at once: a crash during the fade must not bring it back.
    mutating func end(_ index: Int, by ending: Ending) {
        jobs[index].phase = .stopping
        jobs[index].endedBy = ending
        jobs[index].isToBeResumed = false
        saved.setUnderway(jobs[index].announcement.id) { $0.endedBy = ending }
    }
}
