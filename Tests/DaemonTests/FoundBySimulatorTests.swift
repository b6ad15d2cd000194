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

/// The simulator's findings, each as a story of its own.
@Suite("Found by the simulator")
struct FoundBySimulatorTests {
    @Test("A cued prayer over whose commit the machine slept is started only after the disk knows of it")
    func sleptOverCommit() throws {
        var box = try Box("2026-11-20T16:32:00-05:00")
        try box.run(until: "2026-11-20T16:32:51-05:00")
        #expect(box.disk?.underway.isEmpty == true)
        let done = try box.during { try $0.sleep(until: "2026-11-20T16:33:20-05:00") }
        let save = try #require(done.firstIndex { if case .save = $0 { true } else { false } })
        let start = try #require(done.firstIndex { if case .start = $0 { true } else { false } })
        #expect(save < start)
    }

    @Test("A clock that leaps for years again and again does not make a called prayer forgotten")
    func leaps() throws {
        var config = Config.default
        for prayer in Prayer.allCases { config[prayer].reminderSeconds = [600, 300] }
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.end(token: token)
        let now = box.now
        for days in [40.0, 400, 80] {
            box.now = now + days * 86_400
            box.handle(.clockStepped(bySeconds: days * 86_400))
        }
        box.now = now + 30
        let done = box.effects(of: .clockStepped(bySeconds: -80 * 86_400))
        #expect(box.state.saved.outcome(of: "maghrib_20261120") == .played)
        #expect(done.started.isEmpty)
    }

    @Test("A mute for a duration that a box without a clock wakes up with does not last for decades")
    func muteWithoutClock() throws {
        var box = try Box()
        box.ask(.mute(MuteParameters(duration: "2h")))
        let until = try #require(box.disk?.mute?.until)
        let boot = try instant("1970-01-01T00:00:10Z")
        var state = DaemonState(inputs: try Box.inputs(.default), saved: box.disk, recorded: [], now: boot)
        _ = state.handle(.started, at: boot)
        let later = try instant("2026-11-20T13:00:00-05:00")
        _ = state.handle(.clockStepped(bySeconds: later - boot), at: later)
        #expect(state.saved.mute?.until == until)
    }

    @Test("A box that was set up without a clock has missed nothing before it had one")
    func setUpWithoutClock() throws {
        let boot = try instant("1970-01-01T00:00:10Z")
        var state = DaemonState(inputs: try Box.inputs(.default), saved: nil, recorded: [], now: boot)
        var done = state.handle(.started, at: boot)
        let later = try instant("2026-11-20T13:00:00-05:00")
        done += state.handle(.clockStepped(bySeconds: later - boot), at: later)
        #expect(state.trust.trusted)
        #expect(!done.contains { if case .record = $0 { true } else { false } })
    }

    @Test("What was muted by name and then leapt over by the clock does not keep the mute alive")
    func mutedNextIsGone() throws {
        var box = try Box()
        box.ask(.mute(MuteParameters(next: true)))
        box.now = box.now + 400 * 86_400
        box.handle(.clockStepped(bySeconds: 400 * 86_400))
        #expect(box.state.saved.mute == nil)
    }

