import PrayerEngine
import Protocol
import Testing
import Texts
import Times

@testable import Announcements
@testable import Daemon
@testable import Settings

/// Queens on Friday 2026-11-20: Asr 14:14, Maghrib 16:33.
@Suite("A box with several outputs")
struct OutputLifeTests {
    private static let outputs = """
        [[output]]
        name = "hall"
        devices = ["hw:1", "default"]
        [[output]]
        name = "horn"
        devices = ["hw:2"]
        except = ["fajr"]
        max-volume = 33
        [[output]]
        name = "women"
        devices = ["snapfifo"]
        volume = 60
        latency = "1s"
        required = false

        """

    private let maghrib = "maghrib_20261120"

    private func box(
        _ more: String = "", _ outputs: String = OutputLifeTests.outputs,
        clock: String = "2026-11-20T15:00:00-05:00", disk: SavedState? = nil
    ) throws -> Box {
        try Box(text: outputs + more, clock: clock, disk: disk)
    }

    private func called(_ more: String = "", _ outputs: String = OutputLifeTests.outputs) throws -> Box {
        var box = try box(more, outputs)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        return box
    }

    private func entry(_ box: Box) throws -> HistoryEntry {
        try #require(box.history.last { $0.id == maghrib })
    }

    @Test("One announcement has one order with a share for each output, as loud as its keys say")
    func order() throws {
        let box = try called()
        let order = try #require(box.effects.cued.last)
        #expect(box.effects.cued.count { $0.prayer == .maghrib } == 1)
        #expect(order.outputs.map(\.name) == ["hall", "horn", "women"])
        #expect(order.outputs.map(\.volumePercent) == [80, 33, 60])
        #expect(order.outputs.map(\.leadSeconds) == [0, 0, 1])
        #expect(order.outputs[0].devices == ["hw:1", "default"])
        #expect(order.heardAt == (try instant("2026-11-20T16:33:00-05:00")))
        #expect(box.effects.started == [order.token])
    }

    @Test("The lead is that of the output that needs the longest")
    func lead() throws {
        var box = try box()
        try box.run(until: "2026-11-20T16:32:48.9-05:00")
        #expect(box.effects.cued.isEmpty)
        try box.run(until: "2026-11-20T16:32:49-05:00")
        #expect(box.effects.cued.count == 1)
    }

    @Test("An output that excludes a prayer has no share in it, and one that no output plays is silent")
    func filtered() throws {
        var box = try box(clock: "2026-11-21T04:00:00-05:00")
        try box.run(until: "2026-11-21T05:30:00-05:00")
        #expect(box.effects.cued.last?.outputs.map(\.name) == ["hall", "women"])
        var none = try self.box(
            "", "[[output]]\nname = \"horn\"\ndevices = [\"hw:2\"]\nexcept = [\"maghrib\"]\n")
        let planned = try #require(none.state.status(at: none.now).prayers.first { $0.id == maghrib })
        #expect(planned.outputs == [])
        try none.run(until: "2026-11-20T16:34:00-05:00")
        let entry = try entry(none)
        #expect(entry.outcome == .silent && entry.reason == "no output plays it" && !entry.isDue)
        #expect(none.effects.cued.allSatisfy { $0.prayer != .maghrib })
    }

