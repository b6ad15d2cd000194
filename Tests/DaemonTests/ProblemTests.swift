import BoxSupport
import LabSupport
import PrayerEngine
import StateFile
import Testing
import Texts

@testable import Announcements
@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Times

@Suite("What is wrong now (status.problems)")
struct ProblemTests {
    private func problems(_ box: Box) -> [StatusProblem] { box.state.status(at: box.now).problems ?? [] }
    private func kinds(_ box: Box) -> [StatusProblem.Kind] { problems(box).map(\.kind) }

    /// Runs to the next adhan and has it end so.
    private func call(_ box: inout Box, _ end: JobResult.End = .completed, frames: Int = 476_280) throws {
        let next = try #require(box.state.status(at: box.now).next)
        box.run(until: try instant(next.at))
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.run(for: 10.8)
        let result = JobResult(
            end: end, startedAt: box.now - 10.8, endedAt: box.now, device: "default", rateHz: 44_100,
            framesWritten: 476_280, framesPlayed: frames, dropouts: 0, gainDb: 0,
            audible: .init(share: 0.8, measuredShare: nil, leastShare: 0.1))
        box.handle(.playback(token: token, .ended(result)))
    }

    private func preflight(_ box: inout Box, device: String?, _ problems: [String], silent: Bool = false)
        throws
    {
        let next = try #require(box.state.status(at: box.now).next)
        let id = try #require(AnnouncementID(next.id))
        box.run(until: try instant(next.at) - 300)
        box.handle(
            .preflight(id: id, .ofOne(device: device, problems, silence: silent ? problems.last : nil)))
    }

    @Test("An adhan that failed is a problem until one is played; both outlive a restart")
    func failed() throws {
        var box = try Box()
        #expect(problems(box) == [])
        try call(&box, .failed(reason: "no device opens"))
        let problem = try #require(problems(box).first)
        #expect(kinds(box) == [.failed] && problem.severity == .problem)
        // Asr, 14:53: since its own instant.
        #expect(problem.since == box.history.last?.scheduled)
        #expect(problem.message.contains("no device opens") && problem.message.contains("Asr"))
        var again = try Box(
            "2026-11-20T15:00:00-05:00", disk: box.disk, recorded: box.history)
        #expect(problems(again).map(\.message) == problems(box).map(\.message))
        try call(&again, .failed(reason: "still none"))
        #expect(kinds(again) == [.failed] && problems(again).first?.since == problem.since)
        #expect(problems(again).first?.message.contains("the last of 2") == true)
        try call(&again)
        #expect(problems(again) == [])
    }

    @Test(
        "One that was called and failed is a problem, though the clock was set back to before the box was set up"
    )
    func failedBeforeItsTime() throws {
        var saved = SavedState(since: try instant("2026-11-21T00:00:00-05:00"))
        saved.resolvedThrough = try instant("2026-11-20T12:00:00-05:00")
        var box = try Box(disk: saved)
        try call(&box, .failed(reason: "no device opens"))
        #expect(box.history.last?.outcome == .failed && kinds(box) == [.failed])
    }

    @Test("What was missed while adhand was off is one problem, since the first of them")
    func missed() throws {
        let before = try Box()
        var box = try Box("2026-11-21T09:00:00-05:00", disk: before.disk, recorded: before.history)
        #expect(kinds(box) == [.missed])
        #expect(problems(box).first?.since?.hasPrefix("2026-11-20T14:5") == true)
        try call(&box)
        #expect(problems(box) == [])
    }

    @Test("Stopped by hand, muted and skipped is wanted silence; a simulated one that fails is no lost adhan")
    func wanted() throws {
        var config = Config.default
        config.debugTriggers = true
        var box = try Box(config: config)
        box.ask(.mute(MuteParameters(next: true)))
        try box.run(until: "2026-11-20T15:00:00-05:00")
        #expect(box.history.last?.outcome == .muted && problems(box) == [])
        box.ask(.trigger(prayer: "dhuhr", delay: nil))
        let token = try #require(box.effects.started.last)
        box.end(token: token, .failed(reason: "no device opens"))
        #expect(problems(box) == [])
    }

    @Test("A recording of which too little came out is inaudible, until one is heard")
    func inaudible() throws {
        var box = try Box()
        try call(&box, frames: 100_000)
        #expect(kinds(box) == [.inaudible] && box.history.last?.outcome == .interrupted)
        let again = try Box("2026-11-20T15:00:00-05:00", disk: box.disk, recorded: box.history)
        #expect(problems(again) == problems(box))
        try call(&box)
        #expect(problems(box) == [])
    }

    @Test("A silent mixer is a problem that the adhan which it silenced does not end")
    func silent() throws {
        var box = try Box()
        try preflight(&box, device: "default", ["the mixer's Master control is muted"], silent: true)
        #expect(kinds(box) == [.inaudible])
        try call(&box)
        #expect(kinds(box) == [.inaudible])
        try preflight(&box, device: "default", [])
        #expect(kinds(box) == [.inaudible])
        try call(&box)
        #expect(problems(box) == [])
    }

