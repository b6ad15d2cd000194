import Announcements
import PrayerEngine
import Protocol
import Settings
import Texts

/// Runs the preflight minutes before an announcement, while a person can still act on a failure.
extension DaemonState {
    /// Asks for the preflight of everything that sounds within the next minutes and has had none.
    mutating func startPreflights(_ plan: ArraySlice<PlannedAnnouncement>, _ batch: inout EffectBatch) {
        let soon = plan.filter { entry in
            let wait = entry.announcement.at - batch.now
            return 0 < wait && wait <= Self.preflightLeadSeconds && isToSound(entry)
        }
        // A result that is no longer close by is forgotten: a clock that is set back brings it again.
        preflighted.formIntersection(soon.map(\.announcement.id))
        silenced.formIntersection(soon.map(\.announcement.id) + jobs.map(\.announcement.id))
        for entry in soon where !preflighted.contains(entry.announcement.id) {
            let announcement = entry.announcement
            preflighted.insert(announcement.id)
            // This close to its instant the cue itself tries everything.
            guard announcement.at - batch.now > Self.cueLeadSeconds else { continue }
            let judged = judged(announcement, at: announcement.at)
            let job = Job(token: 0, announcement: judged, phase: .cued, parts: parts(of: judged))
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
        let at = InstantText.minute(announcement.at, in: zone)
        let findings = findings(of: result)
        for found in findings {
            note(found.problems.map(Reason.stated), found.device, of: found.output, at: batch.now)
        }
        noteSilence(announcement, result, at: batch.now)
        guard result.problems.isEmpty else {
            let problems = result.problems.map(Reason.stated).joined(separator: "; ")
            // A recording's fault says nothing against the device, which was tried as well.
            for found in findings { noteHealth(found, at: batch.now) }
            return batch.publish(
                .preflightFailed, .error, "\(announcement.title) \(at) is at risk: \(problems)",
                Notice.Fields(announcement, device: result.device, reason: problems))
        }
        // Nothing was opened while something else sounded: that says nothing about the device.
        for found in findings { noteHealth(found, at: batch.now) }
        if let device = result.device {
            let length = result.durationSeconds.map { "\(NumberText.decimals($0, 1)) s of " } ?? ""
            batch.publish(
                .preflightPassed, .info,
                "\(announcement.title) \(at) is ready: \(length)\(announcement.sounds.joined(separator: ", ")) on \"\(device)\"",
                Notice.Fields(announcement, device: device))
        } else {
            batch.explain(
                "\(named(announcement)): its files are well; the device is in use by us", announcement)
        }
    }
}

extension DaemonState {
    /// Those of each output; of the only one, where none is named.
    private func findings(of result: PreflightResult) -> [PreflightResult.OutputFinding] {
        guard result.outputs.isEmpty else { return result.outputs }
        let name = inputs.config.allOutputs[0].name
        return [
            .init(
                output: name, device: result.device, problems: result.deviceProblems,
                isSilenced: result.isSilenced)
        ]
    }

    private mutating func noteHealth(_ found: PreflightResult.OutputFinding, at now: Instant) {
        if !found.problems.isEmpty {
            health[found.output].failed(
                found.problems.map(Reason.stated).joined(separator: "; "), at: now)
        } else if let device = found.device {
            health[found.output].passed(on: device, at: now)
        }
    }
}

/// The findings of a preflight.
package struct PreflightResult: Sendable, Equatable {
    /// Sentences; empty when all is well.
    package let problems: [String]
    /// The problems about devices and the mixer.
    package let deviceProblems: [String]
    /// The device that will be used; `nil` where none opens, and where something else is sounding.
    package let device: String?
    /// Seconds of sound.
    package let durationSeconds: Double?
    /// Why nobody would hear that device although it opens; `nil` where it can be heard. The last of the problems of devices says
    /// what to do about it.
    package let silence: String?
    package var isSilenced: Bool { silence != nil }
    /// The findings of each output's devices, in the order of the order; where it is empty there is one output, and the fields above
    /// are about it.
    package let outputs: [OutputFinding]

    /// The findings about one output's devices.
    package struct OutputFinding: Sendable, Equatable {
        package let output: String
        /// The device that will be used; `nil` where none opens, and where something else is sounding.
        package let device: String?
        /// Sentences, of devices and the mixer.
        package let problems: [String]
        package let isSilenced: Bool

        package init(output: String, device: String?, problems: [String], isSilenced: Bool = false) {
            (self.output, self.device, self.problems, self.isSilenced) = (
                output, device, problems, isSilenced
            )
        }
    }

    package init(
        problems: [String], deviceProblems: [String]? = nil, device: String?, durationSeconds: Double?,
        silence: String? = nil, outputs: [OutputFinding] = []
    ) {
        self.silence = silence
        self.outputs = outputs
        self.problems = problems
        self.deviceProblems = deviceProblems ?? problems
        self.device = device
        self.durationSeconds = durationSeconds
    }
}
