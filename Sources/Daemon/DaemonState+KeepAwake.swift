import Announcements
import PrayerEngine
import Protocol
import Settings

/// The tone that keeps one loudspeaker awake.
struct Tone: Sendable {
    /// When something, a tone or a sound, was last heard from the device; and when the tone began.
    var awakeAt: Instant
    var startedAt: Instant?
    /// Whether the devices are to be tried once the tone is over.
    var isLookOwed = false
    /// The number of consecutive tones that failed, and whether the last one did.
    var failures = 0
    var hasFailed = false
}

/// The tones by the names of their outputs.
struct Tones: Sendable {
    private var all: [String: Tone] = [:]

    /// - Parameter start: the start of the program, before which nothing is known to have been heard.
    subscript(_ output: String, since start: Instant) -> Tone {
        get { all[output] ?? Tone(awakeAt: start) }
        set { all[output] = newValue }
    }

    mutating func shift(by seconds: Double) {
        for (output, tone) in all {
            all[output]?.awakeAt = tone.awakeAt + seconds
            all[output]?.startedAt = tone.startedAt.map { $0 + seconds }
        }
    }
}

/// Plays a tone that keeps a loudspeaker from falling asleep (`keep-awake`). Playback makes the tone; a cue ends it.
extension DaemonState {
    /// Seconds between a tone and a cue.
    package static let keepAwakeDistanceSeconds = 30.0
    /// Seconds for which the tone occupies the device: its own two, and the time to open it.
    package static let toneSeconds = 6.0
    /// The number of consecutive failed tones after which an output is considered dead.
    private static let mostToneFailures = 3

    private func tone(_ output: String) -> Tone { tones[output, since: startedAt] }

    /// Whether a tone may be using a device.
    func isToneSounding(at now: Instant) -> Bool {
        inputs.config.allOutputs.contains { output in
            tone(output.name).startedAt.map { $0 <= now && now < $0 + Self.toneSeconds } ?? false
        }
    }

    /// Plays the tones that are due, and tries the devices that had to wait for one.
    mutating func keepAwake(_ batch: inout EffectBatch) {
        let outputs = inputs.config.allOutputs
        for output in outputs where tone(output.name).isLookOwed && !isToneSounding(at: batch.now) {
            tones[output.name, since: startedAt].isLookOwed = false
            checkDevices(of: output, &batch)
        }
        if !devices.owedLooks.isEmpty, reasonToSpareDevices(at: batch.now) == nil {
            for output in outputs where devices.owedLooks.contains(output.name) {
                checkDevices(of: output, &batch)
            }
            devices.owedLooks = []
        }
        // A sound that this same event prepared and dropped has used the device.
        if batch.hasCued { cues.lastAt = batch.now }
        for output in outputs {
            guard let due = nextTone(of: output, at: batch.now), due <= batch.now else { continue }
            var tone = tone(output.name)
            if !tone.hasFailed { tone.failures = 0 }
            (tone.awakeAt, tone.startedAt, tone.hasFailed) = (batch.now, batch.now, false)
            tones[output.name, since: startedAt] = tone
            batch.add(.keepAwake(output: output.name, devices: output.devices))
            batch.explain(
                hasOutputs
                    ? "a tone keeps the loudspeaker of \"\(output.name)\" awake"
                    : "a tone keeps the loudspeaker awake")
        }
    }

    /// Counts failed tones: three in a row reveal a dead loudspeaker before an adhan does.
    mutating func toneFailed(on output: String, _ reason: String, _ batch: inout EffectBatch) {
        guard hasOutputs, inputs.config.outputs.contains(where: { $0.name == output }) else { return }
        var tone = tone(output)
        guard !tone.hasFailed else { return }
        (tone.failures, tone.hasFailed) = (tone.failures + 1, true)
        tones[output, since: startedAt] = tone
        guard tone.failures >= Self.mostToneFailures else { return }
        let wasHealthy = health[output].healthy
        health[output].failed(reason, at: batch.now)
        guard wasHealthy else { return }
        var fields = Notice.Fields(reason: reason)
        fields.output = output
        batch.publish(.audioLost, .warning, "nothing would be heard on \"\(output)\" now: \(reason)", fields)
    }

    /// When a tone is next due; `nil` while something sounds or is about to.
    func keepAwakeTimer(at now: Instant) -> Instant? {
        let outputs = inputs.config.allOutputs
        let tones = outputs.map { tone($0.name) }
        let look = tones.contains(where: \.isLookOwed) ? tones.compactMap(\.startedAt).max() : nil
        return ([look.map { $0 + Self.toneSeconds }] + outputs.map { nextTone(of: $0, at: now) })
            .compactMap(\.self).filter { $0 > now }.min()
    }

    private func nextTone(of output: OutputSettings, at now: Instant) -> Instant? {
        guard let interval = output.keepAwakeSeconds, !output.devices.isEmpty, trust.trusted,
            !stopping, jobs.isEmpty
        else { return nil }
        var at = max(min(tone(output.name).awakeAt, now) + interval, now)
        if let cued = cues.lastAt, cued <= now { at = max(at, cued + Self.keepAwakeDistanceSeconds) }
        // Computed last, because windows of two days over every output cost more than the times of all announcements.
        let coming = plan(at: now).after(now)
        // A preflight at that time needs the device.
        for entry in coming {
            let preflightAt = entry.announcement.at - Self.preflightLeadSeconds
            if abs(preflightAt - at) <= Self.toneSeconds, isToSound(entry) {
                at = preflightAt + Self.toneSeconds
            }
        }
        guard let allowed = toneAllowed(from: at, on: output.name) else { return nil }
        at = allowed
        let reach =
            Self.cueLeadSeconds + longestOutputLeadSeconds + Self.toneSeconds
            + Self.keepAwakeDistanceSeconds
        let isNear = coming.contains { $0.announcement.at < at + reach && isToSound($0) }
        return isNear ? nil : at
    }

    /// Shifts the tones with the clock: elapsed time counts, whatever the clock is set to.
    mutating func shiftTone(by seconds: Double) {
        tones.shift(by: seconds)
        cues.lastAt = cues.lastAt.map { $0 + seconds }
    }
}
