internal import AdhanCore
internal import Playback
internal import PrayerEngine

/// Turns the names of sounds into files: added sounds stand before shipped ones.
struct SoundLibrary {
    /// What a name leads to.
    enum Finding {
        case file(String)
        case missing(searched: [String])
    }

    /// In the order in which they are searched.
    let directories: [String]
    /// Stands in for what cannot be played.
    let signal: String

    /// `stateDirectory` holds the sounds that people added, `audioDirectory` the shipped ones.
    init(stateDirectory: String, audioDirectory: String) {
        directories = [stateDirectory + "/sounds", audioDirectory]
        signal = audioDirectory + "/signal.mp3"
    }

    func find(_ text: String, for prayer: Prayer) -> Finding {
        let name = SoundName(text)
        var searched: [String] = []
        for candidate in name.candidates(for: prayer) where candidate.hasPrefix("/") {
            searched.append(candidate)
        }
        if searched.isEmpty {
            for directory in directories {
                searched += name.candidates(for: prayer).map { "\(directory)/\($0)" }
            }
        }
        guard let found = searched.first(where: OpenFile.exists) else { return .missing(searched: searched) }
        return .file(found)
    }

    /// The order for playback, and the names for which there is no file.
    func order(for request: PlayRequest) -> (order: PlayOrder, missing: [(name: String, searched: [String])])
    {
        var missing: [(name: String, searched: [String])] = []
        let paths = request.sounds.filter { $0 != AdhanSettings.silent }.map { name in
            switch find(name, for: request.prayer) {
            case .file(let path): return path
            case .missing(let searched):
                missing.append((name, searched))
                return signal
            }
        }
        let order = PlayOrder(
            id: String(request.token),
            sounds: paths.map { SoundFile(path: $0) },
            fallback: request.strict ? nil : SoundFile(path: signal),
            gainDb: VolumeScale.gainDb(percent: request.volume),
            devices: request.devices, preroll: request.preroll, fadeIn: request.fadeIn,
            position: request.position,
            limit: request.limit, patience: request.patience,
            startAt: request.startAt?.unixSeconds)
        return (order, missing)
    }
}

extension PlayReport {
    /// The job it is about, and what it means to the daemon's state.
    var translated: (token: Int, report: PlaybackReport)? {
        let (id, report): (String, PlaybackReport) =
            switch self {
            case .cued(let id, let device, _, let duration): (id, .cued(device: device, duration: duration))
            case .began(let id, let at, let device, _):
                (id, .began(at: .init(unixSeconds: at), device: device))
            case .dropout(let id, let count, let device): (id, .dropout(count: count, device: device))
            case .substituted(let id, let path, let reason): (id, .substituted(sound: path, reason: reason))
            case .deviceLost(let id, let device, let reason):
                (id, .deviceLost(device: device, reason: reason))
            case .deviceRecovered(let id, let device): (id, .deviceRecovered(device: device))
            case .trouble(let id, let reason): (id, .trouble(reason: reason))
            case .ended(let proof): (proof.id, .ended(PlaybackProof(proof)))
            }
        return Int(id).map { ($0, report) }
    }
}

extension PlaybackProof {
    fileprivate init(_ proof: PlayProof) {
        let end: End =
            switch proof.outcome {
            case .completed, .limited: .completed
            case .stopped: .stopped
            case .failed(let reason): .failed(reason: reason)
            }
        self.init(
            end: end, startedAt: proof.startedAt.map { .init(unixSeconds: $0) },
            endedAt: .init(unixSeconds: proof.endedAt), device: proof.device, rate: proof.rate,
            framesDecoded: proof.framesDecoded, framesPlayed: proof.framesPlayed, dropouts: proof.dropouts,
            gainDb: proof.gainDb)
    }
}
