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

extension FoundBySimulatorTests {
    @Test("What a reload silences at its very instant is withdrawn though it has started by itself")
    func silencedAtItsInstant() throws {
        var config = Config.default
        config.prerollSeconds = 2
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        try box.run(until: "2026-11-20T16:32:50-05:00")
        let token = try #require(box.effects.cued.last).token
        let maghrib = try instant("2026-11-20T16:33:00-05:00")
        box.now = maghrib - 2
        box.handle(.playback(token: token, .began(at: maghrib - 2, device: "default")))
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
        let order = try #require(box.effects.cued.last)
        let maghrib = try instant("2026-11-20T16:33:00-05:00")
        #expect(order.startAt == maghrib - 2)
        box.handle(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
        #expect(box.effects.stopped.isEmpty)
        box.now = maghrib - 2
        box.handle(.playback(token: order.token, .began(at: maghrib - 2, device: "default")))
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
        #expect(known.at == box.state.saved.resolvedThrough)
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
        again.handle(.clockHealth(ClockHealth(synchronized: true)))
        #expect(again.state.trust.trusted)
        let recorded = again.history.filter { $0.id == "maghrib_20261120" }
        #expect(recorded.map(\.outcome) == (isHeard ? [] : [.missed]))
    }

    @Test(
        "A box that was set up without a clock and then started again with one has missed nothing before that"
    )
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
        box.handle(.inputsLoaded(try Box.inputs(config), .reload(nil)))
        try box.run(until: "2026-11-20T16:32:58.5-05:00")
        #expect(box.ask(.trigger(prayer: "jumua", delay: "1s"))?.changeReply != nil)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        #expect(box.effects.cued.map(\.prayer) == [.maghrib])
        #expect(box.history.map(\.outcome) == [.skipped])
        #expect(box.history.first?.reason == "Maghrib was about to sound")
        #expect(box.effects.started.count == 1)
    }

