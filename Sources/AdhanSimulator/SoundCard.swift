import AdhanCore
import PrayerEngine

/// Playback as the daemon sees it: one sound at a time, reports that come a moment later, and faults.
struct SoundCard {
    private enum Phase: Equatable {
        case cued, sounding
    }

    private struct Sound {
        let token: Int
        let duration: Double
        var phase = Phase.cued
        var startedAt: Instant?
        /// Reports still to come, in order of their time.
        var due: [(at: Double, report: Report)] = []
    }

    private enum Report {
        case cued, began, dropout, substituted
        case ended(PlaybackProof.End)
    }

    private var sounds: [Sound] = []
    /// What the next sounds meet.
    var faults: [Scenario.DeviceFault] = []
    /// Durations differ by token, so that long adhans overlap with what follows.
    private static let durations = [2.9, 8.5, 10.8, 200, 8.5, 45]

    var nextEvent: Double { sounds.compactMap { $0.due.first?.at }.min() ?? .infinity }
    var isSounding: Bool { sounds.contains { $0.phase == .sounding } }

    mutating func cue(_ request: PlayRequest, at elapsed: Double) {
        let full = Self.durations[request.token % Self.durations.count]
        var sound = Sound(
            token: request.token, duration: max(0.1, min(full, request.limit ?? full) - request.position))
        sound.due = [(elapsed + 0.05, .cued)]
        sounds.append(sound)
    }

    /// Returns whether anything will be heard of it.
    mutating func start(_ token: Int, at elapsed: Double) -> Bool {
        guard let index = sounds.firstIndex(where: { $0.token == token }) else { return false }
        for other in sounds.indices where other != index && sounds[other].phase == .sounding {
            sounds[other].due = [(elapsed + 0.03, .ended(.stopped))]
        }
        sounds[index].phase = .sounding
        let end = elapsed + sounds[index].duration
        switch faults.popLast() {
        case .fails, .neverStarts:
            sounds[index].due.append((end, .ended(.failed(reason: "no such device"))))
            return false
        case .substitutes:
            sounds[index].due += [
                (elapsed, .substituted), (elapsed + 0.002, .began), (end, .ended(.completed)),
            ]
        case .dropsOut:
            sounds[index].due += [
                (elapsed + 0.002, .began), (elapsed + sounds[index].duration / 2, .dropout),
                (end, .ended(.completed)),
            ]
        case nil: sounds[index].due += [(elapsed + 0.002, .began), (end, .ended(.completed))]
        }
        return true
    }

    mutating func stop(_ token: Int, fade: Double, at elapsed: Double) {
        guard let index = sounds.firstIndex(where: { $0.token == token }) else { return }
        let wait = sounds[index].phase == .sounding ? fade : 0
        sounds[index].due = [(elapsed + wait, .ended(.stopped))]
    }

    /// What is to be told now, if anything.
    mutating func due(at elapsed: Double, now: Instant) -> (token: Int, report: PlaybackReport)? {
        guard let index = sounds.firstIndex(where: { ($0.due.first?.at ?? .infinity) <= elapsed }) else {
            return nil
        }
        let report = sounds[index].due.removeFirst().report
        let sound = sounds[index]
        switch report {
        case .cued: return (sound.token, .cued(device: "default", duration: sound.duration))
        case .began:
            sounds[index].startedAt = now
            return (sound.token, .began(at: now, device: "default"))
        case .dropout: return (sound.token, .dropout(count: 1, device: "default"))
        case .substituted: return (sound.token, .substituted(sound: "standard", reason: "it is damaged"))
        case .ended(let end):
            sounds.remove(at: index)
            let frames = sound.startedAt == nil ? 0 : Int(sound.duration * 44_100)
            return (
                sound.token,
                .ended(
                    PlaybackProof(
                        end: end, startedAt: sound.startedAt, endedAt: now, device: "default", rate: 44_100,
                        framesDecoded: frames, framesPlayed: frames, dropouts: 0, gainDb: 0))
            )
        }
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
