import AdhanCore
import PrayerEngine
import Testing

/// What the simulator found, each as a story of its own.
@Suite("Found by the simulator")
struct FoundBySimulatorTests {
    @Test("A cued prayer over whose commit the machine slept is started only after the disk knows of it")
    func sleptOverCommit() throws {
        var box = try Box("2026-11-20T16:32:00-05:00")
        try box.run(until: "2026-11-20T16:32:51-05:00")
        #expect(box.disk?.underway.isEmpty == true)
        let done = try box.during { try $0.sleep(until: "2026-11-20T16:33:20-05:00") }
        let save = try #require(done.firstIndex { if case .save = $0 { true } else { false } })
        let start = try #require(done.firstIndex { if case .start = $0 { true } else { false } })
        #expect(save < start)
    }

    @Test("A clock that leaps for years again and again does not make a called prayer forgotten")
    func leaps() throws {
        var config = Config.default
        for prayer in Prayer.allCases { config[prayer].reminders = [600, 300] }
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.end(token: token)
        let now = box.now
        for days in [40.0, 400, 80] {
            box.now = now + days * 86_400
            box.take(.clockStepped(by: days * 86_400))
        }
        box.now = now + 30
        let done = box.effects(of: .clockStepped(by: -80 * 86_400))
        #expect(box.state.saved.outcome(of: "maghrib_20261120") == .played)
        #expect(done.started.isEmpty)
    }

    @Test("A mute for a duration that a box without a clock wakes up with does not last for decades")
    func muteWithoutClock() throws {
        var box = try Box()
        box.ask(.mute(MuteParameters(duration: "2h")))
        let until = try #require(box.disk?.mute?.until)
        let boot = try instant("1970-01-01T00:00:10Z")
        var state = DaemonState(world: try Box.world(.default), saved: box.disk, recorded: [], now: boot)
        _ = state.handle(.started, at: boot)
        let later = try instant("2026-11-20T13:00:00-05:00")
        _ = state.handle(.clockStepped(by: later - boot), at: later)
        #expect(state.saved.mute?.until == until)
    }

    @Test("A box that was set up without a clock has missed nothing before it had one")
    func setUpWithoutClock() throws {
        let boot = try instant("1970-01-01T00:00:10Z")
        var state = DaemonState(world: try Box.world(.default), saved: nil, recorded: [], now: boot)
        var done = state.handle(.started, at: boot)
        let later = try instant("2026-11-20T13:00:00-05:00")
        done += state.handle(.clockStepped(by: later - boot), at: later)
        #expect(state.trust.trusted)
        #expect(!done.contains { if case .record = $0 { true } else { false } })
    }

    @Test("What was muted by name and then leapt over by the clock does not keep the mute alive")
    func mutedNextIsGone() throws {
        var box = try Box()
        box.ask(.mute(MuteParameters(next: true)))
        box.now = box.now + 400 * 86_400
        box.take(.clockStepped(by: 400 * 86_400))
        #expect(box.state.saved.mute == nil)
    }

    @Test(
        "An adhan once missed by a wrong clock, then called and cut off by a crash, is resumed all the same")
    func missedThenCalled() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        let at = try instant("2026-11-20T16:33:00-05:00")
        let start = box.now
        box.now = at + 3600
        box.take(.clockStepped(by: box.now - start))
        #expect(box.history.map(\.outcome) == [.missed])
        box.now = start
        box.take(.clockStepped(by: start - at - 3600))
        box.run(until: at)
        let token = try #require(box.effects.started.last)
        box.take(.playback(token: token, .cued(device: "default", duration: 200)))
        box.take(.playback(token: token, .began(at: box.now, device: "default")))
        let back = at + 5
        var state = DaemonState(
            world: try Box.world(.default), saved: box.disk, recorded: box.history, now: back)
        let done = state.handle(.started, at: back)
        #expect(done.started.count == 1)
        #expect(done.cued.first?.position == 5)
    }

    @Test("When the state is lost and the history is there, what came in between is missed and not forgotten")
    func stateLost() throws {
        var box = try Box("2026-11-20T16:32:00-05:00")
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.end(token: token)
        let back = try instant("2026-11-20T20:00:00-05:00")
        var state = DaemonState(world: try Box.world(.default), saved: nil, recorded: box.history, now: back)
        let done = state.handle(.started, at: back)
        let recorded = done.compactMap { if case .record(let entry) = $0 { entry } else { nil } }
        #expect(recorded.map(\.id) == ["isha_20261120"])
        #expect(state.saved.outcome(of: "maghrib_20261120") == .played)
    }
}
