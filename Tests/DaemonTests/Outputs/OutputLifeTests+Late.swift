import BoxSupport
import LabSupport
import PrayerEngine
import Protocol
import StateFile
import Testing
import Texts
import Times

@testable import Announcements
@testable import Daemon
@testable import Settings

/// Outputs that begin later than others, and restarts.
extension OutputLifeTests {
    @Test("Once one is heard the clock is set for the others, once, and not where all have begun")
    func clock() throws {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        let before = box.clocks.count
        box.begin(token, on: "hall")
        #expect(box.clocks.count == before + 1)
        let set = try #require(box.clocks.last)
        #expect(set.token == token && abs(set.beganAt - box.now) < 0.01)
        box.begin(token, on: "horn")
        box.begin(token, on: "women")
        #expect(box.clocks.count == before + 1)
        var single = try called("", "[[output]]\nname = \"hall\"\ndevices = [\"hw:1\"]\n")
        single.begin(try #require(single.effects.cued.last?.token), on: "hall")
        #expect(single.clocks.isEmpty)
    }

    @Test("A part that says nothing ten seconds after its end has failed, and its late words are dropped")
    func overdue() throws {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "women", "horn"] { box.begin(token, on: name) }
        box.now = box.now + 10.8
        for name in ["hall", "women"] { box.end(token, on: name) }
        let ended = box.now
        box.run(for: 9.9)
        #expect(box.history.isEmpty && box.state.status(at: box.now).audio.outputs?[1].state == .playing)
        box.run(for: 0.2)
        let entry = try entry(box)
        #expect(entry.outcome == .partial && entry.reason == "\"horn\": did not answer")
        #expect(box.now - ended < 10.2 && box.effects.stopped.last == token)
        let horn = try #require(box.state.status(at: box.now).audio.outputs?[1])
        #expect(horn.state == .stuck && !horn.healthy && horn.lastError == "did not answer")
        let count = box.history.count
        box.end(token, on: "horn")
        #expect(box.history.count == count)
        #expect(box.state.status(at: box.now).audio.outputs?[1].state == .idle)
    }

