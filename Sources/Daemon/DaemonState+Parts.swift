import Announcements
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// Handles parts that do not answer, and parts that are resumed after a restart.
extension DaemonState {
    /// ALSA's name for no sound. A machine that only counts has it on purpose; preflight and `doctor` report it.
    private static let noSound = "null"

    /// Whether a silent device matters: a job's part sounds on it now.
    package func caresForSilence(of device: String, token: Int, on output: String) -> Bool {
        guard device != Self.noSound else { return false }
        return jobs.contains { job in
            job.token == token
                && job.parts.contains {
                    $0.output == output && $0.device == device && $0.hasBegun && !$0.isOver
                }
        }
    }

    /// Seconds that a part has after its end by the clock to report that end; one that does not has failed.
    package static let answerSeconds = 10.0

    // MARK: Outputs that do not answer

    /// Ends parts that should have ended and do not report it: a stuck output must not delay anything else.
    mutating func endOverdueParts(_ batch: inout EffectBatch) {
        for token in jobs.map(\.token) {
            var isStopped = false
            while let index = jobs.firstIndex(where: { $0.token == token }),
                let part = jobs[index].parts.firstIndex(where: { part in
                    jobs[index].dueBy(part).map { $0 <= batch.now } ?? false
                })
            {
                let overdue = jobs[index].parts[part]
                devices.stuck.insert(overdue.output)
                // If the part answers later, it must not begin then.
                if !isStopped { batch.addUrgent(.stop(token: token, withinSeconds: 0)) }
                isStopped = true
                jobs[index].parts[part].isUnanswered = true
                let result = JobResult(unansweredAt: batch.now, overdue, reason: Self.unanswered)
                partEnded(index, part, result, &batch)
            }
        }
    }

    private static let unanswered = "did not answer"

    /// Stops a sound that another announcement takes over on the outputs where that one is not or cannot be played.
    mutating func stopWhatNothingTakesOver(_ batch: inout EffectBatch) {
        for index in jobs.indices where jobs[index].isTakenOver {
            for part in jobs[index].parts.indices {
                let (output, isOver) = (jobs[index].parts[part].output, jobs[index].parts[part].isOver)
                let isTaken = jobs.contains { job in
                    job.phase == .playing && job.parts.contains { $0.output == output && !$0.isOver }
                }
                guard !isOver, !isTaken, !jobs[index].parts[part].isStoppedAlone else { continue }
                jobs[index].parts[part].isStoppedAlone = true
                // Added after its own beginning: a start may resume the sound and have it taken over at once.
                batch.add(.stopPart(token: jobs[index].token, output: output))
            }
        }
    }

    /// Ends jobs whose last sound has travelled from their devices to the ear by now.
    mutating func endHeardJobs(_ batch: inout EffectBatch) {
        for token in jobs.map(\.token) {
            guard let index = jobs.firstIndex(where: { $0.token == token }) else { continue }
            endIfHeard(index, &batch)
        }
    }

    /// Timers for the moment at which the last of each sound that has left its devices is heard.
    func heardTimers(at now: Instant) -> [ArmedTimer] {
        jobs.compactMap { job in
            guard job.parts.allSatisfy(\.isOver), let heardUntil = job.heardUntil, heardUntil > now else {
                return nil
            }
            return ArmedTimer(purpose: .heardToItsEnd(id: job.announcement.id), at: heardUntil)
        }
    }

    /// One timer for each job of which a part may fail to answer.
    func overdueTimers(at now: Instant) -> [ArmedTimer] {
        jobs.compactMap { job in
            (job.parts.compactMap { job.dueBy($0) } + [job.clearsAt].compactMap(\.self)).filter { $0 > now }
                .min().map {
                    ArmedTimer(purpose: .partOverdue(id: job.announcement.id), at: $0)
                }
        }
    }

    /// Extends sounds and fades after sleep: they end later by as long as the machine slept.
    mutating func forgiveSleep(now: Instant) {
        for index in jobs.indices {
            let due = jobs[index].parts.compactMap { jobs[index].dueBy($0) }.min()
            guard let due else { continue }
            let job = jobs[index]
            let rest =
                job.phase == .stopping ? job.fadeSeconds : job.wholeDurationSeconds ?? Self.answerSeconds
            jobs[index].waitLonger(by: max(0, now + rest + Self.answerSeconds - due))
        }
    }

