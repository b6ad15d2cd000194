import Announcements
import PrayerEngine
import Protocol
import Settings
import Texts

/// Parts that do not answer, and parts that go on after a restart.
extension DaemonState {
    /// ALSA's own name for no sound. Whoever configures it, as a machine does that only counts, wants none, and hears so from the
    /// preflight and from `doctor`.
    private static let noSound = "null"

    /// Whether it matters if this device is silent: a job's part sounds on it now.
    package func caresForSilence(of device: String, token: Int, on output: String) -> Bool {
        guard device != Self.noSound else { return false }
        return jobs.contains { job in
            job.token == token
                && job.parts.contains {
                    $0.output == output && $0.device == device && $0.hasBegun && !$0.isOver
                }
        }
    }

    /// Seconds after its end by the clock at which a part that has not said how it ended has failed.
    package static let answerSeconds = 10.0

    // MARK: Outputs that do not answer

    /// Ends parts that should have ended and say nothing: a stuck output keeps nothing else waiting.
    mutating func endOverdueParts(_ batch: inout EffectBatch) {
        for token in jobs.map(\.token) {
            var isStopped = false
            while let index = jobs.firstIndex(where: { $0.token == token }),
                let part = jobs[index].parts.firstIndex(where: { part in
                    jobs[index].dueBy(part).map { $0 <= batch.now } ?? false
                })
            {
                let overdue = jobs[index].parts[part]
                stuckOutputs.insert(overdue.output)
                // Should it wake up, it is not to begin then.
                if !isStopped { batch.addUrgent(.stop(token: token, withinSeconds: 0)) }
                isStopped = true
                jobs[index].parts[part].isUnanswered = true
                let result = JobResult(unansweredAt: batch.now, overdue, reason: Self.unanswered)
                partEnded(index, part, result, &batch)
            }
        }
    }

    private static let unanswered = "did not answer"

    /// A sound that another announcement takes over goes on where that one is not played, or cannot be: there it is stopped.
    mutating func stopWhatNothingTakesOver(_ batch: inout EffectBatch) {
        for index in jobs.indices where jobs[index].isTakenOver {
            for part in jobs[index].parts.indices {
                let (output, isOver) = (jobs[index].parts[part].output, jobs[index].parts[part].isOver)
                let isTaken = jobs.contains { job in
                    job.phase == .playing && job.parts.contains { $0.output == output && !$0.isOver }
                }
                guard !isOver, !isTaken, !jobs[index].parts[part].isStoppedAlone else { continue }
                jobs[index].parts[part].isStoppedAlone = true
                // Behind its own beginning: a start may resume it and have it taken over at once.
                batch.add(.stopPart(token: jobs[index].token, output: output))
            }
        }
    }

    /// Ends what has come from its devices to the ear by now.
    mutating func endHeardJobs(_ batch: inout EffectBatch) {
        for token in jobs.map(\.token) {
            guard let index = jobs.firstIndex(where: { $0.token == token }) else { continue }
            endIfHeard(index, &batch)
        }
    }

    /// When the last of each sound that has left its devices is heard.
    func heardTimers(at now: Instant) -> [ArmedTimer] {
        jobs.compactMap { job in
            guard job.parts.allSatisfy(\.isOver), let heardUntil = job.heardUntil, heardUntil > now else {
                return nil
            }
            return ArmedTimer(purpose: .heardToItsEnd(id: job.announcement.id), at: heardUntil)
        }
    }

    /// One timer for each job, as long as one of its parts may fail to answer.
    func overdueTimers(at now: Instant) -> [ArmedTimer] {
        jobs.compactMap { job in
            (job.parts.compactMap { job.dueBy($0) } + [job.clearsAt].compactMap(\.self)).filter { $0 > now }
                .min().map {
                    ArmedTimer(purpose: .partOverdue(id: job.announcement.id), at: $0)
                }
        }
    }

    /// A machine that slept goes on with its sounds and its fades: they end as much later.
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

    /// The job of an announcement, where an output that is far from the ear was started for it already: how loud it is there was decided
    /// then, and is not decided again. What has begun ends.
    func begunAhead(_ announcement: Announcement) -> Job? {
        jobs.first { job in
            job.isNamed && job.phase == .cued && job.startedAt != nil
                && job.announcement.id == announcement.id && job.announcement.at == announcement.at
                && job.announcement.sounds == announcement.sounds
        }
    }

