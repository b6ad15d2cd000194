internal import Daemon
internal import Host
internal import Playback
internal import PrayerEngine
internal import Protocol
internal import Recording
internal import Settings
internal import Texts

/// Resolves the names of sounds into files, with their loudness.
struct SoundLibrary {
    let folders: SoundFolders
    /// Replaces a sound that cannot be played.
    let signal: String
    /// Measurements of this run: of files that were copied by hand when they were read, and of every file before it is called.
    private var measured: [String: Found] = [:]

    struct Found {
        let stamp: SoundMeasurement.Stamp
        let info: SoundInfo
        let loudness: Loudness
    }

    /// The most measurements that are kept; no configuration names as many files.
    private static let mostMeasured = 256

    init(_ folders: SoundFolders) {
        self.folders = folders
        signal = folders.shipped + "/signal.mp3"
    }

    /// The file with the gain that brings it to the common loudness; without gain where it has not been measured yet. Shipped
    /// sounds have that loudness.
    private func sound(_ path: String) -> SoundFile {
        var sound = SoundFile(path: path)
        if let kept = folders.measurement(of: path) {
            let loudness = Loudness(integratedLufs: kept.loudnessLufs, truePeakDb: kept.truePeakDb)
            // A person may have added a damaged recording on purpose: its readable part is then all that is expected.
            sound = SoundFile(path: path, gainDb: loudness.gainDb, seconds: kept.durationSeconds)
            (sound.audibleShare, sound.accepted) = (kept.audibleShare, kept.accepted)
        }
        // A later measurement takes precedence: a memory card may change the file.
        if let found = validFinding(path) {
            sound.gainDb = folders.isShipped(path) ? 0 : found.loudness.gainDb
            sound.objection = sound.unaccepted(found.info.objection)
            sound.audibleShare = found.info.audibleShare
            sound.seconds = sound.objection == nil ? found.info.durationSeconds : nil
        }
        return sound
    }

    func validFinding(_ path: String) -> Found? {
        guard let known = measured[path], known.stamp == SoundFolders.stamp(of: path) else { return nil }
        return known
    }

    /// The files among these that should be measured before they are played.
    func unmeasured(_ sounds: [SoundFile]) -> [String] {
        sounds.map(\.path).filter {
            !folders.isShipped($0) && folders.measurement(of: $0) == nil && validFinding($0) == nil
        }
    }

    /// All files that a configuration may play and that should be measured before.
    func unmeasured(in config: Config) -> [String] {
        let files = SoundUse.all(in: config).compactMap { use -> SoundFile? in
            guard case .file(let path) = folders.find(use.sound, for: use.prayer) else { return nil }
            return SoundFile(path: path)
        }
        return Array(Set(unmeasured(files)))
    }

    /// Decodes a whole file: seconds on a slow machine, and not for the daemon's queue. Nil where it does not decode.
    static func measure(_ path: String) -> Found? {
        guard let stamp = SoundFolders.stamp(of: path),
            let (info, loudness) = try? SoundProbe.measure(path: path),
            stamp == SoundFolders.stamp(of: path)
        else { return nil }
        return Found(stamp: stamp, info: info, loudness: loudness)
    }

    mutating func remember(_ path: String, _ found: Found, in journal: Journal) {
        // A preflight measures the same file again before every prayer: an unchanged result is not news.
        let known = self.validFinding(path)
        if measured.count >= Self.mostMeasured { measured.removeAll() }
        measured[path] = found
        guard known?.loudness != found.loudness || known?.info.verdict != found.info.verdict else { return }
        if folders.measurement(of: path) == nil, !folders.isShipped(path) {
            let loudness =
                found.loudness.integratedLufs.map { "\(NumberText.decimals($0, 1)) LUFS" } ?? "too short"
            let gain = NumberText.decimals(found.loudness.gainDb, 1)
            journal.log(.info, "measured \"\(path)\": \(loudness), so it is played at \(gain) dB")
        }
        if let objection = sound(path).objection {
            let instead = objection.isReplaced ? "the time signal is played instead; " : ""
            journal.log(
                .warning,
                "\"\(path)\" is not fit to be called: \(objection); \(instead)"
                    + "add another recording with \"adhanctl sound add\"")
        } else if let caution = found.info.verdict.caution {
            journal.log(.warning, "listen to \"\(path)\" before it is called: \(caution)")
        }
    }