    @Test(
        "A clock set back in the silence before an adhan has it sound at its instant, not when the silence is over",
        arguments: [
            (by: 49.0, prerollSeconds: 54.0), (by: 0.4, prerollSeconds: 5.4), (by: 400, prerollSeconds: 60),
        ])
    func setBackInPreroll(by seconds: Double, prerollSeconds: Double) throws {
        var (box, token) = try beforeMaghrib(prerollSeconds: 60)
        let maghrib = try instant("2026-11-20T16:33:00-05:00")
        box.run(until: maghrib - 5)
        box.now = box.now - seconds
        let done = try box.during { box in
            box.handle(.clockStepped(bySeconds: -seconds))
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
        let done = box.effects(of: .clockStepped(bySeconds: -0.05))
        #expect(done.stopped.isEmpty && done.cued.isEmpty)
    }

    @Test("An adhan that has begun when the clock is set back has been called, whatever the clock says now")
    func setBackAsItBegins() throws {
        var (box, token) = try beforeMaghrib(prerollSeconds: 2)
        // Its timer has not been noticed yet.
        box.now = try instant("2026-11-20T16:33:00.01-05:00") - 49
        let done = box.effects(of: .clockStepped(bySeconds: -49))
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
        box.handle(.clockStepped(bySeconds: -5))
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
        #expect(box.ask(.stop)?.changeReply?.id == "maghrib_20261120")
        #expect(box.effects.stopped == [token])
        box.end(token: token, .stopped)
        #expect(box.history.map(\.outcome) == [.interrupted])
    }

    @Test("What waited for a sound that ended just before its time is called on time")
    func afterAnother() throws {
        var config = Config.default
        config.prerollSeconds = 2
        config[.maghrib].reminderSeconds = [60]
        config[.isha].reminderSeconds = [60]
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
    func beforeMaghrib(prerollSeconds: Double) throws -> (box: Box, token: Int) {
        var config = Config.default
        config.prerollSeconds = prerollSeconds
        var box = try Box("2026-11-20T16:31:00-05:00", config: config)
        box.run(until: try instant("2026-11-20T16:33:00-05:00") - prerollSeconds)
        let token = try #require(box.effects.cued.last?.token)
        box.begin(token: token)
        return (box, token)
    }

    /// The state of a box whose clock was ahead once: it knows of a time that this clock denies.
    private func aheadOnce() throws -> SavedState {
        var saved = SavedState(since: try instant("2026-11-19T00:00:00-05:00"))
        saved.resolvedThrough = try instant("2026-11-20T10:00:00-05:00")
        saved.clock = ClockRecord(confirmed: try instant("2027-06-01T12:00:00-04:00"))
        return saved
    }

    @Test("A clock that is ahead again does not confirm what the right clock has contradicted meanwhile")
    func aheadTwice() throws {
        var saved = try aheadOnce()
        let confirmed = saved.clock.confirmed
        saved.clock = ClockRecord(confirmed: confirmed, candidate: confirmed + 86_400, ranSeconds: 80_000)
        let between = try Box("2026-11-20T12:30:00-05:00", disk: saved, synchronized: false)
        #expect(!between.state.trust.trusted)
        var again = try Box("2030-01-01T12:00:00-05:00", disk: between.disk, synchronized: false)
        #expect(again.state.trust.trusted)
        try again.run(until: "2030-01-01T18:00:00-05:00")
        #expect(again.state.saved.clock.ranSeconds > 20_000)
        #expect(again.state.saved.clock.confirmed == confirmed)
    }

    @Test("A clock that was never set contradicts nothing")
    func neverSet() throws {
        var saved = try aheadOnce()
        let confirmed = try instant("2026-11-20T10:00:00-05:00")
        let record = ClockRecord(confirmed: confirmed, candidate: confirmed + 86_400, ranSeconds: 80_000)
        saved.clock = record
        let early = try Box("1970-01-01T00:01:00Z", disk: saved, synchronized: false)
        #expect(!early.state.trust.trusted && early.state.saved.clock == record)
        var unknown = try Box("2026-11-21T12:00:00-05:00", disk: saved, synchronized: false)
        unknown.handle(.clockHealth(ClockHealth(synchronized: false, isUnknown: true)))
        let before = unknown.state.saved.clock
        unknown.now = confirmed
        unknown.handle(.clockHealth(ClockHealth(synchronized: false, isUnknown: true)))
        #expect(!unknown.state.trust.trusted && unknown.state.saved.clock == before)
    }

    @Test("A mute that was asked for by a clock behind another one lasts over a restart by a right clock")
    func muteBehindAnEarlierClock() throws {
        var saved = try aheadOnce()
        saved.resolvedThrough = try instant("2027-06-01T12:00:00-04:00")
        var box = try Box("2026-11-20T12:30:00-05:00", disk: saved, synchronized: false)
        #expect(!box.state.trust.trusted)
        box.ask(.mute(MuteParameters(duration: "5h")))
        let until = try #require(box.disk?.mute?.until)
        let again = try Box("2026-11-20T12:31:00-05:00", disk: box.disk)
        #expect(again.state.trust.trusted)
        #expect(again.state.saved.mute?.until == until)
    }

    @Test("What was missed before a mute is recorded as missed, though it is noticed while muted")
    func missedBeforeTheMute() throws {
        var box = try Box("2026-11-20T12:30:00-05:00", disk: try aheadOnce(), synchronized: false)
        box.ask(.mute(MuteParameters(duration: "5h")))
        box.handle(.clockHealth(ClockHealth(synchronized: true)))
        #expect(box.history.last?.id == "jumua_20261120")
        #expect(box.history.allSatisfy { $0.outcome == .missed })
        try box.run(until: "2026-11-20T16:40:00-05:00")
        #expect(box.history.suffix(2).map(\.outcome) == [.muted, .muted])
    }

    @Test("A mute is in force by whatever the clock shows when it is set back before the mute's beginning")
    func clockSetBackDuringAMute() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        box.ask(.mute(MuteParameters(until: "18:00")))
        box.now = box.now - 7200
        box.handle(.clockStepped(bySeconds: -7200))
        try box.run(until: "2026-11-20T14:40:00-05:00")
        #expect(box.effects.started.isEmpty)
    }
}
