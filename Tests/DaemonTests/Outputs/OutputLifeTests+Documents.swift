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

/// Tests, mutes and documents.
extension OutputLifeTests {
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
        let reply = box.ask(.muteOutput(MuteOutputParameters(output: "horn", duration: "2h")))?.changeReply
        #expect(reply?.message == "output \"horn\" muted until 17:00")
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
        #expect(box.ask(.unmuteOutput("bedroom"))?.changeReply?.message == "output \"bedroom\" unmuted")
    }

    @Test("Three tones in a row that fail make an output unhealthy")
    func tones() throws {
        var box = try box(
            "",
            "[[output]]\nname = \"a\"\ndevices = [\"hw:1\"]\nkeep-awake = \"1m\"\n"
                + "[[output]]\nname = \"b\"\ndevices = [\"hw:2\"]\nkeep-awake = \"10m\"\n")
        for output in ["a", "b"] {
            box.handle(
                .devicesTried(
                    output: output,
                    DeviceTrial(
                        devices: [output == "a" ? "hw:1" : "hw:2"], device: "hw:1", problems: [])))
        }
        for count in 1...3 {
            #expect(box.state.outputStates(at: box.now)[0].healthy)
            let done = box.during { $0.run(for: 61) }
            #expect(done.tones == ["a"], "\(count)")
            box.handle(.toneFailed(output: "a", reason: "cannot open"))
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

extension [Effect] {
    fileprivate var tones: [String] {
        compactMap { if case .keepAwake(let output, _) = $0 { output } else { nil } }
    }
}