    @Test(
        "An adhan on a silent device has failed, and its device with it, unless somebody makes it heard meanwhile"
    )
    func unheard() throws {
        let reason = "the mixer's Master control is muted"
        var box = try Box()
        let call = { (box: inout Box, isHeardAtLast: Bool) in
            let next = try #require(box.state.status(at: box.now).next)
            box.run(until: try instant(next.at))
            let token = try #require(box.effects.started.last)
            box.begin(token: token)
            box.handle(.playback(token: token, .deviceSilent(device: "default", reason: reason)))
            let isSounding = { (box: Box) in
                box.state.caresForSilence(of: "default", token: token, on: QuietWindow.mainOutput)
            }
            #expect(isSounding(box) && !box.state.audio.healthy)
            #expect(!box.state.caresForSilence(of: "null", token: token, on: QuietWindow.mainOutput))
            box.run(for: 5)
            if isHeardAtLast { box.handle(.playback(token: token, .deviceAudible(device: "default"))) }
            box.end(token: token, audibleShare: 0.8)
            #expect(!isSounding(box) && box.state.audio.healthy == isHeardAtLast)
        }
        try preflight(&box, device: "default", [reason], silent: true)
        try call(&box, false)
        let entry = try #require(box.history.last)
        #expect(entry.outcome == .failed && entry.reason == reason && entry.framesPlayed > 0)
        #expect(Set(kinds(box)) == [.failed, .inaudible])
        #expect(box.state.audio.lastError == reason)
        try preflight(&box, device: "default", [reason], silent: true)
        try call(&box, true)
        #expect(box.history.last?.outcome == .played && problems(box) == [])
    }

    @Test("A device that does not open is one problem from the preflight on; a second one that opens is none")
    func device() throws {
        var box = try Box()
        try preflight(&box, device: nil, ["cannot open \"default\""])
        #expect(kinds(box) == [.device])
        let since = problems(box).first?.since
        #expect(since?.contains("T14:48") == true)
        box.run(for: 30)
        box.handle(
            .devicesTried(DeviceTrial(devices: ["default"], device: nil, problems: ["cannot open it"])))
        #expect(problems(box).first?.since == since)
        var again = try Box("2026-11-20T14:49:00-05:00", disk: box.disk)
        #expect(problems(again).first?.since == since)
        again.handle(.devicesTried(DeviceTrial(devices: ["default"], device: "default", problems: [])))
        #expect(problems(again) == [])
        try call(&box)
        #expect(problems(box) == [])
        try preflight(&box, device: "default", ["cannot open \"hw:9\"; \"default\" will be tried"])
        #expect(problems(box) == [])
    }

    @Test("A clock that cannot be trusted is a problem without a beginning, and gives others none")
    func clock() throws {
        var box = try Box("2020-01-01T00:00:00Z", synchronized: false)
        #expect(kinds(box) == [.clock] && problems(box).first?.since == nil)
        box.handle(
            .devicesTried(DeviceTrial(devices: ["default"], device: nil, problems: ["cannot open it"])))
        #expect(kinds(box) == [.device, .clock] && problems(box).allSatisfy { $0.since == nil })
        box.now = try instant("2026-11-20T12:30:00-05:00")
        box.handle(.clockHealth(ClockHealth(synchronized: true)))
        #expect(kinds(box) == [.device])
    }

    @Test("A clock that was ahead leaves no beginning that is yet to come, and no adhan that is")
    func ahead() throws {
        var box = try Box("2026-11-22T12:30:00-05:00", synchronized: false)
        box.handle(
            .devicesTried(DeviceTrial(devices: ["default"], device: nil, problems: ["cannot open it"])))
        try box.sleep(until: "2026-11-23T12:30:00-05:00")
        #expect(kinds(box) == [.missed, .device])
        box.now = try instant("2026-11-20T12:30:00-05:00")
        box.handle(.clockStepped(bySeconds: -3 * 86_400))
        #expect(kinds(box) == [.device])
        #expect(problems(box).first?.since?.hasPrefix("2026-11-20T12:30") == true)
    }

    @Test("A refused file and a full disk are problems while they last")
    func fileAndDisk() throws {
        var box = try Box()
        let error = ConfigError(file: "f", line: 1, column: 1, key: "x", reason: "unknown key \"x\"")
        box.handle(.configRejected(error, .reload(nil)))
        #expect(kinds(box) == [.configuration] && problems(box).first?.severity == .warning)
        #expect(problems(box).first?.fix == "adhanctl reload")
        box.handle(.saveFailed(reason: "No space left on device"))
        #expect(kinds(box) == [.configuration, .disk] && problems(box).allSatisfy { $0.since != nil })
        box.handle(.saved)
        box.handle(.inputsLoaded(try Box.inputs(.default), .retry))
        #expect(problems(box) == [])
    }

    @Test("A kind and a severity for each, in the order of the design")
    func severities() {
        let warnings = StatusProblem.Kind.allCases.filter { $0.severity == .warning }
        #expect(warnings == [.partial, .timetable, .configuration])
    }
}
