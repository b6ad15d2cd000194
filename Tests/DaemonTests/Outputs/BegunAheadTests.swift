import BoxSupport
import LabSupport
import PrayerEngine
import Protocol
import Testing
import Texts
import Times

@testable import Announcements
@testable import Daemon
@testable import Settings

/// Queens on Friday 2026-11-20: Maghrib 16:33. "women" is ten seconds from the ear, so that its device is started at 16:32:50.
@Suite("What happens while one output is on its way to the ear and the others have not begun")
struct BegunAheadTests {
    private static let outputs = """
        [[output]]
        name = "hall"
        devices = ["hw:1"]
        [[output]]
        name = "horn"
        devices = ["hw:2"]
        [[output]]
        name = "women"
        devices = ["snapfifo"]
        latency = "10s"

        """

    private let names = ["hall", "horn", "women"]

    /// Five seconds before the instant.
    private func ahead() throws -> (box: Box, token: Int) {
        var box = try Box(text: Self.outputs, clock: "2026-11-20T15:00:00-05:00")
        try box.run(until: "2026-11-20T16:32:50-05:00")
        let token = try #require(box.effects.cued.last?.token)
        for name in names {
            box.handle(
                .playback(token: token, output: name, .cued(device: "card of \(name)", durationSeconds: 8)))
        }
        box.handle(.playback(token: token, output: "women", .began(at: box.now, device: "card of women")))
        box.run(for: 5)
        return (box, token)
    }

    private func mute(_ output: String) -> ControlRequest {
        .muteOutput(MuteOutputParameters(output: output, duration: "2h"))
    }

    private func leftOut(_ effects: [Effect]) -> [String] {
        effects.compactMap { if case .leaveOut(_, let output) = $0 { output } else { nil } }
    }

    /// The rest of it, on the outputs that are left.
    private func playOut(_ box: inout Box, _ token: Int, on outputs: [String]) throws -> HistoryEntry {
        try box.run(until: "2026-11-20T16:32:58-05:00")
        box.end(token, on: "women", frames: 352_800)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        for name in outputs {
            box.handle(.playback(token: token, output: name, .began(at: box.now, device: "card of \(name)")))
        }
        box.run(for: 8)
        for name in outputs { box.end(token, on: name, frames: 352_800) }
        box.run(for: 30)
        return try #require(box.history.last { $0.id == "maghrib_20261120" })
    }

    @Test("An output that is muted meanwhile is left out, and the one that has begun goes on")
    func othersMuted() throws {
        var (box, token) = try ahead()
        let done = box.during { _ = $0.ask(mute("hall")) }
        #expect(leftOut(done) == ["hall"] && done.stopped.isEmpty && done.cued.isEmpty)
        let entry = try playOut(&box, token, on: ["horn"])
        #expect(box.effects.cued.count == 1 && box.effects.stopped.isEmpty)
        #expect(entry.outcome == .played && entry.cause != .device)
        #expect(entry.outputs?.map(\.outcome) == [.quiet, .played, .played])
        #expect(entry.outputs?.first?.quiet == "mute")
    }

    @Test("The one that has begun is not cut by a mute of it, which counts for what comes next")
    func begunMuted() throws {
        var (box, token) = try ahead()
        let done = box.during { _ = $0.ask(mute("women")) }
        #expect(leftOut(done).isEmpty && done.stopped.isEmpty && done.cued.isEmpty)
        let entry = try playOut(&box, token, on: ["hall", "horn"])
        #expect(entry.outputs?.map(\.outcome) == [.played, .played, .played])
    }

    @Test("Muting all of them leaves the one that has begun, and the adhan is called")
    func eachMuted() throws {
        var (box, token) = try ahead()
        let done = box.during { box in for name in names { _ = box.ask(mute(name)) } }
        #expect(Set(leftOut(done)) == ["hall", "horn"] && done.stopped.isEmpty)
        let entry = try playOut(&box, token, on: [])
        #expect(entry.outcome == .played && entry.outputs?.map(\.outcome) == [.quiet, .quiet, .played])
    }

    @Test("A configuration with other volumes, or another window, changes nothing of it")
    func reloaded() throws {
        for text in [
            Self.outputs.replacing("\"hw:1\"]", with: "\"hw:1\"]\nvolume = 20"),
            Self.outputs
                + "[[quiet]]\nname = \"law\"\nfrom = \"03:00\"\nuntil = \"04:00\"\noutputs = [\"horn\"]\n",
        ] {
            var (box, token) = try ahead()
            let config = try ConfigLoader.load(text: text, file: "test")
            let done = try box.during { $0.handle(.inputsLoaded(try Box.inputs(config), .reload(nil))) }
            #expect(done.stopped.isEmpty && done.cued.isEmpty && leftOut(done).isEmpty)
            let entry = try playOut(&box, token, on: ["hall", "horn"])
            #expect(entry.outcome == .played)
        }
    }

