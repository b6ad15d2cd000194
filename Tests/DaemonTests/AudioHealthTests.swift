import BoxSupport
import PrayerEngine
import Testing

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Protocol
@testable import Settings

@Suite("What is said of the sound device") struct AudioHealthTests {
    private func box(_ devices: [String] = ["default"]) throws -> Box {
        var config = Config.default
        config.devices = devices
        return try Box("2026-11-20T16:00:00-05:00", config: config)
    }

    private func tried(_ device: String?, of devices: [String] = ["default"], _ problems: [String] = [])
        -> Event
    {
        .devicesTried(DeviceTrial(devices: devices, device: device, problems: problems))
    }

    private func maghrib(_ box: Box) throws -> Instant {
        try #require(box.timers.first { $0.name == "maghrib_20261120" }).at
    }

    private func audio(_ box: Box) -> StatusDocument.Audio { box.state.status(at: box.now).audio }
    private func line(_ box: Box) -> String { StatusFacts.audio(box.state.status(at: box.now)).text }

    @Test("Nothing is green before somebody looked, and nothing is red either")
    func unknown() throws {
        var box = try box()
        #expect(!audio(box).healthy && !audio(box).hasFailed)
        #expect(line(box).contains("not used yet"))
        box.handle(tried("default"))
        #expect(audio(box).healthy && audio(box).device == "default" && audio(box).heardAt == nil)
        #expect(line(box).hasPrefix("\"default\" opened at 16:00"))
        box.handle(tried(nil, ["cannot open \"default\": No such device"]))
        #expect(audio(box).hasFailed)
        box.handle(tried("default"))
        #expect(audio(box).healthy && audio(box).lastError == nil)
    }

    @Test("What was heard on one device says nothing of another")
    func changed() throws {
        var box = try box()
        box.run(until: try maghrib(box))
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.run(for: 10.8)
        box.end(token: token)
        #expect(audio(box).healthy && line(box).contains("healthy on \"default\", last heard"))
        var config = Config.default
        config.devices = ["nodev"]
        box.handle(.inputsLoaded(try Box.inputs(config), .reload(nil)))
        #expect(!audio(box).healthy && audio(box).checkedAt == nil)
        guard
            case .tryDevices(_, ["nodev"])? = box.effects.last(where: {
                if case .tryDevices = $0 { true } else { false }
            })
        else {
            Issue.record("nobody looks at the new device")
            return
        }
        // A look at devices that are no longer in use comes too late.
        box.handle(tried("default"))
        #expect(!audio(box).healthy)
        box.handle(tried(nil, of: ["nodev"], ["cannot open \"nodev\": No such file or directory"]))
        #expect(audio(box).hasFailed && line(box).contains("cannot open \"nodev\""))
    }

    @Test("While no device is there, nothing is playing; and once all is well, nobody speaks of it any more")
    func unplugged() throws {
        var box = try box()
        box.run(until: try maghrib(box))
        let token = try #require(box.effects.started.last)
        box.handle(
            .playback(
                token: token, .noDevice(reason: "cannot open \"default\": No such device", next: "trying")))
        var status = box.state.status(at: box.now)
        #expect(status.playback.state == .playing && status.playback.problem != nil)
        #expect(StatusFacts.playback(status.playback).contains("cannot be heard now"))
        let row = try #require(status.prayers.first { $0.prayer == "maghrib" })
        #expect(StatusText.state(of: row, in: status).word == "not heard")
        #expect(WaybarDocument(status).class == .problem)
        box.begin(token: token)
        status = box.state.status(at: box.now)
        #expect(status.playback.problem == nil && WaybarDocument(status).class == .playing)
        box.handle(.playback(token: token, .deviceLost(device: "default", reason: "No such device")))
        #expect(box.state.status(at: box.now).playback.problem == "\"default\": No such device")
        box.handle(.playback(token: token, .deviceRecovered(device: "default")))
        #expect(box.state.status(at: box.now).playback.problem == nil)
        // Reported for this sound, and not again for the next.
        #expect(line(box).contains("before that"))
        box.run(for: 10.8)
        box.end(token: token)
        box.handle(tried("default"))
        #expect(!line(box).contains("before that"))
        #expect(line(box).contains("last heard"))
    }
}
