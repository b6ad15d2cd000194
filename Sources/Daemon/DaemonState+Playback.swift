import PrayerEngine
import Protocol
import Settings
import Texts

/// Handles playback's events of a job, and its end up to the record.
extension DaemonState {
    mutating func handlePlayback(_ event: JobEvent, of token: Int, _ batch: inout EffectBatch) {
        guard let index = jobs.firstIndex(where: { $0.token == token }) else { return }
        let announcement = jobs[index].announcement
        let fields = Notice.Fields(announcement)
        let isInUse = jobs[index].onlyDevice == nil
        switch event {
        case .cued(let device, let durationSeconds):
            jobs[index].device = device
            jobs[index].silence = nil
            jobs[index].durationSeconds = durationSeconds
            let length = durationSeconds.map { "\(NumberText.decimals($0, 1)) s" } ?? "of unknown length"
            batch.explain("\(announcement.title) is prepared on \"\(device)\", \(length)", announcement)
            let whole = jobs[index].wholeDurationSeconds
            if jobs[index].phase != .cued {
                saved.setUnderway(announcement.id) { $0.durationSeconds = whole }
            }
        case .began(let at, let device): began(index, at: at, device: device, &batch)
        case .ended(let result):
            toldCues.removeAll { $0.id == announcement.id }
            ended(jobs.remove(at: index), result, &batch)
        case .substituted(let sound, let reason):
            jobs[index].substitution =
                "\"\(sound)\" could not be played (\(reason)); the signal was played instead"
            batch.publish(
                .prayerFailed, .error,
                "\(announcement.title): cannot play \"\(sound)\": \(reason); playing the shipped signal instead",
                Notice.Fields(announcement, reason: reason))
        case .soundMissing(let name, let searched):
            soundMissing(index, name, searched: searched, &batch)
        case .dropout(let count, let device):
            var fields = Notice.Fields(announcement, device: device)
            fields.dropouts = count
            batch.publish(
                .audioDropout, .warning, "\(announcement.title): dropout on \"\(device)\", \(count) so far",
                fields)
        case .noDevice(let reason, let next):
            if isInUse { audio.failed(reason, at: batch.now) }
            jobs[index].silence = reason
            batch.publish(.audioLost, .warning, "\(announcement.title): \(reason); \(next)", fields)
        case .soundDamaged(let reason):
            jobs[index].damage.append(reason)
            batch.publish(
                .prayerFailed, .warning, "\(announcement.title): \(reason)",
                Notice.Fields(announcement, reason: reason))
        case .trouble(let reason):
            if isInUse { audio.failed(reason, at: batch.now) }
            batch.publish(.audioLost, .warning, "\(announcement.title): \(reason)", fields)
        case .deviceLost(let device, let reason):
            if isInUse { audio.failed("\"\(device)\": \(reason)", at: batch.now) }
            jobs[index].silence = "\"\(device)\": \(reason)"
            batch.publish(
                .audioLost, .error, "\(announcement.title): lost \"\(device)\": \(reason); trying to go on",
                Notice.Fields(announcement, device: device, reason: reason))
        case .deviceRecovered(let device):
            jobs[index].silence = nil
            if isInUse { audio.recordPlayed(on: device, afterTrouble: true, at: batch.now) }
            batch.publish(
                .audioRecovered, .notice, "\(announcement.title): goes on, on \"\(device)\"",
                Notice.Fields(announcement, device: device))
        }
    }

    private mutating func soundMissing(
        _ index: Int, _ name: String, searched: [String], _ batch: inout EffectBatch
    ) {
        let job = jobs[index]
        let reason = "there is no such sound; looked for \(searched.joined(separator: ", "))"
        if let request = job.waiting, job.announcement.isTest, job.announcement.sounds == [name],
            job.strict
        {
            jobs.remove(at: index)
            batch.add(.stop(token: job.token, fadeSeconds: 0))
            batch.add(.reply(request, .refused(.soundNotFound(sound: name))))
            return
        }
        jobs[index].substitution = "there is no sound \"\(name)\"; the signal was played instead"
        batch.publish(
            .prayerFailed, .error,
            "\(job.announcement.title): cannot play \"\(name)\": \(reason); playing the shipped signal instead",
            Notice.Fields(job.announcement, reason: reason))
    }

    private mutating func began(_ index: Int, at instant: Instant, device: String, _ batch: inout EffectBatch)
    {
        jobs[index].device = device
        if jobs[index].startedAt == nil {
            // The device was started with silence; the sound comes after it.
            jobs[index].startedAt = instant + jobs[index].prerollSeconds
        }
        if jobs[index].onlyDevice == nil {
            audio.recordPlayed(on: device, afterTrouble: jobs[index].silence != nil, at: batch.now)
        }
        jobs[index].silence = nil
        if jobs[index].phase == .cued { review(jobs[index], &batch) } else { reportBegan(index, &batch) }
    }

    mutating func reportBegan(_ index: Int, _ batch: inout EffectBatch) {
        let job = jobs[index]
        guard let startedAt = job.startedAt else { return }
        saved.setUnderway(job.announcement.id) {
            $0.startedAt = $0.startedAt ?? startedAt
            $0.durationSeconds = job.wholeDurationSeconds
            $0.aliveAt = batch.now
        }
        let heardFrom = job.positionSeconds > 0 ? batch.now : startedAt
        batch.publish(.began(job, at: heardFrom, in: zone))
        answerWaiting(
            index, .document(SaidReply(soundingText(job), id: job.announcement.id.description)), &batch)
    }