    @Test("A window silences its outputs alone; the others play, and the record lists it")
    func window() throws {
        let law =
            "[[quiet]]\nname = \"night-law\"\nfrom = \"16:00\"\nuntil = \"06:00\"\noutputs = [\"horn\"]\n"
        var box = try box(law)
        let planned = try #require(box.state.status(at: box.now).prayers.first { $0.id == maghrib })
        #expect(
            planned.outputs == [
                OutputPlan(name: "hall", volume: 80), OutputPlan(name: "horn", volume: 0, quiet: "night-law"),
                OutputPlan(name: "women", volume: 60),
            ])
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let order = try #require(box.effects.cued.last)
        #expect(order.outputs.map(\.name) == ["hall", "women"])
        box.play(order.token, on: ["hall", "women"])
        let entry = try entry(box)
        #expect(entry.outcome == .played && entry.quiet == nil)
        #expect(entry.outputs?.map(\.name) == ["hall", "horn", "women"])
        #expect(entry.outputs?.map(\.outcome) == [.played, .quiet, .played])
        #expect(entry.outputs?[1].quiet == "night-law")
    }

    @Test("Where windows silence all of them it is quiet, by the first")
    func allQuiet() throws {
        var box = try box("[[quiet]]\nname = \"nap\"\nfrom = \"16:00\"\nuntil = \"17:00\"\n")
        try box.run(until: "2026-11-20T16:34:00-05:00")
        let entry = try entry(box)
        #expect(entry.outcome == .quiet && entry.quiet == "nap")
        #expect(entry.reason == "quiet window \"nap\" until 17:00")
        #expect(entry.outputs?.map(\.outcome) == [.quiet, .quiet, .quiet])
    }

    // MARK: What "played" means

    private enum Fate { case played, failed, brokeOff, stopped }

    @Test(
        "What its parts make of an announcement",
        arguments: [
            (["hall": Fate.played, "horn": .played, "women": .played], Outcome.played, nil as String?),
            (["hall": .played, "horn": .failed, "women": .played], .partial, "\"horn\": no such device"),
            (
                ["hall": .played, "horn": .played, "women": .failed], .played,
                "\"women\" (not required): no such device"
            ),
            (["hall": .failed, "horn": .failed, "women": .played], .partial, nil),
            (["hall": .failed, "horn": .failed, "women": .failed], .failed, nil),
            (["hall": .played, "horn": .brokeOff, "women": .played], .partial, nil),
            (["hall": .stopped, "horn": .stopped, "women": .stopped], .interrupted, nil),
            (["hall": .stopped, "horn": .failed, "women": .stopped], .interrupted, nil),
        ])
    private func verdict(_ fates: [String: Fate], _ outcome: Outcome, _ reason: String?) throws {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn", "women"] where fates[name] != .failed { box.begin(token, on: name) }
        if fates.values.contains(.stopped) { box.ask(.stop) }
        box.now = box.now + 10.8
        for name in ["women", "horn", "hall"] {
            #expect(box.history.isEmpty, "it ends with its last part")
            switch fates[name] {
            case .failed: box.end(token, on: name, .failed(reason: "no such device"), frames: 0)
            case .brokeOff: box.end(token, on: name, frames: 200_000)
            case .stopped: box.end(token, on: name, .stopped, frames: 200_000)
            case .played, nil: box.end(token, on: name)
            }
        }
        box.run(for: 1)
        let entry = try entry(box)
        #expect(entry.outcome == outcome, "\(entry.reason ?? "")")
        if let reason { #expect(entry.reason == reason) }
        #expect(box.state.jobs.isEmpty)
    }

    @Test(
        "Partial counts as due and not as played, is a problem until the next is played, and ends a failure")
    func partial() throws {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "women"] { box.begin(token, on: name) }
        box.end(token, on: "horn", .failed(reason: "no such device"), frames: 0)
        box.now = box.now + 10.8
        for name in ["hall", "women"] { box.end(token, on: name) }
        box.run(for: 1)
        let entry = try entry(box)
        #expect(entry.isDue && entry.device == "card of hall")
        let history = HistoryDocument(days: 7, entries: [entry], now: box.now)
        #expect(history.due == 1 && history.played == 0 && history.partial == 1)
        let problems = box.state.problems(at: box.now)
        #expect(problems.map(\.kind) == [.partial] && problems[0].severity == .warning)
        #expect(problems[0].message.contains("\"horn\": no such device"))
        let ended = try #require(box.notices.last { $0.kind == .prayerFinished })
        #expect(ended.fields.reason == "\"horn\": no such device" && ended.fields.cause == .device)
        let lost = try #require(box.notices.last { $0.kind == .audioLost })
        #expect(lost.fields.output == "horn" && lost.fields.id == maghrib)
        #expect(!box.notices.contains { $0.kind == .prayerFailed })
        try box.run(until: try #require(box.state.status(at: box.now).next?.at))
        let next = try #require(box.effects.cued.last?.token)
        box.play(next, on: ["hall", "horn", "women"])
        #expect(box.history.last?.outcome == .played && box.state.problems(at: box.now).isEmpty)
    }

    @Test("Its own fields are those of the first in the file that sounded, latency included")
    func front() throws {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        box.end(token, on: "hall", .failed(reason: "busy"), frames: 0)
        box.take(.playback(token: token, output: "women", .cued(device: "snapfifo", durationSeconds: 10.8)))
        box.take(.playback(token: token, output: "women", .began(at: box.now - 0.99, device: "snapfifo")))
        box.begin(token, on: "horn")
        box.now = box.now + 10.8
        for name in ["horn", "women"] { box.end(token, on: name) }
        box.run(for: 1)
        let entry = try entry(box)
        #expect(entry.device == "card of horn" && entry.outcome == .partial)
        let women = try #require(entry.outputs?.last)
        #expect(women.name == "women" && abs((women.latenessMs ?? 0) - 10) < 0.2)
    }

    // MARK: Late outputs

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
            box.take(
                .playback(token: token, output: name, .cued(device: "card of \(name)", durationSeconds: 55)))
            box.take(.playback(token: token, output: name, .began(at: box.now, device: "card of \(name)")))
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

    // MARK: Restarts

    @Test(
        "Each unfinished part goes on where its clock is; ended ones stay ended, failed ones are tried again")
    func resume() throws {
        var killed = try called()
        let token = try #require(killed.effects.cued.last?.token)
        for name in ["hall", "women"] {
            killed.take(
                .playback(token: token, output: name, .cued(device: "card of \(name)", durationSeconds: 200)))
            let latency = name == "women" ? 1.0 : 0
            killed.take(
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
            killed.take(
                .playback(token: token, output: name, .cued(device: "card of \(name)", durationSeconds: 200)))
            killed.take(
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

    // MARK: The way to the ear

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
        box.take(.clockStepped(bySeconds: step))
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
        let effects = ending.during { $0.take(.stopping) }
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
            box.take(
                .playback(token: token, output: name, .cued(device: "card of \(name)", durationSeconds: 8)))
        }
        box.take(.playback(token: token, output: "women", .began(at: box.now, device: "card of women")))
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
        box.take(.clockStepped(bySeconds: -3600))
        box.run(for: 2)
        #expect(box.effects.stopped.isEmpty)
        for name in ["hall", "horn"] {
            box.take(.playback(token: token, output: name, .began(at: box.now, device: "card of \(name)")))
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
        box.take(.clockStepped(bySeconds: -3600))
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
        try box.run(until: "2026-11-20T16:32:59.5-05:00")
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn", "women"] { box.begin(token, on: name) }
        try box.sleep(until: "2026-11-20T16:33:40-05:00")
        box.run(for: 9)
        box.end(token, on: "hall")
        #expect(box.effects.stopped.isEmpty && box.history.isEmpty)
        for name in ["horn", "women"] { box.end(token, on: name) }
        box.run(for: 2)
        #expect(try entry(box).outcome == .played)
    }

    // MARK: Tests, mutes, documents

    @Test("A test plays on the outputs that are asked for, never above max-volume, and obeys windows there")
    func tests() throws {
        let law = "[[quiet]]\nname = \"law\"\noutputs = [\"horn\"]\n"
        var box = try box(law)
        let unknown = box.ask(.testPlay(prayer: "asr", seconds: nil, outputs: ["hron"]))?.refusal
        #expect(unknown == .unknownOutput(output: "hron", allowed: ["hall", "horn", "women"]))
        #expect(box.ask(.testPlay(prayer: "asr", seconds: nil, outputs: ["horn"]))?.refusal?.code == .quiet)
        box.ask(.testPlay(prayer: "asr", seconds: nil, despiteQuiet: true, outputs: ["horn"]))
        #expect(box.effects.cued.last?.outputs.map(\.name) == ["horn"])
        #expect(box.effects.cued.last?.outputs.map(\.volumePercent) == [33])
        var all = try self.box(law)
        all.ask(.playSound(name: "dua"))
        #expect(all.effects.cued.last?.outputs.map(\.name) == ["hall", "women"])
        var fajr = try self.box()
        fajr.ask(.testPlay(prayer: "fajr", seconds: nil, outputs: ["horn"]))
        #expect(fajr.effects.cued.last?.outputs.map(\.name) == ["horn"])
    }

    @Test("The mute of one output ends by itself, is kept on disk, and is shown as a window is")
    func mute() throws {
        var box = try box()
        let endless = box.ask(.muteOutput(MuteOutputParameters(output: "horn")))?.refusal
        #expect(endless?.code == .invalidTime)
        #expect(
            box.ask(.muteOutput(MuteOutputParameters(output: "x", duration: "2h")))?.refusal?.code
                == .unknownOutput)
        let said = box.ask(.muteOutput(MuteOutputParameters(output: "horn", duration: "2h")))?.said
        #expect(said?.message == "output \"horn\" muted until 17:00")
        let state = try #require(box.state.status(at: box.now).audio.outputs?[1])
        #expect(state.quiet == "mute" && state.quietUntil?.hasPrefix("2026-11-20T17:00:00") == true)
        let kept = try SavedState(fileBytes: try #require(box.disk).fileBytes())
        #expect(kept.outputMutes == box.state.saved.outputMutes && kept.outputMutes.count == 1)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let order = try #require(box.effects.cued.last)
        #expect(order.outputs.map(\.name) == ["hall", "women"])
        box.play(order.token, on: ["hall", "women"])
        #expect(try entry(box).outputs?[1].quiet == "mute" && entry(box).outcome == .played)
        try box.run(until: "2026-11-20T17:00:01-05:00")
        #expect(box.state.saved.outputMutes.isEmpty)
        try box.run(until: "2026-11-20T18:00:00-05:00")
        #expect(box.effects.cued.last?.outputs.count == 3)
    }

    @Test("All outputs muted: quiet, by the mute, until when")
    func allMuted() throws {
        var box = try box("", "[[output]]\nname = \"bedroom\"\ndevices = [\"hw:1\"]\n")
        box.ask(.muteOutput(MuteOutputParameters(output: "bedroom", until: "17:30")))
        try box.run(until: "2026-11-20T16:34:00-05:00")
        let entry = try entry(box)
        #expect(entry.outcome == .quiet && entry.quiet == "mute")
        #expect(entry.reason == "output \"bedroom\" muted until 17:30")
        #expect(box.ask(.unmuteOutput("bedroom"))?.said?.message == "output \"bedroom\" unmuted")
    }

    @Test("Three tones in a row that fail make an output unhealthy")
    func tones() throws {
        var box = try box(
            "",
            "[[output]]\nname = \"a\"\ndevices = [\"hw:1\"]\nkeep-awake = \"1m\"\n"
                + "[[output]]\nname = \"b\"\ndevices = [\"hw:2\"]\nkeep-awake = \"10m\"\n")
        for output in ["a", "b"] {
            box.take(
                .devicesTried(
                    output: output,
                    DeviceLook(
                        devices: [output == "a" ? "hw:1" : "hw:2"], device: "hw:1", problems: [])))
        }
        for count in 1...3 {
            #expect(box.state.outputStates(at: box.now)[0].healthy)
            let done = box.during { $0.run(for: 61) }
            #expect(done.tones == ["a"], "\(count)")
            box.take(.toneFailed(output: "a", reason: "cannot open"))
        }
        #expect(box.state.outputStates(at: box.now).map(\.healthy) == [false, true])
        #expect(!box.state.isSoundHealthy)
    }

    @Test("Without outputs nothing in a document is about them")
    func none() throws {
        var box = try Box()
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.cued.last?.token)
        box.begin(token: token)
        box.end(token: token)
        let status = try JSON.encode(box.state.status(at: box.now))
        let entry = try JSON.encode(try #require(box.history.last))
        for text in [status, entry] { #expect(!String(decoding: text, as: UTF8.self).contains("output")) }
        let disk = String(decoding: try #require(box.disk).fileBytes(), as: UTF8.self)
        #expect(!disk.contains("output"))
        #expect(box.clocks.isEmpty)
    }
}

extension Box {
    mutating func begin(_ token: Int, on output: String) {
        let device = "card of \(output)"
        take(.playback(token: token, output: output, .cued(device: device, durationSeconds: 10.8)))
        take(.playback(token: token, output: output, .began(at: now, device: device)))
    }

    mutating func end(
        _ token: Int, on output: String, _ end: JobResult.End = .completed, frames: Int = 476_280
    ) {
        let result = JobResult(
            end: end, startedAt: now - 10.8, endedAt: now, device: "card of \(output)", rateHz: 44_100,
            framesDecoded: 476_280, framesPlayed: frames, dropouts: 0, gainDb: -5.8, audibleShare: 0.8)
        take(.playback(token: token, output: output, .ended(result)))
    }

    mutating func play(_ token: Int, on outputs: [String]) {
        for output in outputs { begin(token, on: output) }
        now = now + 10.8
        for output in outputs { end(token, on: output) }
        // The last of it is still on its way to the ear.
        run(for: 1)
    }

    fileprivate var clocks: [(token: Int, beganAt: Instant)] {
        effects.compactMap { if case .setClock(let token, let at) = $0 { (token, at) } else { nil } }
    }
}

extension [Effect] {
    fileprivate var tones: [String] {
        compactMap { if case .keepAwake(let output, _) = $0 { output } else { nil } }
    }
}
