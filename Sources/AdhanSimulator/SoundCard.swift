import AdhanCore
import PrayerEngine

/// Playback as the daemon sees it: one sound at a time, reports that come a moment later, and faults.
struct SoundCard {
    private struct Sound {
        let token: Int
        let duration: Double
        var isSounding = false
        var startedAt: Instant?
        /// Reports still to come, in order of their time.
        var due: [(at: Double, report: Report)] = []
    }

    private enum Report {
        case cued, began, dropout, substituted, missing, lost, found
        case ended(PlaybackProof.End)
    }

    private var sounds: [Sound] = []
    /// What the next sounds meet.
    var faults: [Scenario.DeviceFault] = []
    /// Durations differ by token, so that long adhans overlap with what follows.
    private static let durations = [2.9, 8.5, 10.8, 200, 8.5, 45]

    var nextEvent: Double { sounds.compactMap { $0.due.first?.at }.min() ?? .infinity }

    mutating func cue(_ request: PlayRequest, at elapsed: Double) {
        let full = Self.durations[request.token % Self.durations.count]
        var sound = Sound(
            token: request.token, duration: max(0.1, min(full, request.limit ?? full) - request.position))
        switch faults.last {
        case .failsAtCue:
            faults.removeLast()
            sound.due = [(elapsed + 0.05, .ended(.failed(reason: "out of memory")))]
        case .soundMissing:
            faults.removeLast()
            sound.due = [(elapsed, .missing), (elapsed + 0.05, .cued)]
        default: sound.due = [(elapsed + 0.05, .cued)]
        }
        sounds.append(sound)
    }

    /// Returns whether anything will be heard of it.
    mutating func start(_ token: Int, at elapsed: Double) -> Bool {
        guard let index = sounds.firstIndex(where: { $0.token == token }) else { return false }
        if case .ended? = sounds[index].due.first?.report { return false }
        for other in sounds.indices where other != index && sounds[other].isSounding {
            sounds[other].due = [(elapsed + 0.03, .ended(.stopped))]
        }
        sounds[index].isSounding = true
        let (half, end) = (elapsed + sounds[index].duration / 2, elapsed + sounds[index].duration)
        let story: [(Double, Report)] =
            switch faults.popLast() {
            case .fails: [(end, .ended(.failed(reason: "no such device")))]
            case .substitutes:
                [(elapsed, .substituted), (elapsed + 0.002, .began), (end, .ended(.completed))]
            case .dropsOut: [(elapsed + 0.002, .began), (half, .dropout), (end, .ended(.completed))]
            case .lostAndFound:
                [(elapsed + 0.002, .began), (half, .lost), (half + 1, .found), (end, .ended(.completed))]
            case .lost:
                [
                    (elapsed + 0.002, .began), (half, .lost),
                    (end, .ended(.failed(reason: "the device was unplugged"))),
                ]
            case .isSlow: [(elapsed + 1.5, .began), (max(end, elapsed + 2), .ended(.completed))]
            case .failsAtCue, .soundMissing, nil: [(elapsed + 0.002, .began), (end, .ended(.completed))]
            }
        sounds[index].due += story.map { (at: $0.0, report: $0.1) }
        // What was cued this very moment says so before it sounds.
        sounds[index].due.sort { $0.at < $1.at }
        return !story.contains { if case .ended(.failed) = $0.1 { story.count == 1 } else { false } }
    }

    mutating func stop(_ token: Int, fade: Double, at elapsed: Double) {
        guard let index = sounds.firstIndex(where: { $0.token == token }) else { return }
        sounds[index].due = [(elapsed + (sounds[index].isSounding ? fade : 0), .ended(.stopped))]
    }

    /// What is to be told now, if anything.
    mutating func due(at elapsed: Double, now: Instant) -> (token: Int, report: PlaybackReport)? {
        guard let index = sounds.firstIndex(where: { ($0.due.first?.at ?? .infinity) <= elapsed }) else {
            return nil
        }
        let report = sounds[index].due.removeFirst().report
        let sound = sounds[index]
        let told: PlaybackReport =
            switch report {
            case .cued: .cued(device: "default", duration: sound.duration)
            case .began: .began(at: now, device: "default")
            case .dropout: .dropout(count: 1, device: "default")
            case .substituted: .substituted(sound: "standard", reason: "it is damaged")
            case .missing: .soundMissing(name: "standard", searched: ["/var/lib/adhand/sounds"])
            case .lost: .deviceLost(device: "default", reason: "no such device")
            case .found: .deviceRecovered(device: "default")
            case .ended(let end): .ended(proof(of: sound, end, at: now))
            }
        if case .began = report { sounds[index].startedAt = now }
        if case .ended = report { sounds.remove(at: index) }
        return (sound.token, told)
    }

    private func proof(of sound: Sound, _ end: PlaybackProof.End, at now: Instant) -> PlaybackProof {
        let frames = sound.startedAt == nil ? 0 : Int(sound.duration * 44_100)
        return PlaybackProof(
            end: end, startedAt: sound.startedAt, endedAt: now, device: "default", rate: 44_100,
            framesDecoded: frames, framesPlayed: frames, dropouts: 0, gainDb: 0)
    }

    /// The machine slept; what sounded is over or goes on late.
    mutating func slept(until elapsed: Double) {
        for index in sounds.indices {
            sounds[index].due = sounds[index].due.map { (max($0.at, elapsed), $0.report) }
        }
    }

    mutating func silence() {
        sounds = []
    }
}
