import BoxSupport
import LabSupport
import PrayerEngine
import Settings
import StateFile
import Testing
import Texts
import Times

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Protocol

@Suite("A state that was lost is news until somebody confirms it")
struct StateLossTests {
    private func box(
        _ loss: StateLoss?, decided: SavedState? = nil, disk: SavedState? = nil
    ) throws -> Box {
        let now = try instant("2026-11-20T12:30:00-05:00")
        var box = try Box(disk: disk)
        guard loss != nil || decided != nil else { return box }
        box.state = DaemonState(
            inputs: try Box.inputs(.default), saved: nil, lost: loss, decided: decided, recorded: [], now: now
        )
        box.handle(.clockHealth(ClockHealth(synchronized: true)))
        box.handle(.started)
        return box
    }

    @Test(
        "status, doctor's reason and the journal tell it, through saves and restarts, until a reload is answered"
    )
    func reportedUntilReload() throws {
        let at = try instant("2026-11-20T12:30:00-05:00")
        var first = try box(StateLoss(.gone, at: at, isRestored: false))
        _ = first.ask(.disablePrayers(["asr"]))
        var again = try box(nil, disk: try SavedState(fileBytes: try #require(first.disk).fileBytes()))
        let status = again.state.status(at: again.now)
        #expect(status.stateLoss?.cause == .gone && status.stateLoss?.restored == false)
        #expect(status.stateLoss?.fix == "adhanctl reload")
        #expect(status.stateLoss?.at == "2026-11-20T12:30:00-05:00")
        let text = StatusText.render(status, .plain)
        #expect(text.contains("State     state.json was gone when adhand started on Friday 20 November"))
        #expect(text.contains("Run \"adhanctl reload\" to confirm that"))
        #expect(WaybarDocument(status).class == .problem)
        let reports = { (box: Box) in box.notices.count { $0.kind == .stateLost } }
        #expect(reports(again) == 1)
        try again.sleep(until: "2026-11-21T00:00:01-05:00")
        #expect(reports(again) == 2)
        // A signal is no answer.
        again.handle(.inputsWanted(.reload(nil)))
        again.handle(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
        #expect(again.state.saved.loss != nil)
        let id = RequestID(serial: 700)
        let done = again.during {
            $0.handle(.request(id, .reload(), from: Peer(user: 0, groups: [])))
            $0.handle(.inputsLoaded(try! Box.inputs(.default), .reload(id)))
        }
        let problems = Box.reply(to: id, in: done)?.changeReply?.problems ?? []
        #expect(problems.contains { $0.hasPrefix("confirmed: state.json was gone") })
        #expect(again.state.status(at: again.now).stateLoss == nil && again.disk?.loss == nil)
    }

    @Test("A room that was muted by command stays silent after the state was lost")
    func restoredOutputMute() throws {
        let config = try ConfigLoader.load(
            text: """
                [[output]]
                name = "hall"
                devices = ["hw:1"]
                [[output]]
                name = "room"
                devices = ["hw:2"]
                """,
            file: "test")
        var before = try Box(config: config)
        let without = before.state.saved
        _ = before.ask(.muteOutput(MuteOutputParameters(output: "room", duration: "8h")))
        let saved = try #require(before.disk)
        #expect(!saved.decides(theSameAs: without))
        let copy = try SavedState(fileBytes: saved.decisions.fileBytes())
        let after = DaemonState(
            inputs: try Box.inputs(config), saved: nil,
            lost: StateLoss(.damaged, at: before.now, isRestored: true), decided: copy, recorded: [],
            now: before.now)
        #expect(saved.outputMutes.map(\.output) == ["room"] && after.saved.outputMutes == saved.outputMutes)
    }

    @Test("What people decided comes back from the copy, and nothing that was called is taken from it")
    func restored() throws {
        var before = try box(nil)
        _ = before.ask(.mute(MuteParameters(duration: "8h")))
        _ = before.ask(.disablePrayers(["isha"]))
        _ = before.ask(.skipPrayers(SkipParameters(prayers: ["fajr"], date: "2026-11-21")))
        _ = before.ask(
            .setException(ExceptionParameters(date: "2026-11-22", prayer: "asr", adhan: "15:00")))
        let saved = try #require(before.disk)
        let copy = try SavedState(fileBytes: saved.decisions.fileBytes())
        #expect(copy.decides(theSameAs: saved) && copy.handled.inOrder.isEmpty && copy.underway.isEmpty)
        let after = try box(
            StateLoss(.damaged, at: before.now, isRestored: true), decided: copy)
        #expect(after.state.saved.toggles == saved.toggles && after.state.saved.mute == saved.mute)
        #expect(after.state.saved.exceptions == saved.exceptions)
        let status = after.state.status(at: after.now)
        #expect(status.stateLoss?.restored == true && status.mute.active)
        #expect(status.stateLoss?.message.hasSuffix("were restored from the copy; check them") == true)
        #expect(after.disk?.loss?.cause == .damaged)
        // The passing of time alone changes nothing of it.
        var later = saved
        later.clock.confirm(before.now + 3600)
        #expect(later.decides(theSameAs: saved) && saved.isCurrentCopy(of: later))
        // A clock that was set back changes it: the copy would have the next start distrust the right one.
        #expect(!later.isCurrentCopy(of: saved))
        later.toggles.skips.remove(.fajr, on: try #require(CivilDate("2026-11-21")))
        #expect(!later.decides(theSameAs: saved))
    }
}
