import Announcements
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// Ends the parts of a job and then the job, from their outcomes to the record.
extension DaemonState {
    /// Handles the end of one part; the announcement ends with its last part.
    mutating func partEnded(
        _ index: Int, _ part: Int, _ result: JobResult, _ batch: inout EffectBatch
    ) {
        let output = jobs[index].parts[part].output
        if result.framesPlayed > 0 { tones[output, since: startedAt].awakeAt = batch.now }
        // An output that failed may have another device by the next sound.
        if case .failed = result.end {
        } else if jobs[index].onlyDevice == nil {
            batch.deviceIsAwake = result.framesPlayed > 0
        }
        let job = jobs[index]
        let (outcome, reason, shortfall) = outcome(job, job.parts[part], result)
        // A sound that a person tried by name may be broken although the box is well.
        if case .failed(let why) = result.end, !job.strict { health[output].failed(why, at: batch.now) }
        jobs[index].parts[part].end = .init(
            outcome: outcome, reason: reason, result: result,
            proof: OutputProof(
                job.parts[part], outcome, result, reason: reason, of: job.announcement, in: zone))
        let isPaused = job.isToBeResumed && result.end == .stopped
        // A sound that fades out because the program ends has not ended yet.
        if !isPaused { noteParts(of: job.announcement.id) }
        if outcome == .failed, job.parts.count > 1 { publishFailure(job, output, reason, &batch) }
        jobs[index].shortfall = shortfall
        if outcome == .played {
            let heardUntil = min(result.endedAt, batch.now) + job.parts[part].latencySeconds
            jobs[index].heardUntil = max(jobs[index].heardUntil ?? heardUntil, heardUntil)
            // A short sound may be complete on a device before its instant. The announcement counts as called once one output has
            // played it, so that neither a clock that is set nor a crash plays it again.
            if jobs[index].phase == .cued { begin(jobs[index].announcement, &batch) }
        }
        endIfHeard(index, &batch)
    }

    /// Ends the announcement if all its parts have ended and the last of the sound has travelled from the devices to the ear.
    mutating func endIfHeard(_ index: Int, _ batch: inout EffectBatch) {
        let job = jobs[index]
        guard job.parts.allSatisfy(\.isOver) else { return }
        // A person who ended it does not wait for the sound that is still on its way.
        if job.phase != .stopping, let heardUntil = job.heardUntil, heardUntil > batch.now { return }
        cues.published.removeAll { $0.id == job.announcement.id }
        ended(jobs.remove(at: index), &batch)
    }

    private func publishFailure(_ job: Job, _ output: String, _ reason: String?, _ batch: inout EffectBatch) {
        var fields = fields(of: job, output)
        fields.reason = reason
        batch.publish(
            .audioLost, .error, "\(title(of: job, output)): not heard: \(reason ?? "it failed")", fields)
    }

    /// The outcome of a part, the reason, and the share that was heard if that was too small.
    private func outcome(_ job: Job, _ part: OutputPart, _ result: JobResult) -> (Outcome, String?, String?) {
        switch result.end {
        case .completed:
            let (outcome, reason) = completeness(of: job, part, result)
            return (outcome, reason, outcome == .interrupted ? reason : nil)
        case .stopped: return (.interrupted, part.substitution, nil)
        case .failed(let why): return (.failed, why, nil)
        }
    }

    private mutating func ended(_ job: Job, _ batch: inout EffectBatch) {
        let (announcement, front) = (job.announcement, job.front)
        guard let end = front.end else { return }
        let result = end.result ?? JobResult(front, end.proof, at: batch.now)
        if job.isToBeResumed, job.parts.contains(where: { $0.end?.result?.end == .stopped }) {
            paused(job, result, &batch)
            if jobs.isEmpty { batch.add(.exit) }
            return
        }
        let verdict = PartsVerdict(job.parts, isNamed: job.isNamed)
        let outcome = verdict.outcome
        var reason = verdict.reason ?? end.reason
        var endedBy: EndedBy?
        var cause = EndCause.end
        switch outcome {
        case .interrupted where verdict.wasCut:
            endedBy = job.endedBy ?? successor(of: job, at: batch.now)
            // The sound that ended this one by starting itself may have been dropped since, because the clock was set back.
            let who = endedBy?.who ?? (stopping ? nil : "another sound")
            if let who { reason = [reason, "ended by \(who)"].compactMap(\.self).joined(separator: "; ") }
            cause = endedBy?.cause ?? (stopping ? .shutdown : .announcement)
        default: if verdict.isOfDevices { cause = .device }
        }
        if let request = job.waiting {
            batch.add(.reply(request, .refused(refusal(of: job, reason ?? "it was ended before it began"))))
        }
        batch.publish(.ended(job, outcome, result, reason: reason, cause, at: batch.now))
        if stopping, jobs.isEmpty { batch.add(.exit) }
        guard !announcement.isTest else { return }
        // The clock was ahead when it was called, and has been set back: nothing was heard, so it is called at its real time.
        if outcome == .failed, job.parts.allSatisfy({ !$0.mayHaveSounded }),
            announcement.at > batch.now + Self.longestLeadSeconds
        {
            batch.explain("nothing of it was heard, and it is yet to come", announcement)
            saved.underway.removeAll { $0.id == announcement.id }
            return saved.forget(announcement.id)
        }
        if announcement.isAdhan { lastAdhan = (announcement.id, batch.now) }
        noteEnd(of: job, outcome, reason, shortfall: job.shortfall, at: batch.now)
        saved.setOutcome(outcome, of: announcement.id, at: announcement.at)
        saved.underway.removeAll { $0.id == announcement.id }
        var entry = HistoryEntry(
            announcement, outcome, in: zone, startedAt: front.startedAt ?? job.startedAt ?? result.startedAt,
            reason: reason, endedBy: endedBy?.who, cause: cause, result: result,
            source: source(of: announcement))
        if inputs.config.tellsOutputs { entry.outputs = job.proofs }
        batch.record(entry)
    }

