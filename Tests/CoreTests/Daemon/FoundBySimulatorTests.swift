import Daemon
import PrayerEngine
import Protocol
import Settings
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
        for prayer in Prayer.allCases { config[prayer].reminders = [600, 300] }
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.end(token: token)
        let now = box.now
        for days in [40.0, 400, 80] {
            box.now = now + days * 86_400
            box.take(.clockStepped(by: days * 86_400))
        }
        box.now = now + 30
        let done = box.effects(of: .clockStepped(by: -80 * 86_400))
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
        _ = state.handle(.clockStepped(by: later - boot), at: later)
        #expect(state.saved.mute?.until == until)
    }

    @Test("A box that was set up without a clock has missed nothing before it had one")
    func setUpWithoutClock() throws {
        let boot = try instant("1970-01-01T00:00:10Z")
        var state = DaemonState(inputs: try Box.inputs(.default), saved: nil, recorded: [], now: boot)
        var done = state.handle(.started, at: boot)
        let later = try instant("2026-11-20T13:00:00-05:00")
        done += state.handle(.clockStepped(by: later - boot), at: later)
        #expect(state.trust.trusted)
        #expect(!done.contains { if case .record = $0 { true } else { false } })
    }

    @Test("What was muted by name and then leapt over by the clock does not keep the mute alive")
    func mutedNextIsGone() throws {
        var box = try Box()
        box.ask(.mute(MuteParameters(next: true)))
        box.now = box.now + 400 * 86_400
        box.take(.clockStepped(by: 400 * 86_400))
        #expect(box.state.saved.mute == nil)
    }

    @Test(
        "An adhan once missed by a wrong clock, then called and cut off by a crash, is resumed all the same")
    func missedThenCalled() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        let at = try instant("2026-11-20T16:33:00-05:00")
        let start = box.now
        box.now = at + 3600
        box.take(.clockStepped(by: box.now - start))
        #expect(box.history.map(\.outcome) == [.missed])
        box.now = start
        box.take(.clockStepped(by: start - at - 3600))
        box.run(until: at)
        let token = try #require(box.effects.started.last)
        box.take(.playback(token: token, .cued(device: "default", duration: 200)))
        box.take(.playback(token: token, .began(at: box.now, device: "default")))
        let back = at + 5
        var state = DaemonState(
            inputs: try Box.inputs(.default), saved: box.disk, recorded: box.history, boot: "a boot", now: back)
        let done = state.handle(.started, at: back)
        #expect(done.started.count == 1)
        #expect(done.cued.first?.position == 5)
    }

    @Test("When the state is lost and the history is there, what came in between is missed and not forgotten")
    func stateLost() throws {
        var box = try Box("2026-11-20T16:32:00-05:00")
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.end(token: token)
        let back = try instant("2026-11-20T20:00:00-05:00")
        var state = DaemonState(inputs: try Box.inputs(.default), saved: nil, recorded: box.history, now: back)
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
            #expect(box.ask(.mute(MuteParameters()))?.said != nil)
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
        config[.isha].reminders = [isha - maghrib - 60]
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        box.run(until: maghrib)
        let token = try #require(box.effects.started.last)
        box.take(.playback(token: token, .cued(device: "default", duration: 200)))
        box.take(.playback(token: token, .began(at: box.now, device: "default")))
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
        config[.isha].reminders = [isha - maghrib]
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

    @Test("What a reload silences at its very instant is withdrawn though it has started by itself")
    func silencedAtItsInstant() throws {
        var config = Config.default
        config.prerollSeconds = 2
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        try box.run(until: "2026-11-20T16:32:50-05:00")
        let token = try #require(box.effects.cued.last).token
        let maghrib = try instant("2026-11-20T16:33:00-05:00")
        box.now = maghrib - 2
        box.take(.playback(token: token, .began(at: maghrib - 2, device: "default")))
        box.now = maghrib
        config[.maghrib].sound = [AdhanSettings.silent]
        let done = box.effects(of: .inputsLoaded(try Box.inputs(config), .reload(nil)))
        #expect(done.contains { if case .stop(token, _) = $0 { true } else { false } })
        #expect(box.history.map(\.outcome) == [.silent])
    }

    @Test("A box that lost its state and was set up late in a grace has missed nothing from before that")
    func lostStateAfterLateCall() throws {
        let date = try #require(CivilDate("2026-11-20"))
        let dhuhr = Announcement.adhan(
            .dhuhr, on: date, at: try instant("2026-11-20T11:42:00-05:00"), settings: .init())
        let late = HistoryEntry(
            dhuhr, .played, in: try Box.inputs(.default).site.zone,
            startedAt: try instant("2026-11-20T16:00:00-05:00"))
        let box = try Box("2026-11-20T16:30:00-05:00", recorded: [late])
        #expect(box.history.isEmpty)
        #expect(box.state.saved.since == (try instant("2026-11-20T16:00:00-05:00")))
    }

    @Test("A sound keeps the silence that it was prepared with when a reload changes the configured one")
    func reloadedPreroll() throws {
        var config = Config.default
        config.prerollSeconds = 2
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        try box.run(until: "2026-11-20T16:32:50-05:00")
        let request = try #require(box.effects.cued.last)
        let maghrib = try instant("2026-11-20T16:33:00-05:00")
        #expect(request.startAt == maghrib - 2)
        box.take(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
        #expect(box.effects.stopped.isEmpty)
        box.now = maghrib - 2
        box.take(.playback(token: request.token, .began(at: maghrib - 2, device: "default")))
        box.run(until: maghrib)
        #expect(box.disk?.underway.map(\.startedAt) == [maghrib])
    }

    @Test("A clock that nobody sets is believed again the moment it has passed what is known to be past")
    func clockCatchesUp() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        box.run(for: 60)
        // Set back while nobody watched, and no network: it shows what has been before.
        let back = try instant("2026-11-20T15:30:00-05:00")
        var state = DaemonState(
            inputs: try Box.inputs(.default), saved: box.state.saved, recorded: [], now: back)
        let done = state.handle(.started, at: back)
        #expect(!state.trust.trusted)
        let armed = done.compactMap { if case .arm(let timers) = $0 { timers } else { nil } }.last
        let known = try #require(armed?.first { $0.purpose == .clockKnown })
        #expect(known.at == box.state.saved.judgedThrough)
        _ = state.handle(.timerDue, at: known.at)
        #expect(state.trust.trusted)
        #expect(state.armed.contains { $0.name == "maghrib_20261120" })
    }

    @Test(
        "What was being heard when the clock was set back in the gap of a restart is recorded at once, once, and what nobody heard later",
        arguments: [true, false])
    func setBackInGap(isHeard: Bool) throws {
        var killed = try Box("2026-11-20T16:32:00-05:00")
        try killed.run(until: "2026-11-20T16:33:00-05:00")
        if isHeard { killed.begin(token: try #require(killed.effects.started.last)) }
        killed.run(for: 30)
        let disk = try #require(killed.disk)
        #expect(disk.underway.map { $0.startedAt != nil } == [isHeard])

        var box = try Box("2026-11-20T15:30:00-05:00", disk: disk, synchronized: false)
        #expect(!box.state.trust.trusted)
        #expect(box.history.map(\.outcome) == (isHeard ? [.interrupted] : []))
        #expect(box.history.map(\.id) == (isHeard ? ["maghrib_20261120"] : []))
        #expect(box.disk?.underway.count == (isHeard ? 0 : 1))
        // Neither waiting, nor another start by that clock, nor the right time tells it again.
        box.run(for: 60)
        var again = try Box("2026-11-20T15:35:00-05:00", disk: box.disk, synchronized: false)
        #expect(again.history.isEmpty && box.history.count == (isHeard ? 1 : 0))
        again.now = try instant("2026-11-20T17:30:00-05:00")
        again.take(.clockHealth(ClockHealth(synchronized: true)))
        #expect(again.state.trust.trusted)
        let told = again.history.filter { $0.id == "maghrib_20261120" }
        #expect(told.map(\.outcome) == (isHeard ? [] : [.missed]))
    }

    @Test(
        "A box that was set up without a clock and then started again with one has missed nothing before that")
    func setUpWithoutClockTwice() throws {
        let boot = try instant("1970-01-01T00:00:10Z")
        var first = DaemonState(inputs: try Box.inputs(.default), saved: nil, recorded: [], now: boot)
        _ = first.handle(.started, at: boot)
        let later = try instant("2026-11-20T13:00:00-05:00")
        var state = DaemonState(
            inputs: try Box.inputs(.default), saved: first.saved, recorded: [], now: later)
        let done = state.handle(.started, at: later)
        #expect(state.trust.trusted)
        #expect(!done.contains { if case .record = $0 { true } else { false } })
    }

    @Test(
        "A trigger within the silence before an adhan is never prepared: it would end the adhan",
        arguments: [2.0, 0])
    func triggerBeforeAdhan(reloadedPreroll: Double) throws {
        var config = Config.default
        config.debugTriggers = true
        config.prerollSeconds = 2
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        try box.run(until: "2026-11-20T16:32:55-05:00")
        config.prerollSeconds = reloadedPreroll
        box.take(.inputsLoaded(try Box.inputs(config), .reload(nil)))
        try box.run(until: "2026-11-20T16:32:58.5-05:00")
        #expect(box.ask(.trigger(prayer: "jumua", delay: "1s"))?.said != nil)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        #expect(box.effects.cued.map(\.prayer) == [.maghrib])
        #expect(box.history.map(\.outcome) == [.skipped])
        #expect(box.history.first?.reason == "Maghrib was about to sound")
        #expect(box.effects.started.count == 1)
    }

    @Test(
        "A clock set back in the silence before an adhan has it sound at its instant, not when the silence is over",
        arguments: [(by: 49.0, prerollSeconds: 54.0), (by: 0.4, prerollSeconds: 5.4), (by: 400, prerollSeconds: 60)])
    func setBackInPreroll(by seconds: Double, prerollSeconds: Double) throws {
        var (box, token) = try beforeMaghrib(prerollSeconds: 60)
        let maghrib = try instant("2026-11-20T16:33:00-05:00")
        box.run(until: maghrib - 5)
        box.now = box.now - seconds
        let done = try box.during { box in
            box.take(.clockStepped(by: -seconds))
            try box.run(until: "2026-11-20T16:32:59-05:00")
        }
        #expect(done.stopped == [token])
        #expect(done.cued.count == 1)
        #expect(abs(try #require(done.cued.first).prerollSeconds - prerollSeconds) < 1e-6)
        #expect(abs(try #require(done.cued.first?.startAt) + prerollSeconds - maghrib) < 1e-6)
    }

    @Test("A clock set back by a hair in the silence before an adhan leaves it as it is")
    func setBackALittleInPreroll() throws {
        var (box, _) = try beforeMaghrib(prerollSeconds: 60)
        try box.run(until: "2026-11-20T16:32:55-05:00")
        box.now = box.now - 0.05
        let done = box.effects(of: .clockStepped(by: -0.05))
        #expect(done.stopped.isEmpty && done.cued.isEmpty)
    }

    @Test("An adhan that has begun when the clock is set back has been called, whatever the clock says now")
    func setBackAsItBegins() throws {
        var (box, token) = try beforeMaghrib(prerollSeconds: 2)
        // Its timer has not been noticed yet.
        box.now = try instant("2026-11-20T16:33:00.01-05:00") - 49
        let done = box.effects(of: .clockStepped(by: -49))
        #expect(done.stopped.isEmpty && done.cued.isEmpty)
        #expect(box.state.saved.outcome(of: "maghrib_20261120") == .playing)
        box.end(token: token)
        try box.run(until: "2026-11-20T16:40:00-05:00")
        #expect(box.history.map(\.outcome) == [.played])
        #expect(box.effects.cued.count == 1)
    }

    @Test("An adhan has been called when its device says that it began only after the clock was set back")
    func setBackBeforeTheDevicesWord() throws {
        var box = try Box("2026-11-20T16:32:00-05:00")
        try box.run(until: "2026-11-20T16:32:59-05:00")
        let token = try #require(box.effects.cued.last?.token)
        box.now = try instant("2026-11-20T16:33:00.001-05:00") - 5
        box.take(.clockStepped(by: -5))
        box.begin(token: token, late: 0)
        #expect(box.disk?.outcome(of: "maghrib_20261120") == .playing)
        box.end(token: token)
        try box.run(until: "2026-11-20T16:40:00-05:00")
        #expect(box.history.map(\.outcome) == [.played])
        #expect(box.effects.cued.count == 1)
    }

    @Test(
        "A stop at the very instant of a prayer means that prayer, whether its timer has been noticed or not")
    func stopAtInstant() throws {
        var (box, token) = try beforeMaghrib(prerollSeconds: 0)
        box.now = try instant("2026-11-20T16:33:00.003-05:00")
        #expect(box.ask(.stop)?.said?.id == "maghrib_20261120")
        #expect(box.effects.stopped == [token])
        box.end(token: token, .stopped)
        #expect(box.history.map(\.outcome) == [.interrupted])
    }

    @Test("What waited for a sound that ended just before its time is called on time")
    func afterAnother() throws {
        var config = Config.default
        config.prerollSeconds = 2
        config[.maghrib].reminders = [60]
        config[.isha].reminders = [60]
        config.debugTriggers = true
        var box = try Box("2026-11-20T16:31:40-05:00", config: config)
        box.ask(.trigger(prayer: "dhuhr", delay: "0s"))
        let first = try #require(box.effects.started.last)
        box.begin(token: first)
        // The reminder's silence would begin at 16:31:58.
        box.now = try instant("2026-11-20T16:31:58.500-05:00")
        #expect(box.effects.cued.count == 1)
        box.end(token: first)
        let order = try #require(box.effects.cued.last)
        #expect(order.token != first)
        #expect(abs(order.prerollSeconds - 1.5) < 0.001)
    }

    /// A box whose device has been started with the silence before Maghrib, 16:33.
    private func beforeMaghrib(prerollSeconds: Double) throws -> (box: Box, token: Int) {
        var config = Config.default
        config.prerollSeconds = prerollSeconds
        var box = try Box("2026-11-20T16:31:00-05:00", config: config)
        box.run(until: try instant("2026-11-20T16:33:00-05:00") - prerollSeconds)
        let token = try #require(box.effects.cued.last?.token)
        box.begin(token: token)
        return (box, token)
    }
}
