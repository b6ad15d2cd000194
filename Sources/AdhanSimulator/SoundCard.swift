import Announcements
import Daemon
import PrayerEngine

/// Playback from the daemon's point of view: one sound at a time, which starts by itself at its instant, reports that arrive
/// later, and faults.
struct SoundCard {
    private struct Sound {
        let token: Int
        let durationSeconds: Double
        /// Seconds of silence with which the device is started.
        let prerollSeconds: Double
        let fadeOutSeconds: Double
        /// The instant at which it starts by itself.
        let startAt: Instant?
        var isSounding = false
        var startedAt: Instant?
        /// Reports still to come, in order of their time.
        var due: [(at: Double, report: Report)] = []

        var isHopeless: Bool {
            if case .ended? = due.first?.report { true } else { false }
        }
    }

    private enum Report {
        case cued, began, dropout, substituted, missing, lost, found, silent, audible
        case ended(JobResult.End, share: Double = 1)
    }

    private var sounds: [Sound] = []
    /// Whether nothing is prepared and nothing sounds.
    var isFree: Bool { sounds.isEmpty }
    /// The conditions that the next sounds meet.
    var faults: [Scenario.DeviceFault] = []
    /// Differs between seeds, so that the first sounds of a box are not always the same short ones.
    let variety: Int

    init(seed: UInt64) {
        variety = Int(seed % 1000)
    }

    /// Seconds. Durations differ by number, so that long adhans overlap with the next announcement; most are short,
    /// because every five seconds of sound are an event.
    private func duration(_ token: Int) -> Double {
        let number = token + variety
        if number % 40 == 17 { return 200 }
        if number % 12 == 8 { return 75 }
        let short = [2.9, 4.5, 10.8, 4.9, 3.4, 4.8, 3.2, 4.9, 2.9, 4.4, 28.5, 3.7, 4.1, 2.2, 4.6, 3.9]
        return short[number % short.count]
    }

    /// Seconds after its instant up to which a sound starts by itself; the daemon decides about later ones.
    private static let toleranceSeconds = 0.5

