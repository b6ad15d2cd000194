import Announcements
import BoxSupport
import Daemon
import LabSupport
import PrayerEngine
import Protocol
import Settings
import StateFile
import Testing
import Texts
import Times

@Suite("Calling a prayer")
struct CallingTests {
    func maghrib(_ box: Box) throws -> Instant {
        try #require(box.timers.first { $0.name == "maghrib_20261120" }).at
    }

    @Test("The sound is cued 10 s ahead, and at the instant the start comes before everything else")
    func walk() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        let at = try maghrib(box)

        let cueing = box.during { $0.run(until: at - 10) }
        #expect(cueing.cued.map(\.sounds) == [["standard"]])
        #expect(cueing.started.isEmpty)

        let due = box.during { $0.run(until: at) }
        guard case .start(let token) = due.first else {
            Issue.record("the first effect at the instant is not the start: \(due)")
            return
        }
        #expect(due.cued.isEmpty)
        box.begin(token: token)
        #expect(box.notices.last?.kind == .prayerStarted)
        #expect(
            box.notices.last?.message
                == "Maghrib: adhan started 2 ms after 16:33:00 on \"default\" (standard, 10.8 s)")
        #expect(box.state.status(at: box.now).playback.state == .playing)

        box.run(for: 10.8)
        box.end(token: token)
        let entry = try #require(box.history.last)
        #expect(entry.id == "maghrib_20261120")
        #expect(entry.outcome == .played)
        #expect(entry.latenessMs == 2.0)
        #expect(entry.framesPlayed == 476_280)
        #expect(box.disk?.outcome(of: "maghrib_20261120") == .played)
        #expect(box.disk?.underway.isEmpty == true)
    }

    @Test("What nobody can have heard is no adhan that was played, unless its volume was chosen so")
    func inaudible() throws {
        for (volume, share, outcome) in [(80, 0.03, Outcome.failed), (80, 0.3, .played), (5, 0.0, .played)] {
            var config = Config.default
            config[.maghrib].volumePercent = volume
            var box = try Box("2026-11-20T16:00:00-05:00", config: config)
            box.run(until: try maghrib(box))
            let token = try #require(box.effects.started.last)
            box.begin(token: token)
            box.run(for: 10.8)
            box.end(token: token, audibleShare: share)
            let entry = try #require(box.history.last)
            #expect(entry.outcome == outcome)
            let isReported =
                entry.reason?.contains("at volume \(volume) %, was loud enough to be heard") == true
            #expect(isReported == (share < 0.1))
        }
    }

    @Test(
        "As much must have been heard as the limits for recordings ask",
        arguments: [(0.25, 0.24, false), (0.25, 0.25, true), (0.075, 0.08, true)])
    func measuredShare(least: Double, heard: Double, isPlayed: Bool) throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        box.run(until: try maghrib(box))
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.run(for: 10.8)
        box.end(token: token, audibleShare: heard, measuredShare: 0.5, leastShare: least)
        let entry = try #require(box.history.last)
        #expect(entry.outcome == (isPlayed ? .played : .failed))
        #expect(entry.reason?.contains("; the recording has 50 %") == (isPlayed ? nil : true))
    }

    @Test("A damaged recording is reported as such: the device is not blamed")
    func damagedRecording() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        box.run(until: try maghrib(box))
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.handle(.playback(token: token, .soundDamaged(reason: "\"x.mp3\" is damaged")))
        #expect(box.notices.last?.kind == .prayerFailed && box.notices.last?.level == .warning)
        #expect(box.state.status(at: box.now).audio.healthy)
        box.run(for: 10.8)
        box.end(token: token)
        #expect(box.history.last?.outcome == .played)
        #expect(box.history.last?.reason == "\"x.mp3\" is damaged")
        // The next step is news for the journal, and no lasting state of the device.
        box.handle(
            .preflight(id: "isha_20261120", .ofOne(device: "default", soundProblems: ["x"])))
        #expect(box.state.status(at: box.now).audio.healthy)
    }

    @Test("A prayer that was called is not called again, however the clock is set")
    func neverTwice() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        let at = try maghrib(box)
        box.run(until: at)
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.run(for: 11)
        box.end(token: token)
        for shift in [-600.0, -400.0 * 86_400, 400.0 * 86_400, -400.0 * 86_400] as [Double] {
            box.now = box.now + shift
            let done =
                box.effects(of: .clockStepped(bySeconds: shift)) + box.during { $0.run(until: at + 100) }
            #expect(!done.cued.contains { $0.prayer == .maghrib && $0.startAt == at })
            #expect(box.history.count { $0.id == "maghrib_20261120" } == 1)
            #expect(box.state.saved.outcome(of: "maghrib_20261120") == .played)
            #expect(!box.timers.contains { $0.name == "maghrib_20261120" })
        }
    }

    @Test(
        "Late within the grace it is called, later it is missed and says why",
        arguments: [(119.0, true), (121.5, false)])
    func grace(lateness: Double, called: Bool) throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        let at = try maghrib(box)
        box.now = at + lateness
        let done = box.effects(of: .resumed)
        #expect(done.started.count == (called ? 1 : 0))
        #expect(done.cued.count == (called ? 1 : 0))
        if !called {
            let entry = try #require(box.history.last)
            #expect(entry.outcome == .missed)
            #expect(entry.reason?.contains("later than the grace of 2 min allows") == true)
            #expect(box.notices.contains { $0.kind == .prayerMissed && $0.level == .error })
        }
    }

    @Test("A late call is saved as begun before it is prepared")
    func savedFirst() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        let at = try maghrib(box)
        box.now = at + 30
        let done = box.effects(of: .resumed)
        let save = try #require(done.firstIndex { if case .save = $0 { true } else { false } })
        let cue = try #require(done.firstIndex { if case .cue = $0 { true } else { false } })
        #expect(save < cue)
        #expect(box.disk?.outcome(of: "maghrib_20261120") == .playing)
    }

    @Test("What a clock running ahead made missed is called when its time really comes")
    func revived() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        let at = try maghrib(box)
        box.now = at + 3600
        box.handle(.clockStepped(bySeconds: 3600 + at.unixSeconds - box.state.startedAt.unixSeconds))
        #expect(box.disk?.outcome(of: "maghrib_20261120") == .missed)
        box.now = at - 1000
        box.handle(.clockStepped(bySeconds: -4600))
        #expect(box.timers.contains { $0.name == "maghrib_20261120" })
        let done = box.during { $0.run(until: at) }
        #expect(done.started.count == 1)
    }

    @Test("A silent prayer makes no sound, cues nothing, and is recorded as reached")
    func silent() throws {
        var config = Config.default
        config[.maghrib].sound = ["silent"]
        var box = try Box("2026-11-20T16:00:00-05:00", config: config)
        let done = try box.during { try $0.run(until: "2026-11-20T16:40:00-05:00") }
        #expect(done.cued.isEmpty && done.started.isEmpty)
        #expect(box.history.last?.outcome == .silent)
        #expect(done.notices.contains { $0.message == "Maghrib 16:33:00: reached; its sound is \"silent\"" })
    }

    @Test("Of an adhan and a reminder due together the adhan is called and the reminder says it gave way")
    func together() throws {
        var config = Config.default
        let probe = try Box("2026-11-20T16:00:00-05:00")
        let maghribAt = try maghrib(probe)
        let ishaAt = try #require(probe.timers.first { $0.name == "isha_20261120" }).at
        config[.isha].reminderSeconds = [ishaAt - maghribAt]
        var box = try Box("2026-11-20T16:00:00-05:00", config: config)
        let done = box.during { $0.run(until: maghribAt) }
        #expect(done.started.count == 1)
        #expect(box.history.map(\.outcome) == [.skipped])
        #expect(box.history.last?.reason == "it gave way to Maghrib, which was due as well")
        #expect(box.state.jobs.contains { $0.announcement.id == "maghrib_20261120" && $0.phase == .playing })
    }

    @Test("A reminder that still sounds when the adhan is due gives way to it")
    func reminderGivesWay() throws {
        var config = Config.default
        config[.maghrib].reminderSeconds = [5]
        var box = try Box("2026-11-20T16:00:00-05:00", config: config)
        let at = try maghrib(box)
        box.run(until: at - 5)
        let reminder = try #require(box.effects.started.last)
        box.begin(token: reminder)
        #expect(box.notices.last?.kind == .reminderStarted)
        let before = box.during { $0.run(until: at - 0.3) }
        #expect(before.stopped == [reminder] && before.started.isEmpty)
        box.end(token: reminder, .stopped)
        let done = box.during { $0.run(until: at) }
        let adhan = try #require(done.started.last)
        #expect(box.history.last?.id == "reminder-5s_maghrib_20261120")
        #expect(box.history.last?.endedBy == "maghrib_20261120")
        box.begin(token: adhan)
        box.end(token: adhan)
        #expect(box.history.last?.outcome == .played)
    }
}
