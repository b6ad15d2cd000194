import Announcements
import BoxSupport
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Testing
import Texts

extension RestartTests {
    @Test("On SIGTERM what plays is faded out, and goes on where it would be when adhand is back soon")
    func plannedStop() throws {
        var box = try Box("2026-11-20T16:33:25.5-05:00", disk: try stopped().disk)
        #expect(abs(try #require(box.effects.cued.last).positionSeconds - 25.5) < 0.01)
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.end(token: token)
        #expect(box.history.map(\.outcome) == [.played])
    }

    @Test(
        "Killed while it fades out for a planned stop, adhand goes on as after the stop; such a fade is ten seconds at most"
    )
    func killedInFade() throws {
        var config = Config.default
        config.fadeOutSeconds = 60
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.handle(.playback(token: token, .cued(device: "default", durationSeconds: 75)))
        box.handle(.playback(token: token, .began(at: box.now, device: "default")))
        box.run(for: 9)
        let fades = box.effects(of: .stopping).compactMap {
            if case .stop(_, let seconds) = $0 { seconds } else { nil }
        }
        #expect(fades == [10])
        #expect(box.disk?.underway.map(\.aliveAt) == [box.now])
        box.run(for: 9)
        #expect(box.disk?.underway.map(\.aliveAt) == [box.now + -4])
        let again = try Box("2026-11-20T16:33:33-05:00", config: config, disk: box.disk)
        #expect(again.effects.cued.map(\.positionSeconds) == [33])
    }

    @Test("What somebody only tried out is over with a planned stop, and whoever waits for it is answered")
    func plannedStopOfATest() throws {
        var box = try Box()
        box.ask(.testPlay(prayer: "fajr", seconds: nil))
        let token = try #require(box.effects.started.last)
        let done = box.effects(of: .stopping)
        #expect(done.stopped == [token])
        let last = box.during { $0.end(token: token, .stopped) }
        #expect(last.contains { if case .reply(_, .refused) = $0 { true } else { false } })
        #expect(last.contains { if case .exit = $0 { true } else { false } })
        #expect(last.notices.map(\.kind) == [.testFinished])
        #expect(box.disk?.underway.isEmpty != false)
    }

    @Test("Back too late, or on another day of the machine, a planned stop is recorded once, and as due")
    func plannedStopAndAway() throws {
        for (clock, boot, reason) in [
            (
                "2026-11-20T16:33:27-05:00", "a boot",
                "adhand ended while calling it and came back too late to go on"
            ),
            (
                "2026-11-20T16:33:10-05:00", "another",
                "the machine was started again while it was being called"
            ),
        ] {
            let box = try Box(clock, disk: try stopped().disk, boot: boot)
            #expect(box.effects.cued.isEmpty)
            #expect(box.history.map(\.reason) == [reason])
            #expect(box.history.map(\.outcome) == [.interrupted])
            #expect(box.history.map(\.endedBy) == [nil])
            #expect(HistoryDocument(days: 7, entries: box.history, now: box.now).due == 1)
            let again = try Box("2026-11-20T16:33:28-05:00", disk: box.disk)
            #expect(again.effects.cued.isEmpty && again.history.isEmpty)
        }
    }

    @Test(
        "What somebody ends while a planned stop fades it out does not come back",
        arguments: [
            ControlRequest.stop, .mute(MuteParameters(duration: "10s")), .disablePrayers(["maghrib"]),
        ])
    func endedDuringPlannedStop(_ request: ControlRequest) throws {
        var box = try midAdhan(5)
        let token = try #require(box.effects.started.last)
        _ = box.effects(of: .stopping)
        let asked = box.during { $0.ask(request) }
        #expect(!asked.contains { if case .reply(_, .refused) = $0 { true } else { false } })
        #expect(asked.stopped.isEmpty)
        box.end(token: token, .stopped)
        #expect(box.history.map(\.outcome) == [.interrupted])
        #expect(box.history.allSatisfy { $0.endedBy != nil })
        let again = try Box("2026-11-20T16:33:15-05:00", disk: box.disk)
        #expect(again.effects.cued.isEmpty && again.history.isEmpty)
    }

