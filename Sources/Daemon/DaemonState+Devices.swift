import Announcements
import Protocol
import Settings
import Texts

/// A test that plays the time signal on one device, so that a person hears whether it is the right one.
package struct DeviceTest: Sendable, Equatable {
    package let request: RequestID
    package let device: String
    /// The volume in percent.
    package let volume: Int

    package init(request: RequestID, device: String, volume: Int) {
        (self.request, self.device, self.volume) = (request, device, volume)
    }
}

extension DaemonState {
    /// Tries one device. A caller that acts for another person must choose a device that the files or the machine list: ALSA's
    /// own syntax can open files.
    mutating func testDevice(
        _ asked: TestDeviceParameters, _ id: RequestID, from peer: Peer, _ batch: inout EffectBatch
    ) throws(ControlError) {
        let loudest = inputs.config.control.loudestPercent
        guard asked.volume <= loudest else {
            throw .settingInvalid(
                key: "volume", value: "\(asked.volume)",
                reason: "it is above \(loudest), the loudest that [control] loudest lets commands play")
        }
        let test = DeviceTest(request: id, device: asked.device, volume: asked.volume)
        try refuseTest(at: batch)
        guard peer.claim.role == nil || namedDevices.contains(asked.device) else {
            return batch.add(.findDevice(test))
        }
        try play(test, &batch)
    }

    mutating func deviceFound(_ test: DeviceTest, isListed: Bool, _ batch: inout EffectBatch) {
        do throws(ControlError) {
            guard isListed else {
                throw .audioUnavailable(
                    device: test.device,
                    reason: "this machine lists no such device; GetDevices names those that it lists")
            }
            try refuseTest(at: batch)
            try play(test, &batch)
        } catch {
            batch.add(.reply(test.request, .refused(error)))
        }
    }

    /// The devices that are known without looking at the machine.
    var namedDevices: [String] {
        var devices = inputs.config.allDevices
        for name in inputs.layered.files.config.allDevices + ["default"] where !devices.contains(name) {
            devices.append(name)
        }
        return devices
    }

    /// The output whose loudspeaker a device is; the first output if the device belongs to none.
    private func output(of device: String) -> OutputSettings {
        let outputs = inputs.config.allOutputs
        return outputs.first { $0.devices.contains(device) } ?? outputs[0]
    }

    /// Plays the test. A quiet window limits or refuses it like any other sound, whoever asks for it.
    private mutating func play(_ test: DeviceTest, _ batch: inout EffectBatch) throws(ControlError) {
        let output = output(of: test.device)
        let announcement = try testWithVolumes(
            Announcement(testingDeviceAt: test.volume, serial: tokens + 1, at: batch.now),
            on: hasOutputs ? [output.name] : [], despiteQuiet: false, now: batch.now)
        let share = OutputShare(
            output: output.name, volumePercent: announcement.volumePercent, quiet: announcement.quiet)
        let index = jobs.endIndex
        _ = add(announcement, .playing)
        jobs[index].parts = [OutputPart(output, share, devices: [test.device])]
        jobs[index].parts[0].prerollSeconds = 0
        jobs[index].calledAt = batch.now
        jobs[index].waiting = test.request
        jobs[index].strict = true
        jobs[index].onlyDevice = test.device
        batch.add(.cue(order(for: jobs[index])))
        batch.add(.start(token: jobs[index].token))
    }
}
