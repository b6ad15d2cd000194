import Foundation
import LabSupport
import Protocol
import Settings
import Testing

/// Health, devices and their test, asked of a real adhand with a sound card that records.
@Suite("Health and devices", .serialized) struct DevicesTests {
    private func health(_ box: LabBox) throws -> [String: HealthCheck] {
        let checks = try box.call(.getHealth).checks
        return Dictionary(uniqueKeysWithValues: checks.map { ($0.name, $0) })
    }

    @Test("Health has doctor's verdicts on what adhand knows, and follows what changes")
    func health() async throws {
        let box = try LabBox()
        try await box.start()
        let before = try health(box)
        #expect(
            Set(before.keys) == [
                "service", "configuration", "clock", "timezone", "location", "timetable", "mosque-times",
                "silence",
                "devices", "sounds", "announcements", "disk",
            ])
        for (name, check) in before where name != "clock" && name != "timezone" && name != "location" {
            #expect(check.verdict == .ok, "\(check)")
        }
        try box.change(.mute, MuteParameters())
        let muted = try #require(try health(box)["silence"])
        #expect(muted.verdict == .problem && muted.fix == "adhanctl unmute", "\(muted)")
        try box.configure("[adhan.asr]\nsound = \"madinah\"\n")
        try box.change(.reload, ReloadParameters())
        let sounds = try #require(try health(box)["sounds"])
        #expect(sounds.verdict == .problem && sounds.message.contains("madinah"), "\(sounds)")
    }

    @Test("Devices are listed and tried; while adhand plays none is opened")
    func devices() async throws {
        let box = try LabBox("[audio]\ndevices = [\"nonsense\", \"default\"]\n")
        try await box.start()
        let found = try box.call(.getDevices).devices
        #expect(found.first?.name == "nonsense" && found.first?.state == .fails, "\(found)")
        #expect(found.first { $0.name == "default" }?.state == .opens, "\(found)")
        try box.trigger("asr")
        #expect(try await box.isPlaying())
        let opened = box.card.diary.count { $0.first == "open" }
        let spared = try box.call(.getDevices).devices
        #expect(spared.allSatisfy { $0.state == .untried && $0.reason == "adhand is using it" }, "\(spared)")
        #expect(box.card.diary.count { $0.first == "open" } == opened)
    }

    @Test("The signal is heard at the volume asked for, and is no part of the record")
    func heard() async throws {
        let box = try LabBox()
        try await box.start()
        let phone = CallerClaim(actor: "Kitchen phone", role: .fresh)
        let asked = TestDeviceParameters(device: "default", volume: 60)
        let reply = try box.change(.testDevice, asked, as: phone)
        #expect(reply.message.hasPrefix("playing the time signal, volume 60, "), "\(reply.message)")
        #expect(try await box.logs("finished"))
        let signal = try Recording.expected(LabBox.audio.appending(path: "signal.mp3"), volume: 60)
        #expect(try #require(distance(box.card.heardS16.prefix(signal.count), signal)) <= 1)
        #expect(box.history.isEmpty)
        let event = try box.call(.getLog, LogParameters()).entries.last { $0.event == "test.finished" }
        #expect(event != nil)
    }

    @Test("With a role a device that nothing lists is not opened, and without one it is")
    func unlisted() async throws {
        let box = try LabBox()
        try await box.start()
        let target = box.directory.appending(path: "captured.raw")
        let device = "file:FILE=\(target.path),FORMAT=raw,SLAVE=null"
        let phone = CallerClaim(actor: "Kitchen phone", role: .fresh)
        #expect {
            try box.change(.testDevice, TestDeviceParameters(device: device, volume: 30), as: phone)
        } throws: { error in
            guard case .audioUnavailable(device, let reason)? = error as? ControlError else { return false }
            return reason.contains("GetDevices")
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
        #expect(throws: ControlError.roleNeeded(.fresh)) {
            try box.change(
                .testDevice, TestDeviceParameters(device: "default", volume: 30),
                as: CallerClaim(actor: "screen", role: .household))
        }
        #expect(throws: ControlError.self) {
            try box.change(.testDevice, TestDeviceParameters(device: "default", volume: 101))
        }
        #expect(throws: ControlError.self) {
            try box.change(.testDevice, TestDeviceParameters(device: "nonsense", volume: 30))
        }
        // It speaks of that device alone.
        #expect(try box.status.audio.healthy)
    }
}