    @Test(
        "An adhan once missed by a wrong clock, then called and cut off by a crash, is resumed all the same")
    func missedThenCalled() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        let at = try instant("2026-11-20T16:33:00-05:00")
        let start = box.now
        box.now = at + 3600
        box.handle(.clockStepped(bySeconds: box.now - start))
        #expect(box.history.map(\.outcome) == [.missed])
        box.now = start
        box.handle(.clockStepped(bySeconds: start - at - 3600))
        box.run(until: at)
        let token = try #require(box.effects.started.last)
        box.handle(.playback(token: token, .cued(device: "default", durationSeconds: 200)))
        box.handle(.playback(token: token, .began(at: box.now, device: "default")))
        let back = at + 5
        var state = DaemonState(
            inputs: try Box.inputs(.default), saved: box.disk, recorded: box.history, boot: "a boot",
            now: back)
        let done = state.handle(.started, at: back)
        #expect(done.started.count == 1)
        #expect(done.cued.first?.positionSeconds == 5)
    }

    @Test("When the state is lost and the history is there, what came in between is missed and not forgotten")
    func stateLost() throws {
        var box = try Box("2026-11-20T16:32:00-05:00")
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.end(token: token)
        let back = try instant("2026-11-20T20:00:00-05:00")
        var state = DaemonState(
            inputs: try Box.inputs(.default), saved: nil, recorded: box.history, now: back)
        let done = state.handle(.started, at: back)
        let recorded = done.recorded
        #expect(recorded.map(\.id) == ["isha_20261120"])
        #expect(state.saved.outcome(of: "maghrib_20261120") == .played)
    }

    @Test(
        "A mute at the very moment of the cue ends what the same turn prepares, and not before it is prepared"
    )
    func mutedAtTheCue() throws {
        var box = try Box("2026-11-20T16:32:00-05:00")
        box.now = try instant("2026-11-20T16:32:50-05:00")
        let done = try box.during { box in
            #expect(box.ask(.mute(MuteParameters()))?.changeReply != nil)
            try box.run(until: "2026-11-20T16:33:10-05:00")
        }
        let cue = try #require(done.firstIndex { if case .cue = $0 { true } else { false } })
        let stop = done.lastIndex { if case .stop = $0 { true } else { false } }
        // Playback would drop what is not there yet, prepare it, and start it by itself.
        #expect(try #require(stop) > cue)
        #expect(done.started.isEmpty)
        #expect(box.state.saved.outcome(of: "maghrib_20261120") == .muted)
    }

    @Test("What is prepared when the clock is no longer believed does not start by itself")
    func trustLostAfterTheCue() throws {
        // Before any adhand: only a time server vouches for such a clock.
        var box = try Box("2025-11-20T16:32:00-05:00")
        try box.run(until: "2025-11-20T16:32:55-05:00")
        let token = try #require(box.effects.cued.last?.token)
        let done = box.effects(of: .clockHealth(ClockHealth(synchronized: false)))
        #expect(!box.state.trust.trusted)
        #expect(done.stopped == [token])
    }

    @Test("A reminder that falls into an adhan is never prepared: it would start by itself and end the adhan")
    func reminderWithinAdhan() throws {
        let plain = try Box("2026-11-20T16:00:00-05:00")
        let isha = try #require(plain.timers.first { $0.name == "isha_20261120" }?.at)
        let maghrib = try instant("2026-11-20T16:33:00-05:00")
        var config = Config.default
        config[.isha].reminderSeconds = [isha - maghrib - 60]
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        box.run(until: maghrib)
        let token = try #require(box.effects.started.last)
        box.handle(.playback(token: token, .cued(device: "default", durationSeconds: 200)))
        box.handle(.playback(token: token, .began(at: box.now, device: "default")))
        let done = box.during { $0.run(until: maghrib + 90) }
        #expect(done.cued.isEmpty && done.stopped.isEmpty)
        #expect(box.history.map(\.outcome) == [.skipped])
        #expect(box.history.first?.reason == "Maghrib was sounding")
    }

    @Test("A reminder at the instant of an adhan leaves the device to it")
    func reminderAtAdhan() throws {
        let plain = try Box("2026-11-20T16:00:00-05:00")
        let isha = try #require(plain.timers.first { $0.name == "isha_20261120" }?.at)
        let maghrib = try instant("2026-11-20T16:33:00-05:00")
        var config = Config.default
        config[.isha].reminderSeconds = [isha - maghrib]
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        box.run(until: maghrib)
        #expect(box.effects.cued.map(\.sounds) == [["standard"]])
        #expect(box.effects.started.count == 1)
        #expect(box.history.map(\.outcome) == [.skipped])
    }

    @Test("A history that reaches further back than the state does not drive out what was called last")
    func longHistory() throws {
        let first = try #require(CivilDate("2026-09-01"))
        let zone = try Box.inputs(.default).site.zone
        let called = (0...HandledIds.capacity + 1).map { number in
            let date = first.adding(days: number / 5)
            let prayer = [Prayer.fajr, .dhuhr, .asr, .maghrib, .isha][number % 5]
            return Announcement.adhan(
                prayer, on: date, at: zone.startOfDay(date) + Double(number % 5 + 5) * 3600, settings: .init()
            )
        }
        let now = try #require(called.last?.at) + 60
        var saved = SavedState(since: now - 100 * 86_400)
        for announcement in called { saved.setOutcome(.played, of: announcement.id, at: announcement.at) }
        let last = try #require(called.last)
        #expect(saved.outcome(of: last.id) == .played)
        // The last line was torn off, and so the history that is read begins one line earlier.
        let recorded = called.dropLast().suffix(HandledIds.capacity).map {
            HistoryEntry($0, .played, in: zone)
        }
        let state = DaemonState(
            inputs: try Box.inputs(.default), saved: saved, recorded: recorded, now: now)
        #expect(state.saved.outcome(of: last.id) == .played)
    }

    @Test("What is learnt from the history stays older than what the state knew")
    func olderHistory() throws {
        let first = try #require(CivilDate("2026-09-01"))
        let zone = try Box.inputs(.default).site.zone
        let called = (0..<HandledIds.capacity).map { number in
            let date = first.adding(days: number / 5)
            let prayer = [Prayer.fajr, .dhuhr, .asr, .maghrib, .isha][number % 5]
            return Announcement.adhan(
                prayer, on: date, at: zone.startOfDay(date) + Double(number % 5 + 5) * 3600, settings: .init()
            )
        }
        let now = try #require(called.last?.at) + 60
        // Half of it was lost once with the state, and is learnt again.
        var saved = SavedState(since: now - 200 * 86_400)
        for announcement in called.suffix(100) {
            saved.setOutcome(.played, of: announcement.id, at: announcement.at)
        }
        let recorded = called.map { HistoryEntry($0, .played, in: zone) }
        let state = DaemonState(
            inputs: try Box.inputs(.default), saved: saved, recorded: recorded, now: now)
        #expect(state.saved.outcome(of: called[0].id) == .played)
        saved = state.saved
        for number in 1...300 {
            let date = try #require(CivilDate("2030-01-01")).adding(days: number)
            let next = Announcement.adhan(.fajr, on: date, at: zone.startOfDay(date), settings: .init())
            saved.setOutcome(.played, of: next.id, at: next.at)
        }
        #expect(called.prefix(300).allSatisfy { saved.outcome(of: $0.id) == nil })
        #expect(called.suffix(300).allSatisfy { saved.outcome(of: $0.id) == .played })
    }

    @Test(
        "The last hour of a day of 25 hours is armed, though nothing but midnight wakes the daemon that day")
    func longDay() throws {
        var config = Config.default
        for prayer in Prayer.allCases { config[prayer].enabled = false }
        var box = try Box("2026-11-01T00:00:00-04:00", config: config)
        #expect(box.timers.map(\.name) == ["midnight"])
        #expect(box.timers.first?.at == (try instant("2026-11-01T23:00:00-05:00")))
        try box.run(until: "2026-11-01T23:00:01-05:00")
        #expect(box.timers.first?.at == (try instant("2026-11-02T00:00:00-05:00")))
    }

    @Test(
        "What was due under a mute is not called and not missed, whatever a machine that slept over both hears of first",
        arguments: [60.0, 600.0], ["reload", "skip", "switch"])
    func muteSleptOver(lateness: Double, first: String) throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        let maghrib = try #require(box.timers.first { $0.name == "maghrib_20261120" }?.at)
        box.ask(.mute(MuteParameters(duration: "\(Int(maghrib - box.now) + 30)s")))
        box.now = maghrib + lateness
        let done = try box.during { box in
            switch first {
            case "reload": box.handle(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
            case "skip": box.ask(.skipPrayers(SkipParameters(prayers: ["isha"], date: "2026-11-20")))
            default: box.ask(.disablePrayers(["isha"]))
            }
            box.handle(.resumed)
        }
        #expect(done.cued.isEmpty && done.started.isEmpty)
        #expect(box.state.saved.outcome(of: "maghrib_20261120") == .muted)
        #expect(box.state.saved.mute == nil)
    }

    /// Maghrib is called by a clock that is hours ahead, is set back while the device is tried, and fails.
    private func failureAhead(framesPlayed: Int) throws -> (box: Box, maghrib: Instant) {
        var box = try Box("2026-11-20T12:30:00-05:00")
        let maghrib = try #require(box.timers.first { $0.name == "maghrib_20261120" }?.at)
        let ahead = maghrib - box.now
        box.now = box.now + ahead
        box.handle(.clockStepped(bySeconds: ahead))
        let token = try #require(box.effects.started.last)
        box.now = box.now + -ahead
        box.handle(.clockStepped(bySeconds: -ahead))
        box.end(token: token, .failed(reason: "no device opens"), framesPlayed: framesPlayed)
        return (box, maghrib)
    }

    @Test(
        "A failure without a sound, by a clock that was ahead, is not the last word on an adhan that is yet to come"
    )
    func silentFailureAhead() throws {
        var (box, maghrib) = try failureAhead(framesPlayed: 0)
        #expect(box.state.saved.outcome(of: "maghrib_20261120") == nil)
        let done = box.during { $0.run(until: maghrib) }
        #expect(done.cued.contains { $0.prayer == .maghrib })
    }

    @Test("One that an earlier run of the program had begun has been heard, and is not called again")
    func resumedFailureAhead() throws {
        var box = try Box("2026-11-20T12:30:00-05:00")
        let maghrib = try #require(box.timers.first { $0.name == "maghrib_20261120" }?.at)
        let aheadSeconds = maghrib - box.now
        box.now = maghrib
        box.handle(.clockStepped(bySeconds: aheadSeconds))
        box.begin(token: try #require(box.effects.started.last))
        box.now = maghrib + 3
        box.handle(.timerDue)
        var again = try Box("2026-11-20T16:33:06-05:00", disk: box.disk)
        let token = try #require(again.effects.started.last)
        again.now = again.now + -aheadSeconds
        again.handle(.clockStepped(bySeconds: -aheadSeconds))
        again.end(token: token, .failed(reason: "no device opens"), framesPlayed: 0)
        #expect(again.state.saved.outcome(of: "maghrib_20261120") == .failed)
        let done = again.during { $0.run(until: maghrib + 1) }
        #expect(!done.cued.contains { $0.prayer == .maghrib })
    }

    @Test("One that was heard in part is: it is a problem at once, and not called again")
    func heardFailureAhead() throws {
        var (box, maghrib) = try failureAhead(framesPlayed: 44_100)
        #expect(box.state.saved.outcome(of: "maghrib_20261120") == .failed)
        let problem = try #require(box.state.problems(at: box.now).first { $0.kind == .failed })
        #expect(try #require(problem.since.flatMap { InstantText.parse($0) }) <= box.now + 0.001)
        let done = box.during { $0.run(until: maghrib + 1) }
        #expect(!done.cued.contains { $0.prayer == .maghrib })
    }
}
