import PrayerEngine
import Protocol
import Settings

/// When a tone keeps a loudspeaker from falling asleep (`[audio] keep-awake`). Playback makes the tone; a cue ends it.
extension DaemonState {
    /// Seconds from a tone to a cue, and from a cue to a tone.
    package static let keepAwakeDistanceSeconds = 30.0
    /// Seconds that the tone has the device for: its two, and what opening may take.
    package static let toneSeconds = 6.0

    /// Whether the device may be in use by the tone.
    func isToneSounding(at now: Instant) -> Bool {
        toneAt.map { $0 <= now && now < $0 + Self.toneSeconds } ?? false
    }

    /// Has the tone made when it is due, and the look at the devices that had to wait for it.
    mutating func keepAwake(_ batch: inout EffectBatch) {
        if isLookOwed, !isToneSounding(at: batch.now) {
            isLookOwed = false
            checkDevices(&batch)
        }
        // One that this very event prepared and dropped has had the device.
        if batch.hasCued { cuedAt = batch.now }
        guard let due = nextTone(at: batch.now), due <= batch.now else { return }
        (awakeAt, toneAt) = (batch.now, batch.now)
        batch.add(.keepAwake(output: QuietWindow.mainOutput, devices: inputs.config.devices))
        batch.explain("a tone keeps the loudspeaker awake")
    }

    /// When something has to be done about it next; `nil` while something sounds or is about to.
    func keepAwakeTimer(at now: Instant) -> Instant? {
        let look = isLookOwed ? toneAt.map { $0 + Self.toneSeconds } : nil
        return [look, nextTone(at: now)].compactMap(\.self).filter { $0 > now }.min()
    }

    private func nextTone(at now: Instant) -> Instant? {
        guard let interval = inputs.config.keepAwakeSeconds, !inputs.config.devices.isEmpty, trust.trusted,
            !stopping, jobs.isEmpty
        else { return nil }
        var at = max(min(awakeAt, now) + interval, now)
        if let cuedAt, cuedAt <= now { at = max(at, cuedAt + Self.keepAwakeDistanceSeconds) }
        let coming = plan(at: now).filter { now < $0.announcement.at && isToSound($0) }.map(\.announcement.at)
        // A preflight at that time needs the device for itself.
        for instant in coming where abs(instant - Self.preflightLeadSeconds - at) <= Self.toneSeconds {
            at = instant - Self.preflightLeadSeconds + Self.toneSeconds
        }
        guard let allowed = toneAllowed(from: at) else { return nil }
        at = allowed
        let lead = Self.cueLeadSeconds + inputs.config.prerollSeconds
        let isNear = coming.contains { $0 - lead < at + Self.toneSeconds + Self.keepAwakeDistanceSeconds }
        return isNear ? nil : at
    }

    /// Elapsed time counts, whatever the clock is set to.
    mutating func shiftTone(by seconds: Double) {
        awakeAt = awakeAt + seconds
        toneAt = toneAt.map { $0 + seconds }
        cuedAt = cuedAt.map { $0 + seconds }
    }
}
