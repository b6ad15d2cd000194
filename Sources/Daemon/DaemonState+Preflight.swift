import Announcements
import PrayerEngine
import Protocol
import Settings
import Texts

/// Runs the preflight minutes before an announcement, while a person can still act on a failure.
extension DaemonState {
    /// Requests the preflight of everything that sounds within the next minutes and has had none.
    mutating func startPreflights(_ coming: ArraySlice<PlannedAnnouncement>, _ batch: inout EffectBatch) {
        let soon = coming.prefix { $0.announcement.at - batch.now <= Self.preflightLeadSeconds }.filter {
            isToSound($0)
        }
        // A result that is no longer near is forgotten: a clock that was set back brings it again.
        cues.preflighted.formIntersection(soon.map(\.announcement.id))
        cues.silent.formIntersection(soon.map(\.announcement.id) + jobs.map(\.announcement.id))
        for entry in soon where !cues.preflighted.contains(entry.announcement.id) {
            let announcement = entry.announcement
            cues.preflighted.insert(announcement.id)
            // This close to its instant, the cue itself tries everything.
            guard announcement.at - batch.now > Self.cueLeadSeconds else { continue }
            let loud = withVolumes(announcement, at: announcement.at)
            let job = Job(token: 0, announcement: loud, phase: .cued, parts: parts(of: loud))
            batch.add(.preflight(id: announcement.id, order(for: job)))
            batch.explain("\(named(announcement)): trying out \(soundText(announcement))", announcement)
        }
    }

    mutating func preflightEnded(_ id: AnnouncementID, _ result: PreflightResult, _ batch: inout EffectBatch)
    {
        guard let announcement = plan(at: batch.now).first(where: { $0.announcement.id == id })?.announcement
        else {
            return
        }
        for found in result.outputs {
            note(found.problems.map(Reason.stated), found.device, of: found.output, at: batch.now)
            // A damaged recording proves nothing against the device, which was tried as well.
            noteHealth(found, at: batch.now)
        }
        noteSilence(announcement, result, at: batch.now)
        if hasOutputs {
            publishOutputs(announcement, result, &batch)
        } else {
            publishSound(announcement, result, &batch)
        }
    }

    /// Reports everything in one sentence where no output is named.
    private func publishSound(
        _ announcement: Announcement, _ result: PreflightResult, _ batch: inout EffectBatch
    ) {
        guard result.problems.isEmpty else {
            return publishRisk(to: announcement, result.problems, result.outputs.first, &batch)
        }
        publishReadiness(of: announcement, result, &batch)
    }

    /// Reports the recordings in one sentence, and each output that would not be heard in another.
    private func publishOutputs(
        _ announcement: Announcement, _ result: PreflightResult, _ batch: inout EffectBatch
    ) {
        guard !result.problems.isEmpty else { return publishReadiness(of: announcement, result, &batch) }
        if !result.soundProblems.isEmpty { publishRisk(to: announcement, result.soundProblems, nil, &batch) }
        for found in result.outputs where !found.steps.isEmpty {
            publishRisk(to: announcement, found.steps, found, &batch)
        }
    }

    private func publishRisk(
        to announcement: Announcement, _ problems: [String], _ found: PreflightResult.OutputFinding?,
        _ batch: inout EffectBatch
    ) {
        let at = InstantText.minute(announcement.at, in: zone)
        let reason = problems.map(Reason.stated).joined(separator: "; ")
        var fields = Notice.Fields(announcement, device: found?.device, reason: reason)
        fields.output = hasOutputs ? found?.output : nil
        let place = fields.output.map { " on \"\($0)\"" } ?? ""
        batch.publish(
            .preflightFailed, isRequired(fields.output) ? .error : .warning,
            "\(announcement.title) \(at) is at risk\(place): \(reason)", fields)
    }

    private func publishReadiness(
        of announcement: Announcement, _ result: PreflightResult, _ batch: inout EffectBatch
    ) {
        let devices = result.outputs.compactMap(\.device)
        // Nothing was opened while something else sounded, so the device remains unknown.
        guard let device = devices.first else {
            return batch.explain(
                "\(named(announcement)): its files are well; the device is in use by us", announcement)
        }
        let at = InstantText.minute(announcement.at, in: zone)
        let length = result.durationSeconds.map { "\(NumberText.decimals($0, 1)) s of " } ?? ""
        let names = devices.map { "\"\($0)\"" }.joined(separator: ", ")
        batch.publish(
            .preflightPassed, .info,
            "\(announcement.title) \(at) is ready: \(length)\(announcement.sounds.joined(separator: ", ")) on \(names)",
            Notice.Fields(announcement, device: device))
    }

    private mutating func noteHealth(_ found: PreflightResult.OutputFinding, at now: Instant) {
        if !found.problems.isEmpty {
            health[found.output].failed(found.problems.map(Reason.stated).joined(separator: "; "), at: now)
        } else if let device = found.device {
            health[found.output].passed(on: device, at: now)
        }
    }
}

/// The findings of a preflight.
package struct PreflightResult: Sendable, Equatable {
    /// Sentences about the recordings; empty when all is well.
    package let soundProblems: [String]
    /// The duration of the sound in seconds.
    package let durationSeconds: Double?
    /// The findings of each output that is to play, in the order of the configuration.
    package let outputs: [OutputFinding]

    /// All problems, each with what playback would do next.
    var problems: [String] { soundProblems + outputs.flatMap(\.steps) }

    /// The findings about one output's devices.
    package struct OutputFinding: Sendable, Equatable {
        package let output: String
        /// The device that will be used; `nil` where none opens, and where something else is sounding.
        package let device: String?
        /// Sentences about devices and the mixer, for as long as they last.
        package let problems: [String]
        /// The same sentences, with what playback would do next.
        package let steps: [String]
        /// Why that device would be inaudible although it opens; `nil` where it can be heard. The last of the problems has the
        /// remedy.
        package let silence: String?

        package init(
            output: String, device: String?, problems: [String], steps: [String]? = nil,
            silence: String? = nil
        ) {
            self.output = output
            self.device = device
            self.problems = problems
            self.steps = steps ?? problems
            self.silence = silence
        }
    }

    package init(soundProblems: [String], durationSeconds: Double?, outputs: [OutputFinding]) {
        self.soundProblems = soundProblems
        self.durationSeconds = durationSeconds
        self.outputs = outputs
    }
}