    /// Outputs that were silenced meanwhile, and have not begun, are left out; those that have go on.
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

    /// A sound that has left for a loudspeaker far away reaches the ear: it counts as called, and its end as one.
    mutating func callWhatWasSent(where condition: (Job) -> Bool, _ batch: inout EffectBatch) {
        for job in jobs where job.phase == .cued && job.wasSent(at: batch.now) && condition(job) {
            begin(job.announcement, &batch)
        }
    }

    // MARK: Restarts

    /// Keeps on disk where each part stands.
    mutating func noteParts(of id: AnnouncementID) {
        guard let job = jobs.first(where: { $0.announcement.id == id && $0.phase != .cued }), job.isNamed
        else { return }
        let silenced = (job.announcement.shares ?? []).filter { $0.isSilent && $0.quiet != nil }
        saved.setUnderway(id) {
            $0.outputs = job.parts.map { .init($0) } + silenced.map { .init(silenced: $0) }
        }
    }

    /// On the outputs on which it was before the program ended, as far as there still are such.
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

    /// The least time from now until one of them is heard again.
    func resumedLeadSeconds(of announcement: Announcement, _ entry: SavedState.Underway) -> Double {
        guard hasOutputs else { return inputs.config.prerollSeconds }
        let ended = entry.outputs.filter { $0.proof?.outcome == .played }.map(\.output)
        return parts(of: announcement).filter { !ended.contains($0.output) }.map(\.leadSeconds).min() ?? 0
    }

    /// Each unfinished part goes on where the sound would be, and is heard with the others; one that failed is tried again.
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
    /// When its sound is over by the clock; `nil` while that is unknown.
    private var endByClock: Instant? {
        guard let startedAt, let wholeDurationSeconds else { return nil }
        return startedAt + wholeDurationSeconds + extraSeconds
    }

    /// Its devices have as much longer, or less where that is negative: the clock was set, or the machine slept. A sound that no device
    /// has begun ends by the clock that it begins by.
    mutating func waitLonger(by seconds: Double) {
        calledAt = calledAt.map { $0 + seconds }
        stoppedAt = stoppedAt.map { $0 + seconds }
        if startedAt != nil { extraSeconds += seconds }
    }

    /// When nothing waits for it any more, although parts of it have not answered.
    var clearsAt: Instant? {
        guard parts.count > 1, parts.contains(where: \.isOver) else { return nil }
        switch phase {
        case .cued: return nil
        case .playing: return endByClock
        case .stopping: return fadeEnd
        }
    }

    /// Whether its sound is over by the clock, and only outputs that do not answer keep it.
    func isOver(at now: Instant) -> Bool {
        clearsAt.map { $0 <= now } ?? false
    }

    /// When all that fades has faded.
    private var fadeEnd: Instant? { stoppedAt.map { $0 + fadeSeconds } }

    /// Seconds from a stop until nothing of it is heard anywhere, with one to spare.
    fileprivate var fadeSeconds: Double {
        (parts.map { $0.fadeOutSeconds + $0.latencySeconds }.max() ?? 0) + 1
    }

    /// Whether some of it has left a device, although it is not heard yet.
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

    /// The instant by which a part must have said how it ended; `nil` of one that has, that has not begun before it is called, or that
    /// is the only output there is: systemd looks after that one.
    func dueBy(_ part: OutputPart) -> Instant? {
        guard isNamed, phase != .cued || startedAt != nil, !part.isOver else { return nil }
        let late = DaemonState.answerSeconds
        // A sound that is ended does not last longer for that.
        if phase == .stopping {
            return [fadeEnd, endByClock].compactMap(\.self).min().map { $0 + late }
        }
        if let endByClock { return endByClock + late }
        // Nothing of it has sounded so far in this run: an output looks for a device as long as the announcement may be late.
        let patienceSeconds = max(announcement.lateGraceSeconds, wholeDurationSeconds ?? 0)
        guard !parts.contains(where: \.hasBegun) else { return nil }
        return calledAt.map { $0 + leadSeconds + patienceSeconds + late }
    }

    /// The proof of each output, in the order of the configuration, those included that were silent.
    var proofs: [OutputProof] {
        let heard = parts.compactMap { $0.end?.proof }
        guard let shares = announcement.shares else { return heard }
        let all = heard + shares.silenced
        return shares.compactMap { share in all.first { $0.name == share.output } }
    }
}