    /// A sound that fades out because the program ends has no outcome yet. It stays underway: the next start goes on with it, or
    /// records that it was cut short.
    private mutating func paused(_ job: Job, _ result: JobResult, _ batch: inout EffectBatch) {
        let startedAt = job.startedAt ?? result.startedAt.map { $0 + job.prerollSeconds }
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

    private mutating func ended(_ job: Job, _ result: JobResult, _ batch: inout EffectBatch) {
        if result.framesPlayed > 0 { awakeAt = batch.now }
        // One that failed may be another device by the next sound.
        if case .failed = result.end {
        } else if job.onlyDevice == nil {
            batch.deviceIsAwake = result.framesPlayed > 0
        }
        if case .stopped = result.end, job.isToBeResumed {
            paused(job, result, &batch)
            if jobs.isEmpty { batch.add(.exit) }
            return
        }
        let announcement = job.announcement
        var outcome = Outcome.played
        var shortfall: String?
        var reason = job.substitution
        var endedBy: Ending?
        var cause = EndCause.end
        switch result.end {
        case .completed:
            (outcome, reason) = completeness(of: job, result)
            if outcome == .interrupted { shortfall = reason }
        case .stopped:
            outcome = .interrupted
            endedBy = job.endedBy ?? successor(at: batch.now)
            let why = [reason, endedBy.map { "ended by \($0.who)" }].compactMap(\.self)
            reason = why.isEmpty ? nil : why.joined(separator: "; ")
            cause = endedBy?.cause ?? .shutdown
        case .failed(let why):
            outcome = .failed
            reason = why
            cause = .device
            // A sound that somebody tried by its name may be broken without the box being so.
            if !job.strict { audio.failed(why, at: batch.now) }
        }
        if let request = job.waiting {
            batch.add(.reply(request, .refused(refusal(of: job, reason ?? "it was ended before it began"))))
        }
        batch.publish(.ended(job, outcome, result, reason: reason, cause, at: batch.now, in: zone))
        if stopping, jobs.isEmpty { batch.add(.exit) }
        guard !announcement.isTest else { return }
        // A clock that was ahead had it called, and was set back since: nothing was heard, so it is called at its time.
        if case .failed = result.end, result.framesPlayed == 0,
            announcement.at > batch.now + Self.longestLeadSeconds
        {
            batch.explain("nothing of it was heard, and it is yet to come", announcement)
            saved.underway.removeAll { $0.id == announcement.id }
            return saved.forget(announcement.id)
        }
        if announcement.isAdhan { lastAdhan = (announcement.id, batch.now) }
        noteEnd(of: announcement, outcome, shortfall: shortfall, at: batch.now)
        saved.setOutcome(outcome, of: announcement.id, at: announcement.at)
        saved.underway.removeAll { $0.id == announcement.id }
        batch.record(
            HistoryEntry(
                announcement, outcome, in: zone, startedAt: job.startedAt ?? result.startedAt, reason: reason,
                endedBy: endedBy?.who, cause: cause, result: result, source: source(of: announcement)))
    }

    /// The sound that started by itself and took the device, if the timer of its instant has not fired yet.
    private func successor(at now: Instant) -> Ending? {
        jobs.first {
            $0.phase == .cued && abs($0.announcement.at - $0.prerollSeconds - now) <= Self.punctualSeconds
        }.map { Ending(.announcement, $0.announcement.id.description) }
    }

    /// How much of it came out, by the device's own count.
    private func completeness(of job: Job, _ result: JobResult) -> (Outcome, String?) {
        var remarks = [job.substitution].compactMap { $0 } + job.damage
        if job.positionSeconds > 0 {
            remarks.append(
                "resumed at \(NumberText.decimals(job.positionSeconds, 1)) s after adhand was started again")
        }
        if result.isInaudible {
            let percent = Int((100 * (result.audibleShare ?? 0)).rounded(.down))
            let volume = job.announcement.volumePercent
            let measured =
                result.measuredShare.map { "; the recording has \(Int((100 * $0).rounded())) %" } ?? ""
            remarks.append(
                "only \(percent) % of the played audio, at volume \(volume) %, was loud enough to be heard\(measured)"
            )
            // Below that it is quiet because of the volume, which somebody chose.
            if volume >= Self.leastAudiblePercent { return (.failed, remarks.joined(separator: "; ")) }
        }
        guard result.framesPlayed > 0 else {
            remarks.append("nothing of it was left to be heard")
            return (.interrupted, remarks.joined(separator: "; "))
        }
        guard let durationSeconds = job.durationSeconds, result.seconds < durationSeconds - 0.1 else {
            return (.played, remarks.isEmpty ? nil : remarks.joined(separator: "; "))
        }
        let heard = NumberText.decimals(result.seconds, 1)
        remarks.append("only \(heard) of \(NumberText.decimals(durationSeconds, 1)) s came out of the device")
        return (
            result.seconds < durationSeconds * 0.9 ? .interrupted : .played, remarks.joined(separator: "; ")
        )
    }

    /// Percent: below it a recording of common loudness is inaudible.
    private static let leastAudiblePercent = 25

    private func refusal(of job: Job, _ reason: String) -> ControlError {
        if let device = job.onlyDevice { return .audioUnavailable(device: device, reason: reason) }
        return job.strict
            ? .soundUnusable(sound: job.announcement.sounds.joined(separator: ", "), reason: reason)
            : .audioUnavailable(
                device: job.device ?? inputs.config.devices.joined(separator: ", "), reason: reason)
    }

    private mutating func answerWaiting(_ index: Int, _ reply: Reply, _ batch: inout EffectBatch) {
        guard let request = jobs[index].waiting else { return }
        jobs[index].waiting = nil
        batch.add(.reply(request, reply))
    }
}
