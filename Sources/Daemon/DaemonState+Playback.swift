import Announcements
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// Handles playback's events about a job's parts.
extension DaemonState {
    mutating func handlePlayback(
        _ event: JobEvent, of token: Int, on output: String, _ batch: inout EffectBatch
    ) {
        // Any event at all means that the output answers.
        devices.stuck.remove(output)
        guard let index = jobs.firstIndex(where: { $0.token == token }),
            let part = jobs[index].parts.firstIndex(where: { $0.output == output && !$0.isOver })
        else { return }
        let announcement = jobs[index].announcement
        var fields = fields(of: jobs[index], output)
        let title = title(of: jobs[index], output)
        let isInUse = jobs[index].onlyDevice == nil
        switch event {
        case .cued(let device, let durationSeconds):
            jobs[index].parts[part].device = device
            jobs[index].parts[part].silence = nil
            jobs[index].parts[part].durationSeconds = durationSeconds
            let allLengthsKnown = jobs[index].parts.allSatisfy { $0.isOver || $0.durationSeconds != nil }
            if allLengthsKnown { jobs[index].notedDurationSeconds = nil }
            let length = durationSeconds.map { "\(NumberText.decimals($0, 1)) s" } ?? "of unknown length"
            batch.explain("\(title) is prepared on \"\(device)\", \(length)", announcement)
            let whole = jobs[index].wholeDurationSeconds
            if jobs[index].phase != .cued {
                saved.setUnderway(announcement.id) { $0.durationSeconds = whole ?? $0.durationSeconds }
            }
        case .began(let at, let device): began(index, part, at: at, device: device, &batch)
        case .ended(let result):
            partEnded(index, part, result, &batch)
        case .substituted(let sound, let reason):
            let sentence = "\"\(sound)\" could not be played (\(reason)); the signal was played instead"
            let isNews = !jobs[index].parts.contains { $0.substitutedSound == sound }
            jobs[index].parts[part].substitutedSound = sound
            jobs[index].parts[part].substitution = sentence
            guard isNews else { break }
            batch.publish(
                .prayerFailed, .error,
                "\(announcement.title): cannot play \"\(sound)\": \(reason); playing the shipped signal instead",
                Notice.Fields(announcement, reason: reason))
        case .soundMissing(let name, let searched):
            soundMissing(index, name, searched: searched, &batch)
        case .dropout(let count, let device):
            (fields.dropouts, fields.device) = (count, device)
            batch.publish(
                .audioDropout, .warning, "\(title): dropout on \"\(device)\", \(count) so far", fields)
        case .noDevice(let reason, let next):
            if isInUse { health[output].failed(reason, at: batch.now) }
            jobs[index].parts[part].silence = reason
            batch.publish(.audioLost, .warning, "\(title): \(reason); \(next)", fields)
        case .soundDamaged(let reason):
            let isNews = !jobs[index].parts.contains { $0.damage.contains(reason) }
            jobs[index].parts[part].damage.append(reason)
            guard isNews else { break }
            batch.publish(
                .prayerFailed, .warning, "\(announcement.title): \(reason)",
                Notice.Fields(announcement, reason: reason))
        case .trouble(let reason):
            if isInUse { health[output].failed(reason, at: batch.now) }
            batch.publish(.audioLost, .warning, "\(title): \(reason)", fields)
        case .deviceLost(let device, let reason):
            if isInUse { health[output].failed("\"\(device)\": \(reason)", at: batch.now) }
            jobs[index].parts[part].silence = "\"\(device)\": \(reason)"
            (fields.device, fields.reason) = (device, reason)
            batch.publish(
                .audioLost, .error, "\(title): lost \"\(device)\": \(reason); trying to go on", fields)
        case .deviceRecovered(let device):
            jobs[index].parts[part].silence = nil
            if isInUse { health[output].recordPlayed(on: device, afterTrouble: true, at: batch.now) }
            fields.device = device
            batch.publish(.audioRecovered, .notice, "\(title): goes on, on \"\(device)\"", fields)
        case .deviceSilent(let device, let reason):
            if isInUse { health[output].failed(reason, at: batch.now) }
            let isNews = jobs[index].parts[part].mixerSilence == nil
            jobs[index].parts[part].mixerSilence = reason
            guard isNews else { break }
            (fields.device, fields.reason) = (device, reason)
            batch.publish(.audioLost, .error, "\(title): nobody hears it: \(reason)", fields)
        case .deviceAudible(let device):
            cues.silent.remove(announcement.id)
            guard jobs[index].parts[part].mixerSilence != nil else { break }
            jobs[index].parts[part].mixerSilence = nil
            if isInUse { health[output].recordPlayed(on: device, afterTrouble: true, at: batch.now) }
            fields.device = device
            batch.publish(
                .audioRecovered, .notice, "\(title): is heard from now on, on \"\(device)\"", fields)
        }
    }