    /// The sound that began last on an output where a part of this job was cut. It may have started by itself, and its timer not fired.
    private func successor(of job: Job, at now: Instant) -> EndedBy? {
        let cut = job.parts.filter { $0.end?.result?.end == .stopped }.map(\.output)
        let others = jobs.filter { $0.phase != .stopping }.flatMap { other in
            other.parts.filter { cut.contains($0.output) }.map { (other.announcement, $0.leadSeconds) }
        }
        let begun = others.filter { $0.at - $1 <= now + Self.punctualSeconds }
        let last = begun.max { $0.0.at - $0.1 < $1.0.at - $1.1 }
        return last.map { EndedBy(.announcement, $0.0.id.description) }
    }

    /// The outcome by the share of the sound that the device counted as played.
    private func completeness(of job: Job, _ part: OutputPart, _ result: JobResult) -> (Outcome, String?) {
        var remarks = [part.substitution].compactMap { $0 } + part.damage
        if part.positionSeconds > 0 {
            remarks.append(
                "resumed at \(NumberText.decimals(part.positionSeconds, 1)) s after adhand was started again")
        }
        if let audible = result.audible, !audible.isEnough {
            let percent = Int((100 * audible.share).rounded(.down))
            let volume = part.volumePercent
            let measured =
                audible.measuredShare.map { "; the recording has \(Int((100 * $0).rounded())) %" } ?? ""
            remarks.append(
                "only \(percent) % of the played audio, at volume \(volume) %, was loud enough to be heard\(measured)"
            )
            // Below that volume it is quiet because a person chose the volume.
            if volume >= Self.leastAudiblePercent { return (.failed, remarks.joined(separator: "; ")) }
        }
        if let silence = part.mixerSilence {
            return (.failed, (remarks + [silence]).joined(separator: "; "))
        }
        guard result.framesPlayed > 0 else {
            remarks.append("nothing of it was left to be heard")
            return (.interrupted, remarks.joined(separator: "; "))
        }
        let whole = part.durationSeconds ?? job.wholeDurationSeconds.map { $0 - part.positionSeconds }
        guard let durationSeconds = whole, result.seconds < durationSeconds - 0.1 else {
            return (.played, remarks.isEmpty ? nil : remarks.joined(separator: "; "))
        }
        let heard = NumberText.decimals(result.seconds, 1)
        remarks.append("only \(heard) of \(NumberText.decimals(durationSeconds, 1)) s came out of the device")
        return (
            result.seconds < durationSeconds * 0.9 ? .interrupted : .played, remarks.joined(separator: "; ")
        )
    }

    /// Percent of volume below which a recording of common loudness is inaudible.
    private static let leastAudiblePercent = 25

    private func refusal(of job: Job, _ reason: String) -> ControlError {
        if let device = job.onlyDevice { return .audioUnavailable(device: device, reason: reason) }
        return job.strict
            ? .soundUnusable(sound: job.announcement.sounds.joined(separator: ", "), reason: reason)
            : .audioUnavailable(
                device: job.device ?? job.parts.flatMap(\.devices).joined(separator: ", "), reason: reason)
    }

    /// Keeps a sound that fades out because the program ends underway, without an outcome: the next start resumes it, or records
    /// that it was cut short.
    private mutating func paused(_ job: Job, _ result: JobResult, _ batch: inout EffectBatch) {
        let startedAt = job.startedAt ?? result.startedAt.map { $0 + job.leadSeconds }
        saved.setUnderway(job.announcement.id) {
            $0.startedAt = $0.startedAt ?? startedAt
            $0.aliveAt = batch.now
        }
        let heard = NumberText.decimals(result.seconds, 1)
        let limit = LocalText.span(Self.resumeWithinSeconds)
        batch.publish(
            .prayerInterrupted, .notice,
            "\(job.announcement.title): \(heard) s heard, then adhand was stopped; it goes on where it would be if adhand is "
                + "started again within \(limit)",
            Notice.Fields(job.announcement, device: result.device, reason: "adhand was stopped"))
    }
}
