import BoxSupport
import PrayerEngine
import Protocol
import StateFile
import Testing
import Texts
import Times

@testable import Announcements
@testable import Daemon
@testable import Settings

/// The way from a device to the ear.
extension OutputLifeTests {
    /// All three outputs have played Maghrib to its end; "women" is heard a second later.
    private func left() throws -> (box: Box, token: Int) {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn", "women"] { box.begin(token, on: name) }
        box.now = box.now + 10.8
        for name in ["hall", "horn", "women"] { box.end(token, on: name) }
        return (box, token)
    }

    @Test("An announcement ends when the last of it is heard, and not when it has left its device")
    func heardToItsEnd() throws {
        var (box, _) = try left()
        box.run(for: 0.9)
        #expect(box.history.isEmpty && box.state.jobs.count == 1)
        box.run(for: 0.2)
        #expect(try entry(box).outcome == .played && box.state.jobs.isEmpty)
    }

    @Test("A clock that is set meanwhile makes that neither sooner nor later", arguments: [-3600.0, 1800])
    func heardOverStep(_ step: Double) throws {
        var (box, _) = try left()
        box.now = box.now + step
        box.handle(.clockStepped(bySeconds: step))
        box.run(for: 0.9)
        #expect(box.history.isEmpty)
        box.run(for: 0.2)
        #expect(try entry(box).outcome == .played)
    }

    @Test("What is stopped on its way to the ear has been played, and keeps nothing waiting")
    func stoppedOnItsWay() throws {
        var (box, _) = try left()
        box.ask(.stop)
        #expect(try entry(box).outcome == .played && box.state.jobs.isEmpty)
        var (ending, _) = try left()
        let effects = ending.during { $0.handle(.stopping) }
        #expect(try entry(ending).outcome == .played)
        #expect(effects.contains { if case .exit = $0 { true } else { false } })
    }

    @Test("A program that is killed meanwhile records it as played when it comes back, however late")
    func killedOnItsWay() throws {
        for clock in ["2026-11-20T16:33:12-05:00", "2026-11-20T18:00:00-05:00"] {
            let kept = try SavedState(fileBytes: try #require(try left().box.disk).fileBytes())
            let box = try self.box(clock: clock, disk: kept)
            let entry = try entry(box)
            #expect(entry.outcome == .played && entry.outputs?.map(\.outcome) == [.played, .played, .played])
            #expect(box.effects.cued.allSatisfy { $0.prayer != .maghrib } && box.state.saved.underway.isEmpty)
        }
    }

    /// "women" is ten seconds from the ear and has played a sound of eight seconds to its end, before Maghrib's instant.
    private func ahead() throws -> (box: Box, token: Int) {
        let outputs = Self.outputs.replacing("latency = \"1s\"", with: "latency = \"10s\"")
        var box = try box("", outputs)
        try box.run(until: "2026-11-20T16:32:50-05:00")
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn", "women"] {
            box.handle(
                .playback(token: token, output: name, .cued(device: "card of \(name)", durationSeconds: 8)))
        }
        box.handle(.playback(token: token, output: "women", .began(at: box.now, device: "card of women")))
        box.now = box.now + 8
        box.end(token, on: "women", frames: 352_800)
        return (box, token)
    }

    @Test(
        "What one output has played before its instant is called, and no clock that is set back brings it again"
    )
    func playedAhead() throws {
        var (box, token) = try ahead()
        #expect(box.effects.stopped.isEmpty && box.effects.started.isEmpty)
        box.now = box.now - 3600
        box.handle(.clockStepped(bySeconds: -3600))
        box.run(for: 2)
        #expect(box.effects.stopped.isEmpty)
        for name in ["hall", "horn"] {
            box.handle(.playback(token: token, output: name, .began(at: box.now, device: "card of \(name)")))
        }
        box.run(for: 8)
        for name in ["hall", "horn"] { box.end(token, on: name, frames: 352_800) }
        let entry = try entry(box)
        #expect(entry.outcome == .played && entry.outputs?.map(\.outcome) == [.played, .played, .played])
        let count = box.effects.cued.count
        try box.run(until: "2026-11-20T16:40:00-05:00")
        #expect(box.effects.cued.count == count)
    }

    @Test(
        "A program that is killed meanwhile plays it at its instant where it has not begun, and nowhere else")
    func killedAhead() throws {
        let kept = try SavedState(fileBytes: try #require(try ahead().box.disk).fileBytes())
        let outputs = Self.outputs.replacing("latency = \"1s\"", with: "latency = \"10s\"")
        let box = try self.box("", outputs, clock: "2026-11-20T16:32:59-05:00", disk: kept)
        let order = try #require(box.effects.cued.last)
        #expect(order.outputs.map(\.name) == ["hall", "horn"])
        #expect(order.outputs.allSatisfy { $0.positionSeconds == 0 && abs($0.prerollSeconds - 1) < 0.1 })
    }

    @Test("An output that begins, and then says nothing, may have been heard: no clock brings it again")
    func begunAndStuck() throws {
        var box = try called("", "[[output]]\nname = \"hall\"\ndevices = [\"hw:1\"]\n")
        box.begin(try #require(box.effects.cued.last?.token), on: "hall")
        box.run(for: 5)
        box.now = box.now - 3600
        box.handle(.clockStepped(bySeconds: -3600))
        box.run(for: 20)
        #expect(try entry(box).outcome == .failed)
        let count = box.effects.cued.count
        try box.run(until: "2026-11-20T16:34:00-05:00")
        #expect(box.effects.cued.count == count)
    }

    @Test(
        "A machine that sleeps after its devices were started, and before its instant, gives them as much longer"
    )
    func sleptBeforeInstant() throws {
        var box = try box()
        try box.run(until: "2026-11-20T16:32:59-05:00")
        let token = try #require(box.effects.cued.last?.token)
        box.begin(token, on: "women")
        try box.sleep(until: "2026-11-20T16:33:40-05:00")
        for name in ["hall", "horn"] { box.begin(token, on: name) }
        box.run(for: 9)
        box.end(token, on: "hall")
        #expect(box.effects.stopped.isEmpty && box.history.isEmpty)
        for name in ["horn", "women"] { box.end(token, on: name) }
        box.run(for: 2)
        #expect(try entry(box).outcome == .played)
    }
}