    @Test("What is muted or switched off in between does not go on")
    func silencedInBetween() throws {
        var muted = try #require(try stopped().disk)
        muted.mute = .all(since: nil, until: nil)
        let silent = try Box("2026-11-20T16:33:10-05:00", disk: muted)
        #expect(silent.effects.cued.isEmpty)
        #expect(silent.history.map(\.reason) == ["adhand ended while calling it, and it is muted now"])
    }

    @Test(
        "What somebody ended does not come back when the program ends during the fade",
        arguments: [
            ControlRequest.stop, .mute(MuteParameters(duration: "10s")), .disablePrayers(["maghrib"]),
        ])
    func endedThenKilled(request: ControlRequest) throws {
        var box = try midAdhan(5)
        let answer = box.ask(request)
        #expect(answer?.changeReply != nil)
        let token = try #require(box.effects.started.last)
        // It fades already, and is over before adhand is killed.
        let limits = box.effects(of: .stopping).compactMap {
            if case .stop(token, let seconds) = $0 { seconds } else { nil }
        }
        #expect(limits == [10])
        let killed = try SavedState(fileBytes: try #require(box.disk).fileBytes())
        let again = try Box("2026-11-20T16:33:18-05:00", disk: killed)
        #expect(again.effects.cued.isEmpty)
        #expect(again.history.count == 1)
        #expect(again.history.first?.endedBy?.hasPrefix("adhanctl") == true)
        // Not killed, it is recorded at once.
        box.end(token: token, .stopped)
        #expect(box.history.count == 1)
        #expect(try Box("2026-11-20T16:33:18-05:00", disk: box.disk).history.isEmpty)
    }

    @Test("A call that was stopped before anything of it was heard is called again, late as it is")
    func stoppedBeforeItBegan() throws {
        var killed = try Box("2026-11-20T16:32:00-05:00")
        try killed.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(killed.effects.started.last)
        killed.handle(.stopping)
        let result = JobResult(
            end: .stopped, startedAt: nil, endedAt: killed.now, device: nil, rateHz: 0, framesWritten: 0,
            framesPlayed: 0, dropouts: 0, gainDb: 0)
        killed.handle(.playback(token: token, .ended(result)))
        let box = try Box("2026-11-20T16:33:04-05:00", disk: killed.disk)
        #expect(box.effects.cued.map(\.positionSeconds) == [0])
        #expect(box.effects.started.count == 1)
    }

    @Test(
        "A reminder that was cut off and that the plan no longer has is called by its own sound, not the adhan's"
    )
    func reminderRebuilt() throws {
        var config = Config.default
        config[.maghrib].reminderSeconds = [300]
        config[.maghrib].reminderSound = "signal"
        config[.maghrib].fadeInSeconds = 3
        var killed = try Box("2026-11-20T16:27:00-05:00", config: config)
        try killed.run(until: "2026-11-20T16:28:00-05:00")
        killed.begin(token: try #require(killed.effects.started.last))
        killed.run(for: 3)
        config[.maghrib].reminderSeconds = []
        let box = try Box("2026-11-20T16:28:05-05:00", config: config, disk: killed.disk)
        #expect(box.history.map(\.id) == ["reminder-5m_maghrib_20261120"])
        #expect(box.history.map(\.sound) == [["signal"]])
        #expect(box.history.map(\.outcome) == [.interrupted])
    }

    @Test("The history is written in one batch, before the state is saved")
    func recordsFirst() throws {
        let before = try Box("2026-11-20T12:30:00-05:00")
        let box = try Box("2026-11-20T20:00:00-05:00", disk: before.disk)
        let order = box.effects.compactMap { effect in
            switch effect {
            case .record(let entries): "record \(entries.count)"
            case .save: "save"
            default: nil
            }
        }
        #expect(order == ["record 3", "save"])
    }

    @Test("What the history recorded before the program ended is not recorded again, however much it was")
    func recordedBeforeTheEnd() throws {
        var config = Config.default
        for prayer in Prayer.allCases { config[prayer].reminderSeconds = [600, 300] }
        let before = try Box("2026-10-18T12:30:00-04:00", config: config)
        let box = try Box("2026-11-20T20:00:00-05:00", config: config, disk: before.disk)
        #expect(box.history.count > 500)
        // It died between the history and the save.
        let recorded = Array(box.history.suffix(HandledIds.learntFrom))
        let again = try Box(
            "2026-11-20T20:00:10-05:00", config: config, disk: before.disk, recorded: recorded)
        #expect(again.history.isEmpty)
    }
}
