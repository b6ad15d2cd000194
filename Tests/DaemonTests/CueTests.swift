import BoxSupport
import LabSupport
import PrayerEngine
import Testing
import Texts

@testable import Announcements
@testable import Daemon
@testable import Protocol
@testable import Settings

@Suite("What is about to be heard, and what is not after all")
struct CueTests {
    private func steps(_ box: Box) -> [String] {
        box.notices.filter { [.prayerCued, .prayerReleased, .prayerStarted].contains($0.kind) }
            .map { "\($0.kind.rawValue) \($0.fields.id ?? "") \($0.fields.cause?.rawValue ?? "-")" }
    }

    private func cued(preroll: Double = 0) throws -> Box {
        var config = Config.default
        config.prerollSeconds = preroll
        var box = try Box(config: config)
        let next = try #require(box.state.status(at: box.now).next)
        box.run(until: try instant(next.at) - 10 - preroll)
        return box
    }

    @Test("Ten seconds and the preroll before, and then it begins", arguments: [0.0, 3])
    func begins(preroll: Double) throws {
        var box = try cued(preroll: preroll)
        #expect(steps(box) == ["prayer.cued asr_20261120 -"])
        let notice = try #require(box.notices.last { $0.kind == .prayerCued })
        #expect(notice.fields.scheduled.map { $0 - notice.at } == 10 + preroll)
        box.run(for: 10 + preroll)
        box.begin(token: try #require(box.effects.cued.last?.token))
        #expect(steps(box) == ["prayer.cued asr_20261120 -", "prayer.started asr_20261120 -"])
    }

    @Test("Muted: released for that, and cued again once it is unmuted")
    func muted() throws {
        var box = try cued()
        box.ask(.mute(MuteParameters(duration: "1h")))
        box.ask(.unmute)
        #expect(
            steps(box) == [
                "prayer.cued asr_20261120 -", "prayer.released asr_20261120 mute",
                "prayer.cued asr_20261120 -",
            ])
    }

    @Test("Switched off, skipped, and at the end of the program")
    func otherCauses() throws {
        var off = try cued()
        off.ask(.disablePrayers(["asr"]))
        #expect(steps(off).last == "prayer.released asr_20261120 toggle")
        var skipped = try cued()
        skipped.ask(.skipPrayers(SkipParameters(prayers: ["asr"])))
        #expect(steps(skipped).last == "prayer.released asr_20261120 toggle")
        var ended = try cued()
        let effects = ended.effects(of: .stopping)
        #expect(steps(ended).last == "prayer.released asr_20261120 shutdown")
        // The event comes before the process is gone.
        let end = effects.firstIndex { if case .exit = $0 { true } else { false } }
        let word = effects.firstIndex {
            if case .publish(let notice) = $0 { notice.kind == .prayerReleased } else { false }
        }
        let (release, exit) = (try #require(word), try #require(end))
        #expect(release < exit)
    }

    @Test("Silent and due by a reload while it was prepared for later: released, and only then reached")
    func silentAtOnce() throws {
        var box = try cued()
        var config = Config.default
        config[.asr].sound = "silent"
        let early = try Box.inputs(config, EventMinutes(asr: -1))
        box.handle(.inputsLoaded(early, .reload(nil)))
        #expect(
            steps(box) == [
                "prayer.cued asr_20261120 -", "prayer.released asr_20261120 -",
                "prayer.started asr_20261120 -",
            ])
        #expect(box.history.last?.outcome == .silent)
    }

    @Test("A clock that is set back is no cause, and what failed is not released besides")
    func clockAndFailure() throws {
        var box = try cued()
        box.now = box.now - 3600
        box.handle(.clockStepped(bySeconds: -3600))
        #expect(steps(box).last == "prayer.released asr_20261120 -")
        var failed = try cued()
        failed.end(token: try #require(failed.effects.cued.last?.token), .failed(reason: "no device"))
        #expect(steps(failed) == ["prayer.cued asr_20261120 -"])
        #expect(failed.notices.last { $0.kind == .prayerFailed } != nil)
    }

    @Test("A reload that changes nothing of it says nothing")
    func reloaded() throws {
        var box = try cued()
        box.handle(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
        #expect(steps(box).count == 1)
    }

    @Test("No event is for what is silent, muted or only tried")
    func nothing() throws {
        var config = Config.default
        config[.asr].sound = ["silent"]
        var box = try Box(config: config)
        box.ask(.testPlay(prayer: "fajr", seconds: nil))
        box.end(token: try #require(box.effects.cued.last?.token))
        try box.run(until: "2026-11-20T15:00:00-05:00")
        #expect(!steps(box).contains { $0.hasPrefix("prayer.cued") })
    }
}