    @Test("While only a stuck output keeps it, nothing gives way to it")
    func stuckKeepsNothing() throws {
        var box = try called("[[call]]\nname = \"c\"\nat = \"maghrib+1m\"\noutputs = [\"hall\"]\n")
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "women", "horn"] {
            box.handle(
                .playback(token: token, output: name, .cued(device: "card of \(name)", durationSeconds: 55)))
            box.handle(.playback(token: token, output: name, .began(at: box.now, device: "card of \(name)")))
        }
        box.run(for: 55)
        for name in ["hall", "women"] { box.end(token, on: name, frames: 2_425_500) }
        box.run(for: 5)
        let call = try #require(box.effects.cued.last)
        #expect(call.token != token && call.outputs.map(\.name) == ["hall"])
        #expect(box.state.jobs.contains { $0.announcement.isCall && $0.phase == .playing })
        box.run(for: 6)
        #expect(try entry(box).outcome == .partial)
    }

    @Test(
        "A sleep of the machine within a fade leaves one that does not answer no longer than the fade and its answer"
    )
    func sleepWithinAFade() throws {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn", "women"] { box.begin(token, on: name, durationSeconds: 200) }
        box.run(for: 50)
        box.ask(.stop)
        for name in ["hall", "women"] { box.end(token, on: name, .stopped) }
        try box.sleep(until: "2026-11-20T16:34:30-05:00")
        #expect(box.history.isEmpty && box.state.jobs[0].isOver(at: box.now + 3.1))
        box.run(for: 13.1)
        #expect(try entry(box).endedBy == "adhanctl stop (user 0)" && box.state.jobs.isEmpty)
    }

    @Test("An output that plays the signal instead, which is shorter, does not end the others")
    func shorterOnOne() throws {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        box.begin(token, on: "hall", durationSeconds: 10.8)
        for name in ["horn", "women"] { box.begin(token, on: name, durationSeconds: 200) }
        box.run(for: 10.8)
        box.end(token, on: "hall")
        let effects = box.during { $0.run(for: 189) }
        #expect(effects.stopped.isEmpty && box.history.isEmpty)
        for name in ["horn", "women"] { box.end(token, on: name, frames: 200 * 44_100) }
        box.run(for: 2)
        #expect(try entry(box).outcome == .played)
    }

    @Test("One that goes on after a restart and that no output begins is given up once it would be over")
    func resumedAndNotBegun() throws {
        var before = try called()
        let token = try #require(before.effects.cued.last?.token)
        for name in ["hall", "horn", "women"] { before.begin(token, on: name, durationSeconds: 200) }
        before.run(for: 20)
        var box = try box(clock: "2026-11-20T16:33:25-05:00", disk: before.disk)
        #expect(box.effects.started.count == 1)
        box.run(for: 184)
        #expect(box.history.isEmpty)
        box.run(for: 2)
        #expect(box.state.jobs.isEmpty)
        #expect(try entry(box).outcome == .failed)
    }

    @Test("One that goes on tells the outputs whose devices come later where it is, and ends by its clock")
    func resumedLate() throws {
        var before = try called()
        let token = try #require(before.effects.cued.last?.token)
        before.begin(token, on: "hall", durationSeconds: 200)
        before.run(for: 8)
        before.begin(token, on: "horn", durationSeconds: 200)
        before.run(for: 12)
        var box = try box(clock: "2026-11-20T16:33:25-05:00", disk: before.disk)
        let order = try #require(box.effects.cued.last)
        #expect(order.outputs.map(\.positionSeconds) == [25, 25, 26])
        #expect(box.clocks.isEmpty)
        box.run(for: 0.3)
        box.begin(order.token, on: "hall", durationSeconds: 175)
        let beganAt = try #require(box.clocks.last?.beganAt)
        #expect(abs(beganAt - (try instant("2026-11-20T16:33:00.3-05:00"))) < 0.001)
        box.run(for: 60)
        for name in ["horn", "women"] {
            box.begin(order.token, on: name, durationSeconds: 175, leavingOut: 60.3)
        }
        #expect(box.clocks.count == 1)
        let effects = box.during { $0.run(for: 115) }
        #expect(effects.stopped.isEmpty && box.history.isEmpty)
        box.end(order.token, on: "hall", frames: 175 * 44_100)
        for name in ["horn", "women"] { box.end(order.token, on: name, frames: 115 * 44_100) }
        box.run(for: 2)
        let outputs = try #require(try entry(box).outputs)
        #expect(outputs.map(\.outcome) == [.played, .interrupted, .interrupted])
        // Heard there for the first time, a second after its device was started.
        #expect(abs((outputs[2].latenessMs ?? 0) - 86_300) < 50)
    }

    @Test("The signal on one output after a restart does not end those that still look for their devices")
    func resumedShorterOnOne() throws {
        var before = try called()
        let token = try #require(before.effects.cued.last?.token)
        for name in ["hall", "horn", "women"] { before.begin(token, on: name, durationSeconds: 200) }
        before.run(for: 20)
        var box = try box(clock: "2026-11-20T16:33:25-05:00", disk: before.disk)
        let order = try #require(box.effects.cued.last)
        box.begin(order.token, on: "hall", durationSeconds: 0)
        box.end(order.token, on: "hall", frames: 0)
        let effects = box.during { $0.run(for: 60) }
        #expect(effects.stopped.isEmpty && box.history.isEmpty)
        for name in ["horn", "women"] { box.begin(order.token, on: name, durationSeconds: 175) }
        box.run(for: 115)
        for name in ["horn", "women"] { box.end(order.token, on: name, frames: 115 * 44_100) }
        box.run(for: 2)
        #expect(try entry(box).outputs?.map(\.outcome) == [.interrupted, .interrupted, .interrupted])
    }

    @Test("None that answers: it has failed once it can no longer begin")
    func noneAnswers() throws {
        var box = try called()
        box.run(for: 120)
        #expect(box.history.isEmpty)
        box.run(for: 20)
        #expect(try entry(box).outcome == .failed)
    }

    @Test("What is called late is started at once on all, and heard together")
    func late() throws {
        var box = try box()
        try box.sleep(until: "2026-11-20T16:33:30-05:00")
        let order = try #require(box.effects.cued.last)
        #expect(order.heardAt == nil && order.outputs.map(\.leadSeconds) == [1, 1, 1])
        #expect(order.outputs.map(\.prerollSeconds) == [1, 1, 0])
    }

    @Test(
        "Each unfinished part goes on where its clock is; ended ones stay ended, failed ones are tried again")
    func resume() throws {
        var killed = try called()
        let token = try #require(killed.effects.cued.last?.token)
        for name in ["hall", "women"] {
            killed.handle(
                .playback(token: token, output: name, .cued(device: "card of \(name)", durationSeconds: 200)))
            let latency = name == "women" ? 1.0 : 0
            killed.handle(
                .playback(
                    token: token, output: name,
                    .began(at: killed.now - latency, device: "card of \(name)")))
        }
        killed.end(token, on: "horn", .failed(reason: "busy"), frames: 0)
        killed.end(token, on: "women", frames: 8_820_000)
        let disk = try #require(killed.disk)
        let kept = try SavedState(fileBytes: disk.fileBytes())
        #expect(kept.underway.first?.outputs.map(\.output) == ["hall", "horn", "women"])
        #expect(kept.underway.first?.outputs.map { $0.proof?.outcome } == [nil, .failed, .played])
        let box = try self.box(clock: "2026-11-20T16:33:10-05:00", disk: kept)
        let order = try #require(box.effects.cued.last)
        #expect(order.outputs.map(\.name) == ["hall", "horn"])
        #expect(order.outputs.allSatisfy { abs($0.positionSeconds - 10) < 0.1 })
        var resumed = box
        for name in ["hall", "horn"] { resumed.begin(order.token, on: name) }
        for name in ["hall", "horn"] { resumed.end(order.token, on: name) }
        let entry = try entry(resumed)
        #expect(entry.outcome == .played && entry.outputs?.map(\.outcome) == [.played, .played, .played])
        #expect(entry.outputs?.last?.framesPlayed == 8_820_000)
    }

    @Test("The record of a resumed announcement lists the outputs that a window silenced as well")
    func resumedWindow() throws {
        let law =
            "[[quiet]]\nname = \"night-law\"\nfrom = \"16:00\"\nuntil = \"06:00\"\noutputs = [\"horn\"]\n"
        var killed = try called(law)
        let token = try #require(killed.effects.cued.last?.token)
        for name in ["hall", "women"] {
            killed.handle(
                .playback(token: token, output: name, .cued(device: "card of \(name)", durationSeconds: 200)))
            killed.handle(
                .playback(token: token, output: name, .began(at: killed.now, device: "card of \(name)")))
        }
        let kept = try SavedState(fileBytes: try #require(killed.disk).fileBytes())
        var box = try self.box(law, clock: "2026-11-20T16:33:10-05:00", disk: kept)
        let order = try #require(box.effects.cued.last)
        #expect(order.outputs.map(\.name) == ["hall", "women"])
        box.play(order.token, on: ["hall", "women"])
        let entry = try entry(box)
        #expect(entry.outputs?.map(\.name) == ["hall", "horn", "women"])
        #expect(entry.outputs?.map(\.outcome) == [.played, .quiet, .played])
        #expect(entry.outputs?[1].quiet == "night-law")
    }
}
