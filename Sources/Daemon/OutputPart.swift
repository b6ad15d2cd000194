import Announcements
package import PrayerEngine
package import Protocol
import Settings
import StateFile
import Texts

/// A job on one output: its order, and what playback has reported.
package struct OutputPart: Sendable, Equatable {
    package let output: String
    /// ALSA names, tried in order.
    package let devices: [String]
    /// Percent of perceived loudness.
    package let volumePercent: Int
    /// The quiet window that decided the volume.
    package let quiet: String?
    /// Seconds of silence with which its device is started, as configured when it was prepared.
    package internal(set) var prerollSeconds: Double
    /// Seconds from the device to the ear.
    package let latencySeconds: Double
    package let fadeOutSeconds: Double
    package let isRequired: Bool
    /// Seconds into the sound at which to begin.
    package var positionSeconds = 0.0

    /// The device that was opened or used last.
    package var device: String?
    /// When its sound began; for a resumed part, when it began before the restart.
    package var startedAt: Instant?
    /// Whether its device was started in this run of the program.
    package var hasBegun = false
    /// Seconds of sound to be heard.
    package var durationSeconds: Double?
    /// The problems of its recordings.
    package var damage: [String] = []
    /// The sound that replaced an unplayable one, and why.
    package var substitution: String?
    /// The path of that sound.
    var substitutedSound: String?
    /// Why it is silent here, while a device is looked for.
    package var silence: String?
    /// Why it is inaudible although the device accepts it, as of the last check; `nil` where it can be heard.
    var mixerSilence: String?
    /// Whether it was stopped alone, because nothing takes over its output.
    var isStoppedAlone = false
    /// Whether the output did not report its end, so that the share that was heard is unknown.
    package var isUnanswered = false
    /// Its end; `nil` until it has ended.
    package var end: End?

    /// The end of a part.
    package struct End: Sendable, Equatable {
        package let outcome: Outcome
        package let reason: String?
        /// Playback's proof; `nil` for a part that ended before the program was started.
        package let result: JobResult?
        /// The proof as kept in records.
        package let proof: OutputProof
    }

    /// Seconds from the start of its device until the sound is heard.
    package var leadSeconds: Double { prerollSeconds + latencySeconds }

    var wholeDurationSeconds: Double? { durationSeconds.map { $0 + positionSeconds } }

    package var isOver: Bool { end != nil }

    /// Whether any of the part was heard.
    package var hasSounded: Bool { end.map { $0.proof.framesPlayed > 0 } ?? hasBegun }

    /// Whether any of it may have been heard, including in an earlier run of the program.
    var mayHaveSounded: Bool { hasSounded || isUnanswered && hasBegun || !hasBegun && startedAt != nil }

    init(_ settings: OutputSettings, _ share: OutputShare, devices: [String]? = nil) {
        output = settings.name
        self.devices = devices ?? settings.devices
        (volumePercent, quiet) = (share.volumePercent, share.quiet)
        prerollSeconds = settings.prerollSeconds ?? 0
        latencySeconds = settings.latencySeconds
        fadeOutSeconds = settings.fadeOutSeconds ?? 0
        isRequired = settings.isRequired
    }

    func order(limitSeconds: Double?) -> OutputOrder {
        OutputOrder(
            name: output, devices: devices, volumePercent: volumePercent, prerollSeconds: prerollSeconds,
            latencySeconds: latencySeconds, fadeOutSeconds: fadeOutSeconds, positionSeconds: positionSeconds,
            limitSeconds: limitSeconds)
    }
}

/// The verdict on an announcement, derived from its parts.
struct PartsVerdict: Equatable {
    let outcome: Outcome
    /// Where it was not heard as it should have been, and why; required outputs first. `nil` where all is well, and where the
    /// configuration does not name outputs.
    let reason: String?
    /// Whether it was cut short by a person, another announcement or the end of the program.
    let wasCut: Bool
    /// Whether devices are to blame.
    let isOfDevices: Bool

