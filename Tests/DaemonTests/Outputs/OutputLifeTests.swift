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

/// Queens on Friday 2026-11-20: Asr 14:14, Maghrib 16:33.
@Suite("A box with several outputs")
struct OutputLifeTests {
    static let outputs = """
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

    private static let two = """
        [[output]]
        name = "hall"
        devices = ["hw:1"]
        [[output]]
        name = "horn"
        devices = ["hw:2"]

        """

    let maghrib = "maghrib_20261120"

    func box(
        _ more: String = "", _ outputs: String = OutputLifeTests.outputs,
        clock: String = "2026-11-20T15:00:00-05:00", disk: SavedState? = nil
    ) throws -> Box {
        try Box(text: outputs + more, clock: clock, disk: disk)
    }

    func called(_ more: String = "", _ outputs: String = OutputLifeTests.outputs) throws -> Box {
        var box = try box(more, outputs)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        return box
    }

    func entry(_ box: Box) throws -> HistoryEntry {
        try #require(box.history.last { $0.id == maghrib })
    }

    @Test("What gives way to a sound that one of its outputs does not play fades out there as well")
    func gaveWayEverywhere() throws {
        var box = try box("[adhan.maghrib]\nreminders = [\"1m\", \"30s\"]\n")
        try box.run(until: "2026-11-20T16:32:00-05:00")
        let first = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn", "women"] { box.begin(first, on: name, durationSeconds: 75) }
        box.ask(.muteOutput(MuteOutputParameters(output: "women", duration: "20m")))
        try box.run(until: "2026-11-20T16:32:29.9-05:00")
        let second = try #require(box.effects.cued.last)
        #expect(second.outputs.map(\.name) == ["hall", "horn"])
        let effects = try box.during { try $0.run(until: "2026-11-20T16:32:30-05:00") }
        #expect(stoppedParts(effects) == ["\(first)/women"] && effects.stopped.isEmpty)
    }

    private func stoppedParts(_ effects: [Effect]) -> [String] {
        effects.compactMap {
            if case .stopPart(let token, let output) = $0 { "\(token)/\(output)" } else { nil }
        }
    }

    @Test("... and where that sound fails")
    func gaveWayToAFailure() throws {
        var box = try box("[adhan.maghrib]\nreminders = [\"1m\", \"30s\"]\n", Self.two)
        try box.run(until: "2026-11-20T16:32:00-05:00")
        let first = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn"] { box.begin(first, on: name, durationSeconds: 75) }
        try box.run(until: "2026-11-20T16:32:30-05:00")
        let second = try #require(box.effects.started.last)
        #expect(second != first)
        let effects = box.during {
            $0.begin(second, on: "hall", durationSeconds: 75)
            $0.end(second, on: "horn", .failed(reason: "no card"))
        }
        #expect(stoppedParts(effects) == ["\(first)/horn"])
    }

    @Test("... and where the next start of adhand resumes it and calls the other one at once")
    func gaveWayAtAStart() throws {
        let more = "[adhan.maghrib]\nreminders = [\"1m\"]\n"
        var box = try box(more, Self.two)
        try box.run(until: "2026-11-20T16:32:00-05:00")
        let first = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn"] { box.begin(first, on: name, durationSeconds: 75) }
        try box.run(until: "2026-11-20T16:32:55-05:00")
        box.ask(.muteOutput(MuteOutputParameters(output: "horn", duration: "20m")))
        let again = try self.box(more, Self.two, clock: "2026-11-20T16:33:01-05:00", disk: box.disk)
        let order = again.effects.compactMap {
            switch $0 {
            case .start(let token): "start \(token)"
            case .stop(let token, 0): "stop \(token)"
            case .stopPart(let token, let output): "stop \(token)/\(output)"
            default: nil
            }
        }
        let (resumed, called) = (again.effects.cued[0].token, again.effects.cued[1].token)
        #expect(again.effects.cued[0].sounds == ["signal"])
        #expect(order == ["start \(resumed)", "stop \(resumed)", "start \(called)", "stop \(resumed)/horn"])
    }

    @Test("A clock that is set back before any device has begun does not end what begins then")
    func setBackBeforeItBegan() throws {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        box.run(for: 2)
        box.now = box.now - 40
        box.handle(.clockStepped(bySeconds: -40))
        for name in ["hall", "horn", "women"] { box.begin(token, on: name) }
        box.run(for: 9)
        #expect(box.effects.stopped.isEmpty && box.history.isEmpty)
        for name in ["hall", "horn", "women"] { box.end(token, on: name) }
        box.run(for: 2)
        #expect(try entry(box).outcome == .played)
    }

    @Test(
        "A clock that is set while a sound plays, or fades, leaves its fade-out the time that it takes",
        arguments: [-40, 40], [true, false])
    func clockSetOverAFade(_ seconds: Double, isBeforeTheStop: Bool) throws {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn", "women"] { box.begin(token, on: name, durationSeconds: 200) }
        box.run(for: 50)
        if !isBeforeTheStop { box.ask(.stop) }
        box.now = box.now + seconds
        box.handle(.clockStepped(bySeconds: seconds))
        if isBeforeTheStop { box.ask(.stop) }
        for name in ["hall", "horn"] { box.end(token, on: name, .stopped) }
        // Three seconds of fade and way to the ear, and ten to answer.
        let effects = box.during { $0.run(for: 12.9) }
        #expect(effects.stopped.isEmpty && box.history.isEmpty)
        box.run(for: 0.2)
        #expect(try entry(box).endedBy == "adhanctl stop (user 0)")
    }

    @Test("A clock that is set as the machine wakes up: what fades has the time that it takes, by both")
    func clockSetInASleep() throws {
        var box = try called()
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn", "women"] { box.begin(token, on: name, durationSeconds: 200) }
        box.run(for: 50)
        box.ask(.stop)
        for name in ["hall", "horn"] { box.end(token, on: name, .stopped) }
        box.now = box.now + 3600 - 90
        let effects =
            box.effects(of: .clockStepped(bySeconds: -90, hasSlept: true)) + box.during { $0.run(for: 12.9) }
        #expect(effects.stopped.isEmpty && box.history.isEmpty)
        box.run(for: 0.2)
        #expect(try entry(box).endedBy == "adhanctl stop (user 0)")
    }

    @Test("A fade of a minute makes room for the adhan that comes within it, once")
    func fadeMakesRoom() throws {
        let long = Self.two.replacing("devices", with: "fade-out = \"60s\"\ndevices")
        var box = try box("[adhan.maghrib]\nreminders = [\"1m\"]\n", long)
        try box.run(until: "2026-11-20T16:32:00-05:00")
        let token = try #require(box.effects.cued.last?.token)
        for name in ["hall", "horn"] { box.begin(token, on: name, durationSeconds: 120) }
        try box.run(until: "2026-11-20T16:32:45-05:00")
        #expect(box.during { $0.ask(.stop) }.stopped == [token])
        let early = try box.during { try $0.run(until: "2026-11-20T16:32:59.6-05:00") }
        #expect(early.stopped.isEmpty)
        let effects = try box.during { try $0.run(until: "2026-11-20T16:32:59.9-05:00") }
        #expect(effects.stopped == [token])
        let seconds = effects.compactMap { if case .stop(_, let seconds) = $0 { seconds } else { nil } }
        #expect(seconds == [DaemonState.giveWayLeadSeconds / 3])
        for name in ["hall", "horn"] { box.end(token, on: name, .stopped) }
        try box.run(until: "2026-11-20T16:33:00-05:00")
        #expect(box.effects.started.last != token)
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
        box.handle(.playback(token: token, output: "women", .cued(device: "snapfifo", durationSeconds: 10.8)))
        box.handle(.playback(token: token, output: "women", .began(at: box.now - 0.99, device: "snapfifo")))
        box.begin(token, on: "horn")
        box.now = box.now + 10.8
        for name in ["horn", "women"] { box.end(token, on: name) }
        box.run(for: 1)
        let entry = try entry(box)
        #expect(entry.device == "card of horn" && entry.outcome == .partial)
        let women = try #require(entry.outputs?.last)
        #expect(women.name == "women" && abs((women.latenessMs ?? 0) - 10) < 0.2)
    }
}
