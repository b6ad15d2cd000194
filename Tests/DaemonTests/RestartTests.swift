import Announcements
import BoxSupport
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Testing
import Texts

@Suite("Restarts")
struct RestartTests {
    /// A box in the middle of Maghrib's adhan, `seconds` after its start.
    func midAdhan(_ seconds: Double) throws -> Box {
        var box = try Box("2026-11-20T16:32:00-05:00")
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.handle(.playback(token: token, .cued(device: "default", durationSeconds: 200)))
        box.handle(.playback(token: token, .began(at: box.now, device: "default")))
        box.run(for: seconds)
        return box
    }

    @Test("Killed mid-adhan and back soon, it goes on where it would be")
    func resumes() throws {
        let killed = try midAdhan(30)
        var box = try Box("2026-11-20T16:33:38-05:00", disk: killed.disk)
        let cue = try #require(box.effects.cued.last)
        #expect(abs(cue.positionSeconds - 38) < 0.1)
        #expect(box.history.isEmpty)
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.end(token: token)
        #expect(box.history.count == 1)
        #expect(box.history.last?.started == "2026-11-20T16:33:00.000-05:00")
        #expect(box.history.last?.outcome == .played)
    }

    @Test("What was begun goes on as it was begun, though its time and its sound have been changed since")
    func resumesAsBegun() throws {
        let killed = try midAdhan(30)
        var config = Config.default
        config[.maghrib].sound = ["another"]
        var later = EventMinutes()
        later[.maghrib] = 20
        let state = try SavedState(fileBytes: try #require(killed.disk).fileBytes())
        var box = try Box("2026-11-20T16:33:38-05:00", config: config, disk: state, adjustments: later)
        let cue = try #require(box.effects.cued.last)
        #expect(abs(cue.positionSeconds - 38) < 0.1)
        #expect(cue.sounds == ["standard"])
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.end(token: token)
        #expect(box.history.map(\.scheduled) == ["2026-11-20T16:33:00.000-05:00"])
        #expect(box.history.map(\.latenessMs) == [0])
    }

    @Test("Where nothing of it is left to be heard, it was not played")
    func nothingLeft() throws {
        let killed = try midAdhan(30)
        var box = try Box("2026-11-20T16:33:38-05:00", disk: killed.disk)
        let token = try #require(box.effects.started.last)
        box.handle(.playback(token: token, .cued(device: "default", durationSeconds: 0)))
        box.handle(.playback(token: token, .began(at: box.now, device: "default")))
        let proof = JobResult(
            end: .completed, startedAt: box.now, endedAt: box.now, device: "default", rateHz: 44_100,
            framesWritten: 0, framesPlayed: 0, dropouts: 0, gainDb: 0)
        box.handle(.playback(token: token, .ended(proof)))
        #expect(box.history.map(\.outcome) == [.interrupted])
    }

    @Test("Cut off twice, it still knows how long the whole adhan is")
    func resumesTwice() throws {
        let killed = try midAdhan(90)
        var again = try Box("2026-11-20T16:34:38-05:00", disk: killed.disk)
        let token = try #require(again.effects.started.last)
        // Playback tells how much is left.
        again.handle(.playback(token: token, .cued(device: "default", durationSeconds: 102)))
        again.handle(.playback(token: token, .began(at: again.now, device: "default")))
        #expect(again.state.status(at: again.now).playback.durationSeconds == 200)
        again.run(for: 10)
        let box = try Box("2026-11-20T16:34:53-05:00", disk: again.disk)
        #expect(abs((box.effects.cued.last?.positionSeconds ?? 0) - 113) < 0.1)
    }

    @Test("A simulated prayer that was cut off is resumed like a real one")
    func simulated() throws {
        var config = Config.default
        config.debugTriggers = true
        var killed = try Box(config: config)
        killed.ask(.trigger(prayer: "asr", delay: nil))
        let token = try #require(killed.effects.started.last)
        killed.begin(token: token)
        killed.run(for: 4)
        let box = try Box("2026-11-20T12:30:08-05:00", config: config, disk: killed.disk)
        #expect(abs((box.effects.cued.last?.positionSeconds ?? 0) - 8) < 0.1)
    }

    @Test("Back too late, the adhan is recorded as interrupted, once, and not begun again")
    func interrupted() throws {
        let killed = try midAdhan(30)
        let box = try Box("2026-11-20T16:34:30-05:00", disk: killed.disk)
        #expect(box.effects.cued.isEmpty)
        #expect(box.history.map(\.outcome) == [.interrupted])
        let again = try Box("2026-11-20T16:34:40-05:00", disk: box.disk)
        #expect(again.effects.cued.isEmpty && again.history.isEmpty)
    }

    @Test("Killed before the device began, it is called from its beginning, and as late as it is")
    func neverBegun() throws {
        var killed = try Box("2026-11-20T16:32:00-05:00")
        try killed.run(until: "2026-11-20T16:33:00-05:00")
        #expect(killed.disk?.underway.map(\.startedAt) == [nil])
        var box = try Box("2026-11-20T16:33:04-05:00", disk: killed.disk)
        #expect(box.effects.cued.map(\.positionSeconds) == [0])
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.end(token: token)
        #expect(box.history.map(\.latenessMs) == [4002])
    }

    @Test("A box that was off records what it missed, and why")
    func off() throws {
        let before = try Box("2026-11-20T12:30:00-05:00")
        let box = try Box("2026-11-20T20:00:00-05:00", disk: before.disk)
        #expect(box.history.map(\.id) == ["asr_20261120", "maghrib_20261120", "isha_20261120"])
        #expect(box.history.allSatisfy { $0.outcome == .missed })
        #expect(box.history[0].reason?.hasPrefix("adhand was not running") == true)
        let again = try Box("2026-11-20T20:00:10-05:00", disk: box.disk)
        #expect(again.history.isEmpty)
    }

    @Test("What was due before the first start of all is not recorded as missed")
    func firstStart() throws {
        let box = try Box("2026-11-20T20:00:00-05:00")
        #expect(box.history.isEmpty)
        #expect(!box.notices.contains { $0.kind == .prayerMissed })
    }

    @Test("Mute and switches outlive a restart")
    func kept() throws {
        var box = try Box()
        box.ask(.mute(MuteParameters(duration: "2h")))
        box.ask(.disablePrayers(["isha"]))
        let disk = try SavedState(fileBytes: try #require(box.disk).fileBytes())
        let again = try Box("2026-11-20T12:40:00-05:00", disk: disk)
        let status = again.state.status(at: again.now)
        #expect(status.mute.active)
        #expect(status.mute.until == "2026-11-20T14:30:00.000-05:00")
        #expect(status.prayers.first { $0.prayer == "isha" }?.enabled == false)
    }

    @Test("The state file reads back as it was written, and rubbish is refused")
    func file() throws {
        var box = try Box()
        box.ask(.mute(MuteParameters(next: true)))
        box.ask(.disablePrayers(["fajr"]))
        let disk = try #require(box.disk)
        #expect(try SavedState(fileBytes: disk.fileBytes()) == disk)
        for rubbish in ["", "{", "[]", "{\"version\":1}", "null"] {
            #expect(throws: (any Error).self) { try SavedState(fileBytes: Array(rubbish.utf8)) }
        }
    }

    /// A box that a planned stop ended five seconds into Maghrib's adhan.
    func stopped() throws -> Box {
        var box = try midAdhan(5)
        let token = try #require(box.effects.started.last)
        let done = box.effects(of: .stopping)
        #expect(done.stopped == [token])
        #expect(!done.contains { if case .exit = $0 { true } else { false } })
        box.run(for: 1)
        let last = box.during { $0.end(token: token, .stopped) }
        #expect(last.contains { if case .exit = $0 { true } else { false } })
        #expect(box.history.isEmpty)
        return box
    }
}