    /// Finds a file. A person who requests a sound by its name wants to hear it, even if it was made only for another prayer.
    private func find(_ name: String, for job: JobOrder) -> SoundFolders.Finding {
        let found = folders.find(name, for: job.prayer)
        guard job.strict, case .missing = found else { return found }
        let others = Prayer.allCases.lazy.map { folders.find(name, for: $0) }
        return others.first { if case .file = $0 { true } else { false } } ?? found
    }

    /// The order for one output.
    struct PlacedOrder: Sendable {
        let output: String
        let order: PlayerOrder
    }

    /// The orders for playback, one for each output, and the names without a file.
    func orders(for job: JobOrder) -> (parts: [PlacedOrder], missing: [(name: String, searched: [String])]) {
        var missing: [(name: String, searched: [String])] = []
        let sounds = job.sounds.filter { $0 != AdhanSettings.silent }.map { name in
            switch find(name, for: job) {
            case .file(let path): return sound(path)
            case .missing(let searched):
                missing.append((name, searched))
                return sound(signal)
            }
        }
        let fallback = job.strict ? nil : sound(signal)
        let parts = job.outputs.map { output in
            let order = PlayerOrder(
                id: String(job.token), sounds: sounds, fallback: fallback,
                gainDb: VolumeScale.gainDb(percent: output.volumePercent), devices: output.devices,
                prerollSeconds: output.prerollSeconds, latencySeconds: output.latencySeconds,
                fadeInSeconds: job.fadeInSeconds, fadeOutSeconds: output.fadeOutSeconds,
                positionSeconds: output.positionSeconds, limitSeconds: output.limitSeconds,
                patienceSeconds: job.patienceSeconds, heardAtUnixSeconds: job.heardAt?.unixSeconds)
            return PlacedOrder(output: output.name, order: order)
        }
        return (parts, missing)
    }
}

extension PlayerEvent {
    /// The job, and the event in the terms of the daemon's state.
    var translated: (token: Int, event: JobEvent)? {
        let report: (id: String, event: JobEvent)? =
            switch self {
            case .cued(let id, let device, _, let durationSeconds):
                (id, .cued(device: device, durationSeconds: durationSeconds))
            case .began(let id, let at, let device, _):
                (id, .began(at: .init(unixSeconds: at), device: device))
            case .dropout(let id, let count, let device): (id, .dropout(count: count, device: device))
            case .substituted(let id, let path, let reason): (id, .substituted(sound: path, reason: reason))
            case .deviceLost(let id, let device, let reason):
                (id, .deviceLost(device: device, reason: reason))
            case .deviceRecovered(let id, let device): (id, .deviceRecovered(device: device))
            case .noDevice(let id, let reason, let next): (id, .noDevice(reason: reason, next: next))
            case .damaged(let id, let reason): (id, .soundDamaged(reason: reason))
            case .trouble(let id, let reason): (id, .trouble(reason: reason))
            // The tone that keeps a device awake belongs to no job.
            case .toneFailed: nil
            case .ended(let result): (result.id, .ended(JobResult(result)))
            }
        guard let report, let token = Int(report.id) else { return nil }
        return (token, report.event)
    }
}

extension JobResult {
    fileprivate init(_ result: PlayerResult) {
        let end: End =
            switch result.outcome {
            case .completed, .limited: .completed
            case .stopped: .stopped
            case .failed(let reason): .failed(reason: reason)
            }
        self.init(
            end: end, startedAt: result.startedAtUnixSeconds.map { .init(unixSeconds: $0) },
            endedAt: .init(unixSeconds: result.endedAtUnixSeconds), device: result.device,
            rateHz: result.rateHz, framesWritten: result.framesWritten, framesPlayed: result.framesPlayed,
            dropouts: result.dropouts, gainDb: result.gainDb,
            audible: result.audibleShare.map {
                Audible(
                    share: $0, measuredShare: result.measuredShare, leastShare: result.leastAudibleShare)
            })
    }
}