    init(_ parts: [OutputPart], isNamed: Bool) {
        let ends = parts.compactMap { part in part.end.map { (part: part, end: $0) } }
        // A part that a person ended is no fault.
        let faults = ends.filter { $0.end.isFault }
        let hasPlayed = ends.contains { $0.end.outcome == .played }
        let wasEnded = ends.contains { $0.end.outcome == .interrupted && !$0.end.isFault }
        if hasPlayed {
            outcome = faults.contains { $0.part.isRequired } ? .partial : .played
        } else if wasEnded {
            outcome = .interrupted
        } else {
            outcome = ends.allSatisfy { $0.end.outcome == .interrupted } ? .interrupted : .failed
        }
        wasCut = wasEnded && !hasPlayed
        isOfDevices =
            outcome == .partial || outcome == .failed && faults.contains { $0.end.result?.isFailed ?? true }
        let ordered = faults.filter(\.part.isRequired) + faults.filter { !$0.part.isRequired }
        let sentences = ordered.map { part, end in
            let optional = part.isRequired ? "" : " (not required)"
            return "\"\(part.output)\"\(optional): \(end.reason ?? "it was not heard to its end")"
        }
        reason = isNamed && !sentences.isEmpty ? sentences.joined(separator: "; ") : nil
    }
}

extension OutputPart.End {
    /// Whether the part failed, or broke off by itself.
    var isFault: Bool {
        switch outcome {
        case .failed: true
        case .interrupted: result?.end != .stopped
        default: false
        }
    }
}

extension JobResult {
    var isFailed: Bool { if case .failed = end { true } else { false } }

    /// The end of a part that did not answer.
    init(unansweredAt now: Instant, _ part: OutputPart, reason: String) {
        self.init(
            end: .failed(reason: reason), startedAt: part.startedAt, endedAt: now, device: part.device,
            rateHz: 0, framesWritten: 0, framesPlayed: 0, dropouts: 0, gainDb: 0)
    }

    /// The end of a part that ended in an earlier run of the program, from its proof.
    init(_ part: OutputPart, _ proof: OutputProof, at now: Instant) {
        self.init(
            end: .completed, startedAt: part.startedAt, endedAt: now, device: proof.device,
            rateHz: proof.rate ?? 0, framesWritten: proof.framesDecoded, framesPlayed: proof.framesPlayed,
            dropouts: proof.dropouts, gainDb: proof.gainDb ?? 0)
    }
}

extension OutputProof {
    init(
        _ part: OutputPart, _ outcome: Outcome, _ result: JobResult, reason: String?,
        of announcement: Announcement, in zone: Zone
    ) {
        self.init(
            name: part.output, outcome: Ending(rawValue: outcome.rawValue) ?? .failed,
            volume: part.volumePercent, quiet: part.quiet)
        started = part.startedAt.map { InstantText.rfc3339($0, in: zone, milliseconds: true) }
        latenessMs = part.startedAt.map { (($0 - announcement.at) * 10_000).rounded() / 10 }
        device = result.device
        rate = result.rateHz > 0 ? result.rateHz : nil
        framesDecoded = result.framesWritten
        framesPlayed = result.framesPlayed
        dropouts = result.dropouts
        gainDb = result.rateHz > 0 ? (result.gainDb * 10).rounded() / 10 : nil
        self.reason = reason
    }
}

extension [OutputShare] {
    /// The outputs that windows and mutes silence, for records.
    var silenced: [OutputProof] {
        filter { $0.isSilent && $0.quiet != nil }.map {
            OutputProof(name: $0.output, outcome: .quiet, volume: 0, quiet: $0.quiet)
        }
    }
}

extension SavedState.Underway.Output {
    init(_ part: OutputPart) {
        self.init(
            output: part.output, volumePercent: part.volumePercent, quiet: part.quiet,
            startedAt: part.startedAt, device: part.device, proof: part.end?.proof)
    }
}