    @Test(
        "What a person ends is recorded as begun and ended, with the output that is heard longer",
        arguments: ["mute", "next", "disable", "stop", "skip"])
    func ended(by act: String) throws {
        var (box, token) = try ahead()
        let request: ControlRequest =
            switch act {
            case "mute": .mute(MuteParameters(duration: "1h"))
            case "next": .mute(MuteParameters(next: true))
            case "disable": .disablePrayers(["maghrib"])
            case "skip": .skipPrayers(SkipParameters(prayers: ["maghrib"]))
            default: .stop
            }
        let before = box.effects.count
        let reply = box.ask(request)?.changeReply
        #expect(box.effects.dropFirst(before).map(\.self).stopped == [token])
        if act != "skip" {
            #expect(reply?.message.contains("\"women\" is heard 10.0 s longer") == true, "\(reply as Any)")
        }
        for name in names {
            box.end(token, on: name, .stopped, frames: name == "women" ? 220_500 : 0)
        }
        try box.run(until: "2026-11-20T16:34:00-05:00")
        let entry = try #require(box.history.last { $0.id == "maghrib_20261120" })
        #expect(entry.outcome == .interrupted && entry.outputs?.last?.framesPlayed == 220_500)
        #expect(box.effects.cued.count == 1)
    }

    @Test("What the next sound ends on one output after the other says by what")
    func endedOneByOne() throws {
        var (box, first) = try twoReminders()
        // The second has begun by itself there, too, and its timer has not fired.
        box.now = try instant("2026-11-20T16:32:10.01-05:00")
        box.end(first, on: "hall", .stopped, frames: 441_000)
        #expect(box.history.last?.id == "reminder-1m_maghrib_20261120")
        #expect(box.history.last?.endedBy == "reminder-50s_maghrib_20261120")
        #expect(box.history.last?.reason == "ended by reminder-50s_maghrib_20261120")
    }

    @Test("What the next sound ended on one output, and its own device on the other, names the next sound")
    func endedOnOneFailedOnTheOther() throws {
        var (box, first) = try twoReminders()
        box.now = try instant("2026-11-20T16:32:05-05:00")
        box.end(first, on: "hall", .failed(reason: "gone"), frames: 441_000)
        #expect(box.history.last?.id == "reminder-1m_maghrib_20261120")
        #expect(box.history.last?.endedBy == "reminder-50s_maghrib_20261120", "\(box.history as Any)")
    }

    /// Two reminders ten seconds apart, of which the second has taken over "women" and is yet to begin in the hall.
    private func twoReminders() throws -> (box: Box, first: Int) {
        let reminders = "[adhan.maghrib]\nreminders = [\"1m\", \"50s\"]\n"
        let horn = "[[output]]\nname = \"horn\"\ndevices = [\"hw:2\"]\n"
        let text = Self.outputs.replacing(horn, with: "") + reminders
        var box = try Box(text: text, clock: "2026-11-20T15:00:00-05:00")
        try box.run(until: "2026-11-20T16:31:45-05:00")
        let first = try #require(box.effects.cued.last?.token)
        try box.run(until: "2026-11-20T16:31:50-05:00")
        box.begin(first, on: "women", durationSeconds: 30)
        try box.run(until: "2026-11-20T16:32:00-05:00")
        let second = try #require(box.effects.cued.last?.token)
        box.begin(first, on: "hall", durationSeconds: 30)
        box.begin(second, on: "women", durationSeconds: 30)
        box.end(first, on: "women", .stopped, frames: 441_000)
        #expect(first != second)
        return (box, first)
    }

    @Test("Until an output has begun, a mute has everything prepared again, as before")
    func notBegun() throws {
        var box = try Box(text: Self.outputs, clock: "2026-11-20T15:00:00-05:00")
        try box.run(until: "2026-11-20T16:32:45-05:00")
        let token = try #require(box.effects.cued.last?.token)
        let done = box.during { _ = $0.ask(mute("hall")) }
        #expect(done.stopped == [token] && done.cued.last?.outputs.map(\.name) == ["horn", "women"])
    }
}