    /// `Isha`, and where the configuration names outputs `Isha on "hall"`.
    func title(of job: Job, _ output: String) -> String {
        job.isNamed ? "\(job.announcement.title) on \"\(output)\"" : job.announcement.title
    }

    func fields(of job: Job, _ output: String) -> Notice.Fields {
        var fields = Notice.Fields(job.announcement)
        if job.isNamed { fields.output = output }
        return fields
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
            batch.add(.stop(token: job.token, withinSeconds: 0))
            batch.add(.reply(request, .refused(.soundNotFound(sound: name))))
            return
        }
        // One check of the disk serves all parts.
        for part in jobs[index].parts.indices {
            jobs[index].parts[part].substitution =
                "there is no sound \"\(name)\"; the signal was played instead"
        }
        batch.publish(
            .prayerFailed, .error,
            "\(job.announcement.title): cannot play \"\(name)\": \(reason); playing the shipped signal instead",
            Notice.Fields(job.announcement, reason: reason))
    }

    private mutating func began(
        _ index: Int, _ part: Int, at instant: Instant, device: String, _ batch: inout EffectBatch
    ) {
        // The device was started with silence; the sound follows it, later still where the loudspeaker is far from the device.
        let heardFrom = instant + jobs[index].parts[part].leadSeconds
        let isFirst = !jobs[index].parts.contains(where: \.hasBegun)
        let isGoingOn = jobs[index].parts[part].positionSeconds > 0
        jobs[index].parts[part].device = device
        jobs[index].parts[part].hasBegun = true
        // A sound that continues reports when it would have begun with its device available at once; the part that it left out
        // was not heard.
        let earliest = batch.now + jobs[index].parts[part].latencySeconds
        jobs[index].parts[part].startedAt =
            jobs[index].parts[part].startedAt ?? (isGoingOn ? max(heardFrom, earliest) : heardFrom)
        jobs[index].startedAt = jobs[index].startedAt ?? heardFrom
        if jobs[index].onlyDevice == nil {
            health[jobs[index].parts[part].output].recordPlayed(
                on: device, afterTrouble: jobs[index].parts[part].silence != nil, at: batch.now)
        }
        jobs[index].parts[part].silence = nil
        let (token, output) = (jobs[index].token, jobs[index].parts[part].output)
        if jobs[index].phase == .cued {
            review(jobs[index], &batch)
        } else if isFirst {
            reportBegan(index, &batch)
        } else {
            batch.explain(
                "\(title(of: jobs[index], output)) began on \"\(device)\"", jobs[index].announcement)
        }
        // It may have been dropped as too early.
        guard let index = jobs.firstIndex(where: { $0.token == token }) else { return }
        noteParts(of: jobs[index].announcement.id)
        setClock(index, heardFrom - jobs[index].parts[part].positionSeconds, &batch)
    }

    /// Tells the other outputs the clock once one output sounds: from then on they join and no longer begin.
    private mutating func setClock(_ index: Int, _ beganAt: Instant, _ batch: inout EffectBatch) {
        guard !jobs[index].isClockSet, jobs[index].phase != .stopping,
            jobs[index].parts.contains(where: { !$0.hasBegun && !$0.isOver })
        else { return }
        jobs[index].isClockSet = true
        batch.addUrgent(.setClock(token: jobs[index].token, beganAt: beganAt))
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
            index, .document(ChangeReply(soundingText(job), id: job.announcement.id.description)), &batch)
    }

    private mutating func answerWaiting(_ index: Int, _ reply: Reply, _ batch: inout EffectBatch) {
        guard let request = jobs[index].waiting else { return }
        jobs[index].waiting = nil
        batch.add(.reply(request, reply))
    }
}