    // MARK: Outputs that were started ahead

    /// The job of an announcement if an output that is far from the ear was already started for it: its volume there was decided
    /// then, and is not decided again. A sound that has begun is played to its end.
    func begunAhead(_ announcement: Announcement) -> Job? {
        jobs.first { job in
            job.isNamed && job.phase == .cued && job.startedAt != nil
                && job.announcement.id == announcement.id && job.announcement.at == announcement.at
                && job.announcement.sounds == announcement.sounds
        }
    }

    /// Leaves out outputs that were silenced meanwhile and have not begun; those that have begun continue.
    mutating func leaveOutSilencedParts(_ batch: inout EffectBatch) {
        for index in jobs.indices where jobs[index].phase == .cued && jobs[index].startedAt != nil {
            let announcement = jobs[index].announcement
            guard let shares = announcement.shares else { continue }
            let present = planning.shares(of: announcement, at: announcement.at)
            let silenced = present.filter { share in
                share.isSilent && share.quiet != nil
                    && jobs[index].parts.contains {
                        $0.output == share.output && !$0.hasBegun && !$0.isOver
                    }
            }
            guard !silenced.isEmpty else { continue }
            for share in silenced {
                batch.addUrgent(.leaveOut(token: jobs[index].token, output: share.output))
                batch.explain(
                    "\(title(of: jobs[index], share.output)) is left out: it was silenced", announcement)
            }
            jobs[index].parts.removeAll { part in silenced.contains { $0.output == part.output } }
            jobs[index].announcement = announcement.on(
                shares.map { share in silenced.first { $0.output == share.output } ?? share })
        }
    }

    /// Marks announcements as called, and ended ones as ended, whose sound is already on its way to a distant loudspeaker.
    mutating func callWhatWasSent(where condition: (Job) -> Bool, _ batch: inout EffectBatch) {
        for job in jobs where job.phase == .cued && job.wasSent(at: batch.now) && condition(job) {
            begin(job.announcement, &batch)
        }
    }

    // MARK: Restarts

    /// Saves the position of each part.
    mutating func noteParts(of id: AnnouncementID) {
        guard let job = jobs.first(where: { $0.announcement.id == id && $0.phase != .cued }), job.isNamed
        else { return }
        let silenced = (job.announcement.shares ?? []).filter { $0.isSilent && $0.quiet != nil }
        saved.setUnderway(id) {
            $0.outputs = job.parts.map { .init($0) } + silenced.map { .init(silenced: $0) }
        }
    }

    /// Assigns a resumed announcement to the outputs that played it before the program ended, as far as they still exist.
    func onOutputs(_ announcement: Announcement, _ entry: SavedState.Underway) -> Announcement {
        guard hasOutputs else { return announcement }
        guard !entry.outputs.isEmpty else { return withVolumes(announcement, at: entry.scheduled) }
        let known = inputs.config.outputs.map(\.name)
        return announcement.on(
            known.compactMap { name in
                entry.outputs.first { $0.output == name }.map {
                    OutputShare(output: name, volumePercent: $0.volumePercent, quiet: $0.quiet)
                }
            })
    }

    /// The shortest time from now until an output is heard again.
    func resumedLeadSeconds(of announcement: Announcement, _ entry: SavedState.Underway) -> Double {
        guard hasOutputs else { return inputs.config.prerollSeconds }
        let ended = entry.outputs.filter { $0.proof?.outcome == .played }.map(\.output)
        return parts(of: announcement).filter { !ended.contains($0.output) }.map(\.leadSeconds).min() ?? 0
    }

