package import PrayerEngine
import Protocol
import Settings

/// Whether sound came out of a device when it was last used or tried. It speaks of that device alone: of another one nothing is
/// known until somebody looks.
package struct AudioHealth: Sendable, Equatable {
    package private(set) var healthy = true
    package private(set) var lastError: String?
    /// `nil` until the devices in use were checked.
    package private(set) var checkedAt: Instant?
    /// The device that opened then.
    package private(set) var device: String?
    /// When something was last heard from it.
    package private(set) var heardAt: Instant?

    mutating func failed(_ reason: String, at now: Instant) {
        self = AudioHealth()
        (healthy, lastError, checkedAt) = (false, reason, now)
    }

    /// The device opens; nothing was heard from it.
    mutating func passed(on device: String, at now: Instant) {
        let heardAt = device == self.device ? heardAt : nil
        self = AudioHealth()
        (self.device, self.heardAt, checkedAt) = (device, heardAt, now)
    }

    /// - Parameter afterTrouble: whether the same sound had trouble before, which is reported as long as nothing else is heard.
    mutating func recordPlayed(on device: String, afterTrouble: Bool, at now: Instant) {
        let error = afterTrouble ? lastError : nil
        self = AudioHealth()
        (self.device, heardAt, checkedAt, lastError) = (device, now, now, error)
    }

    /// Other devices may be in use from now on.
    mutating func devicesChanged(to devices: [String]) {
        if let device, devices.contains(device) { return }
        self = AudioHealth()
    }
}

extension DaemonState {
    /// Has the devices tried, where nothing needs them now.
    mutating func checkDevices(_ batch: inout EffectBatch) {
        guard !isToneSounding(at: batch.now) else {
            isLookOwed = true
            return
        }
        guard reasonToSpareDevices(at: batch.now) == nil, !inputs.config.devices.isEmpty else { return }
        batch.add(.tryDevices(output: QuietWindow.mainOutput, devices: inputs.config.devices))
    }

    mutating func devicesTried(_ look: DeviceLook, _ batch: inout EffectBatch) {
        // Other sounds that play meanwhile know better, and devices that are no longer in use do not count.
        guard look.devices == inputs.config.devices, !jobs.contains(where: { $0.hasDevice }) else { return }
        let before = audio
        noteDevice(look.device, look.problems.map(Reason.stated), at: batch.now)
        if let device = look.device, look.problems.isEmpty {
            audio.passed(on: device, at: batch.now)
            if !before.healthy {
                batch.publish(
                    .audioRecovered, .notice, "\"\(device)\" opens again", Notice.Fields(device: device))
            }
        } else {
            let reason = look.problems.map(Reason.stated).joined(separator: "; ")
            audio.failed(reason, at: batch.now)
            // The continuation is no news, in whatever words.
            guard before.healthy else { return }
            batch.publish(
                .audioLost, .warning, "nothing would be heard now: \(reason)", Notice.Fields(reason: reason))
        }
    }
}
