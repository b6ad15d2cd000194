import Announcements
import Envelope
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts

/// Keeps a fleet's configuration or timetable on trial until an adhan was heard with it. A change that fails is abandoned and its
/// predecessor restored: no envelope silences a box for longer than one adhan.
extension DaemonState {
    /// Seconds until adhand retries writing a file that the disk did not accept.
    static let fileRetrySeconds = 60.0

    func isFileDue(at now: Instant) -> Bool {
        // A clock that was set back would otherwise delay the retry by as much.
        envelopes.fileRetryAt.map { $0 <= now || now + Self.fileRetrySeconds < $0 } ?? true
    }

    /// The order of the next adhan that will sound, as it would be played now.
    func orderOfNextAdhan(at now: Instant) -> JobOrder? {
        guard trust.trusted else { return nil }
        let next = plan(at: now).first { entry in
            entry.announcement.isAdhan && now < entry.announcement.at && isToSound(entry)
        }
        return next.map { entry in
            let loud = withVolumes(entry.announcement, at: entry.announcement.at)
            return order(for: Job(token: 0, announcement: loud, phase: .cued, parts: parts(of: loud)))
        }
    }

    /// Runs the preflight of the next adhan for changes that have had none since.
    mutating func tryTrials(_ batch: inout EffectBatch) {
        guard saved.fleet.trials.contains(where: { !$0.isTried && $0.leaving == nil }) else { return }
        ensurePlanned(batch.now)
        guard let order = orderOfNextAdhan(at: batch.now) else { return }
        batch.add(.fleetPreflight(.after, order))
    }

    mutating func fleetPreflighted(
        _ preflight: FleetPreflight, _ result: PreflightResult, _ batch: inout EffectBatch
    ) {
        let found = result.soundProblems + result.outputs.filter { isRequired($0.output) }.flatMap(\.steps)
        switch preflight {
        case .before(let digest): preflightedBefore(digest, passed: found.isEmpty, &batch)
        case .after:
            let problems = found.map(Reason.stated).joined(separator: "; ")
            saved.fleet.preflighted(
                found.isEmpty, "the next adhan could not be played any more: \(problems)")
        }
    }

    /// Lets the adhans of this event decide about the changes that were on trial when they were due.
    mutating func checkTrials(_ batch: inout EffectBatch) {
        guard !saved.fleet.trials.isEmpty else { return }
        for entry in batch.records {
            guard let id = AnnouncementID(entry.id), id.kind == .adhan,
                let at = InstantText.parse(entry.scheduled)
            else { continue }
            switch entry.outcome {
            case .played, .partial:
                for applied in saved.fleet.confirm({ $0.since < at }, at: batch.now) {
                    publishTrial(
                        "\(applied.kind.rawValue) \(applied.seq) is confirmed: \(id) was heard", &batch)
                }
            case .failed:
                saved.fleet.leaveTrials("\(id) failed: \(entry.reason ?? "")") { $0.since < at }
            case .missed:
                // A machine that was off, or was restarted, missed it for that reason.
                saved.fleet.leaveTrials("\(id) was missed: \(entry.reason ?? "")") { trial in
                    trial.since < at && (startedAt <= at || !trial.isAfterBoot)
                }
            default: break
            }
        }
    }

    /// Restores the predecessor of an abandoned change as soon as nothing sounds and nothing is due within a minute.
    mutating func leaveTrials(_ batch: inout EffectBatch) {
        guard !stopping, saved.fleet.trials.contains(where: { $0.leaving != nil }),
            reasonToSpareDevices(at: batch.now) == nil
        else { return }
        if saved.fleet.trial(of: .configuration)?.leaving != nil {
            let before = saved.fleet.configurationInForce
            if inputs.fleet?.digest == before?.digest {
                endTrial(.configuration, &batch)
            } else if !envelopes.isGoingBack {
                envelopes.isGoingBack = true
                read(.fleet(.back(before)), &batch)
            }
        }
        if isFileToGoBack, isFileDue(at: batch.now), envelopes.work?.step != .writing,
            let timetable = saved.fleet.timetable
        {
            envelopes.isGoingBackToFile = true
            batch.add(.changeTimetable(.undo(known: timetable.sha256)))
        }
    }

    /// When an abandoned change is looked at again; `nil` where there is none, or its removal has begun.
    func leavingInstant(at now: Instant) -> Instant? {
        guard saved.fleet.trials.contains(where: { $0.leaving != nil }), !envelopes.isGoingBack,
            !envelopes.isGoingBackToFile
        else { return nil }
        let near = plan(at: now).map(\.announcement.at).filter { (0...Self.quietSeconds).contains($0 - now) }
        // The end of a sound triggers an event of its own.
        return near.max().map { $0 + 1 } ?? now + Self.leavingLookSeconds
    }

    private static let leavingLookSeconds = 10.0

    /// Whether a timetable is to be abandoned, and its removal has not begun.
    var isFileToGoBack: Bool {
        saved.fleet.trial(of: .timetable)?.leaving != nil && !envelopes.isGoingBackToFile
    }

    /// Handles the inputs of before the trial, now that they are read.
    mutating func wentBack(_ finding: FleetFinding, _ batch: inout EffectBatch) {
        envelopes.isGoingBack = false
        // Reading took time: an announcement may be near by now, so this is tried again after it.
        guard reasonToSpareDevices(at: batch.now) == nil,
            finding.task == .back(saved.fleet.configurationInForce)
        else { return endReading(.fleet(finding.task), &batch) }
        enter(finding.inputs, .fleet(finding.task), [], &batch)
        endTrial(.configuration, &batch)
    }

    mutating func wentBackToFile(_ problem: String?, _ batch: inout EffectBatch) {
        envelopes.isGoingBackToFile = false
        if let problem {
            return publishTrial(
                "the timetable of before cannot be put back: \(Reason.stated(problem)); adhand tries again in a minute",
                level: .error, &batch)
        }
        endTrial(.timetable, &batch)
        batch.add(.readTimetable(nil))
    }

    private mutating func endTrial(_ kind: FleetKind, _ batch: inout EffectBatch) {
        guard let applied = saved.fleet.endTrial(kind, at: batch.now) else { return }
        publishTrial(
            "\(kind.rawValue) \(applied.seq) was left, and what was in force before it is again: \(applied.reason ?? "")",
            level: .warning, step: .left(seq: applied.seq), &batch)
    }

    /// Removes everything that only the fleet may change from a box that has left its fleet.
    mutating func leaveFleets(_ batch: inout EffectBatch) {
        guard inputs.problem == nil, configurationProblem == nil, saved.fleet.keep(only: fleetName) else {
            return
        }
        batch.publish(
            .fleetChanged, .notice,
            "the configuration of a fleet to which this box does not belong any more is no longer in force")
    }

    private mutating func publishTrial(
        _ message: String, level: Notice.Level = .notice, step: Notice.FleetStep? = nil,
        _ batch: inout EffectBatch
    ) {
        publishFleet(message, inputs.config.fleet?.org ?? "", level: level, step: step, &batch)
    }
}
