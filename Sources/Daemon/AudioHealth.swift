import Announcements
package import PrayerEngine
import Protocol
import Settings

/// Whether sound came out of a device when it was last used or tried. Nothing is known about other devices until they are tried.
package struct AudioHealth: Sendable, Equatable {
    package private(set) var healthy = true
    package private(set) var lastError: String?
    /// The time of the last check; `nil` until the devices in use were checked.
    package private(set) var checkedAt: Instant?
    /// The device that opened at that check.
    package private(set) var device: String?
    /// The last time at which sound was heard from the device.
    package private(set) var heardAt: Instant?

    mutating func failed(_ reason: String, at now: Instant) {
        self = AudioHealth()
        (healthy, lastError, checkedAt) = (false, reason, now)
    }

    /// Records that the device opens, although nothing was heard from it.
    mutating func passed(on device: String, at now: Instant) {
        let heardAt = device == self.device ? heardAt : nil
        self = AudioHealth()
        (self.device, self.heardAt, checkedAt) = (device, heardAt, now)
    }

    /// - Parameter afterTrouble: whether the same sound had trouble before, which is reported until something else is heard.
    mutating func recordPlayed(on device: String, afterTrouble: Bool, at now: Instant) {
        let error = afterTrouble ? lastError : nil
        self = AudioHealth()
        (self.device, heardAt, checkedAt, lastError) = (device, now, now, error)
    }

    /// Forgets the result if other devices are in use from now on.
    mutating func devicesChanged(to devices: [String]) {
        if let device, devices.contains(device) { return }
        self = AudioHealth()
    }
}

/// The health of each output, by its name.
package struct OutputHealth: Sendable, Equatable {
    private var all: [String: AudioHealth] = [:]

    package subscript(_ output: String) -> AudioHealth {
        get { all[output] ?? AudioHealth() }
        set { all[output] = newValue }
    }

    /// Forgets results of outputs, and of devices, that are no longer in use.
    mutating func outputsChanged(to outputs: [OutputSettings]) {
        all = all.filter { entry in outputs.contains { $0.name == entry.key } }
        for output in outputs { self[output.name].devicesChanged(to: output.devices) }
    }
}

extension DaemonState {
    /// The health of the first output, which represents the sound where no output is named.
    package var audio: AudioHealth { health[inputs.config.allOutputs[0].name] }

    /// Tries the devices that are due for a check, where nothing needs them now.
    mutating func checkDevices(_ batch: inout EffectBatch) {
        for output in inputs.config.allOutputs { checkDevices(of: output, &batch) }
    }

    mutating func checkDevices(of output: OutputSettings, _ batch: inout EffectBatch) {
        guard !isToneSounding(at: batch.now) else {
            tones[output.name, since: startedAt].isLookOwed = true
            return
        }
        guard !output.devices.isEmpty else { return }
        guard reasonToSpareDevices(at: batch.now) == nil else {
            // A sound that plays now proves nothing about the devices that will be used next.
            devices.owedLooks.insert(output.name)
            return
        }
        devices.owedLooks.remove(output.name)
        batch.add(.tryDevices(output: output.name, devices: output.devices))
    }

    mutating func devicesTried(_ trial: DeviceTrial, of output: String, _ batch: inout EffectBatch) {
        // Sounds that have played since are better evidence, and devices that are no longer in use do not count.
        guard inputs.config.allOutputs.first(where: { $0.name == output })?.devices == trial.devices,
            !jobs.contains(where: { $0.hasDevice })
        else { return }
        let before = health[output]
        note(trial.problems.map(Reason.stated), trial.device, of: output, at: batch.now)
        var fields = Notice.Fields(device: trial.device)
        if hasOutputs { fields.output = output }
        if let device = trial.device, trial.problems.isEmpty {
            health[output].passed(on: device, at: batch.now)
            if !before.healthy {
                batch.publish(.audioRecovered, .notice, "\"\(device)\" opens again", fields)
            }
        } else {
            let reason = trial.problems.map(Reason.stated).joined(separator: "; ")
            health[output].failed(reason, at: batch.now)
            // A continuing failure is not news, even in other words.
            guard before.healthy else { return }
            (fields.device, fields.reason) = (nil, reason)
            let place = hasOutputs ? " on \"\(output)\"" : ""
            batch.publish(.audioLost, .warning, "nothing would be heard\(place) now: \(reason)", fields)
        }
    }
}