    mutating func cue(_ order: JobOrder, at elapsed: Double) {
        let (full, output) = (duration(order.token), order.outputs[0])
        var sound = Sound(
            token: order.token,
            durationSeconds: max(0.1, min(full, output.limitSeconds ?? full) - output.positionSeconds),
            prerollSeconds: output.prerollSeconds, fadeOutSeconds: output.fadeOutSeconds,
            startAt: order.heardAt.map { $0 - output.leadSeconds })
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

    /// Returns whether it begins to be heard now.
    mutating func start(_ token: Int, at elapsed: Double) -> Bool {
        guard let index = sounds.firstIndex(where: { $0.token == token }), !sounds[index].isSounding,
            !sounds[index].isHopeless
        else { return false }
        for other in sounds.indices where other != index && sounds[other].isSounding {
            sounds[other].due = [(elapsed + 0.03, .ended(.stopped))]
        }
        sounds[index].isSounding = true
        let seconds = sounds[index].prerollSeconds + sounds[index].durationSeconds
        // A sound that was cued at this moment reports that before it plays.
        let from = max(elapsed, sounds[index].due.last?.at ?? elapsed)
        let story = story(at: from, for: seconds, fault: faults.popLast())
        sounds[index].due += story
        return story.contains { if case .began = $0.report { true } else { false } }
    }

    private func story(at elapsed: Double, for durationSeconds: Double, fault: Scenario.DeviceFault?)
        -> [(at: Double, report: Report)]
    {
        let (half, end) = (elapsed + durationSeconds / 2, elapsed + durationSeconds)
        let began = (at: elapsed + 0.002, report: Report.began)
        let completed = (at: end, report: Report.ended(.completed))
        return switch fault {
        case .fails: [(end, .ended(.failed(reason: "no such device")))]
        case .substitutes: [(elapsed, .substituted), began, completed]
        case .dropsOut: [began, (half, .dropout), completed]
        case .lostAndFound: [began, (half, .lost), (half + 1, .found), (end + 1, .ended(.completed))]
        case .lost: [began, (half, .lost), (end, .ended(.failed(reason: "the device was unplugged")))]
        case .endsEarly: [began, (half, .ended(.completed, share: variety.isMultiple(of: 2) ? 0.7 : 0.95))]
        case .isSlow: [(elapsed + 1.5, .began), (max(end, elapsed + 2), .ended(.completed))]
        case .isMuted: [began, (elapsed + 0.25, .silent), completed]
        case .isMutedAtFirst: [began, (elapsed + 0.25, .silent), (half, .audible), completed]
        case .failsAtCue, .soundMissing, nil: [began, completed]
        }
    }

    mutating func stop(_ token: Int, within limit: Double, at elapsed: Double) {
        guard let index = sounds.firstIndex(where: { $0.token == token }) else { return }
        let sound = sounds[index]
        let fade = sound.isSounding ? min(limit, sound.fadeOutSeconds) : 0
        // The end is no later than that of the sound, or of a fade in progress.
        sounds[index].due = [(min(elapsed + fade, sound.due.last?.at ?? .infinity), .ended(.stopped))]
    }

    /// Whether the sound is prepared or sounds, or its end is yet to be reported.
    func holds(_ token: Int) -> Bool { sounds.contains { $0.token == token } }

    mutating func silence() {
        sounds = []
    }

    // MARK: Events of the card

    /// True seconds at which something happens next.
    func nextEvent(_ wall: WallClockModel, at elapsed: Double) -> Double {
        var next = Double.infinity
        for sound in sounds {
            if let at = sound.due.first?.at { next = min(next, at) }
            if let at = startTime(of: sound, wall, at: elapsed) { next = min(next, at) }
        }
        return next
    }

    /// True seconds at which a sound starts by itself. A clock that jumped over the instant is no reason to start.
    private func startTime(of sound: Sound, _ wall: WallClockModel, at elapsed: Double) -> Double? {
        guard let startAt = sound.startAt, !sound.isSounding, !sound.isHopeless,
            wall.now(elapsed) - startAt <= Self.toleranceSeconds
        else { return nil }
        return max(elapsed, wall.elapsed(at: startAt, from: elapsed))
    }

    /// The sound that starts by itself now, if there is one.
    func dueToStart(_ wall: WallClockModel, at elapsed: Double) -> Int? {
        sounds.first { sound in startTime(of: sound, wall, at: elapsed).map { $0 <= elapsed } ?? false }?
            .token
    }

    /// The event to be reported now, if there is one.
    mutating func due(at elapsed: Double, now: Instant) -> (token: Int, report: JobEvent)? {
        guard let index = sounds.firstIndex(where: { ($0.due.first?.at ?? .infinity) <= elapsed }) else {
            return nil
        }
        let report = sounds[index].due.removeFirst().report
        let sound = sounds[index]
        let event: JobEvent =
            switch report {
            case .cued: .cued(device: "default", durationSeconds: sound.durationSeconds)
            case .began: .began(at: now, device: "default")
            case .dropout: .dropout(count: 1, device: "default")
            case .substituted: .substituted(sound: "standard", reason: "it is damaged")
            case .missing: .soundMissing(name: "standard", searched: ["/var/lib/adhand/sounds"])
            case .lost: .deviceLost(device: "default", reason: "no such device")
            case .found: .deviceRecovered(device: "default")
            case .silent: .deviceSilent(device: "default", reason: "the mixer is muted")
            case .audible: .deviceAudible(device: "default")
            case .ended(let end, let share): .ended(result(of: sound, end, share, at: now))
            }
        if case .began = report { sounds[index].startedAt = now }
        if case .ended = report { sounds.remove(at: index) }
        return (sound.token, event)
    }

    private func result(of sound: Sound, _ end: JobResult.End, _ share: Double, at now: Instant)
        -> JobResult
    {
        let frames = sound.startedAt == nil ? 0 : Int(sound.durationSeconds * share * 44_100)
        return JobResult(
            end: end, startedAt: sound.startedAt, endedAt: now, device: "default", rateHz: 44_100,
            framesWritten: frames, framesPlayed: frames, dropouts: 0, gainDb: 0)
    }

    /// Notes that the machine slept; a sound is over or continues late.
    mutating func slept(until elapsed: Double) {
        for index in sounds.indices {
            sounds[index].due = sounds[index].due.map { (max($0.at, elapsed), $0.report) }
        }
    }
}