    /// Resumes each unfinished part at the sound's present position, in step with the others; a part that failed is tried again.
    mutating func resumeParts(
        of index: Int, _ entry: SavedState.Underway, at positionSeconds: Double, now: Instant
    ) {
        guard jobs[index].isNamed else {
            jobs[index].parts[0].positionSeconds = positionSeconds
            jobs[index].parts[0].startedAt = entry.startedAt
            return
        }
        for part in jobs[index].parts.indices {
            let noted = entry.outputs.first { $0.output == jobs[index].parts[part].output }
            jobs[index].parts[part].startedAt = noted?.startedAt
            jobs[index].parts[part].device = noted?.device
            if let proof = noted?.proof, proof.outcome == .played {
                jobs[index].parts[part].end = .init(
                    outcome: .played, reason: proof.reason, result: nil, proof: proof)
            }
            let position = jobs[index].startedAt.map { now + jobs[index].parts[part].leadSeconds - $0 } ?? 0
            jobs[index].parts[part].positionSeconds = max(0, position)
            jobs[index].parts[part].prerollSeconds += max(0, -position)
        }
    }
}

extension Job {
    /// When the sound is over by the clock; `nil` while that is unknown.
    private var endByClock: Instant? {
        guard let startedAt, let wholeDurationSeconds else { return nil }
        return startedAt + wholeDurationSeconds + extraSeconds
    }

    /// Gives the devices more time, or less where `seconds` is negative: the clock was set, or the machine slept. A sound that no
    /// device has begun ends by the same clock by which it begins.
    mutating func waitLonger(by seconds: Double) {
        calledAt = calledAt.map { $0 + seconds }
        stoppedAt = stoppedAt.map { $0 + seconds }
        if startedAt != nil { extraSeconds += seconds }
    }

    /// When nothing waits for the job any more, although parts of it have not answered.
    var clearsAt: Instant? {
        guard parts.count > 1, parts.contains(where: \.isOver) else { return nil }
        switch phase {
        case .cued: return nil
        case .playing: return endByClock
        case .stopping: return fadeEnd
        }
    }

    /// Whether the sound is over by the clock, and only outputs that do not answer keep the job.
    func isOver(at now: Instant) -> Bool {
        clearsAt.map { $0 <= now } ?? false
    }

    /// When every fade is complete.
    private var fadeEnd: Instant? { stoppedAt.map { $0 + fadeSeconds } }

    /// Seconds from a stop until nothing is heard anywhere, with one second to spare.
    fileprivate var fadeSeconds: Double {
        (parts.map { $0.fadeOutSeconds + $0.latencySeconds }.max() ?? 0) + 1
    }

    /// Whether some of the sound has left a device, although it is not heard yet.
    func wasSent(at now: Instant) -> Bool {
        parts.contains {
            $0.hasBegun && !$0.isOver && $0.latencySeconds > 0 && now >= announcement.at - $0.latencySeconds
        }
    }

    /// `; "women" is heard 5.0 s longer`: a loudspeaker that is far from its device is heard after the stop.
    var echoText: String {
        parts.filter { !$0.isOver && $0.latencySeconds >= 0.5 }.map {
            "; \"\($0.output)\" is heard \(NumberText.decimals($0.latencySeconds, 1)) s longer"
        }.joined()
    }

    /// The instant by which a part must have reported its end; `nil` for a part that has, that has not begun before it is called,
    /// or that is the only output: systemd watches that one.
    func dueBy(_ part: OutputPart) -> Instant? {
        guard isNamed, phase != .cued || startedAt != nil, !part.isOver else { return nil }
        let late = DaemonState.answerSeconds
        // A sound that was ended does not last longer for that.
        if phase == .stopping {
            return [fadeEnd, endByClock].compactMap(\.self).min().map { $0 + late }
        }
        if let endByClock { return endByClock + late }
        // Nothing of it has sounded in this run: an output looks for a device as long as the announcement may be late.
        let patienceSeconds = max(announcement.lateGraceSeconds, wholeDurationSeconds ?? 0)
        guard !parts.contains(where: \.hasBegun) else { return nil }
        return calledAt.map { $0 + leadSeconds + patienceSeconds + late }
    }

    /// The proof of each output in the order of the configuration, including silent ones.
    var proofs: [OutputProof] {
        let heard = parts.compactMap { $0.end?.proof }
        guard let shares = announcement.shares else { return heard }
        let all = heard + shares.silenced
        return shares.compactMap { share in all.first { $0.name == share.output } }
    }
}
