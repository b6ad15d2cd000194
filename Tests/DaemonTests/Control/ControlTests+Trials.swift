import Announcements
import BoxSupport
import Daemon
import LabSupport
import PrayerEngine
import Protocol
import Settings
import Testing
import Texts
import Times

extension ControlTests {
    @Test("An unknown prayer is refused and nothing of the request is done")
    func unknownPrayer() throws {
        var box = try Box()
        #expect(box.ask(.disablePrayers(["asr", "fahr"]))?.refusal == .unknownPrayer(prayer: "fahr"))
        #expect(box.timers.contains { $0.name == "asr_20261120" })
    }

    @Test("A test plays what the prayer would play, answers when it sounds, and gives way to an adhan")
    func testPlay() throws {
        var config = Config.default
        config[.fajr].volumePercent = 60
        config[.fajr].sound = ["standard", "dua"]
        var box = try Box("2026-11-20T16:32:55-05:00", config: config)
        #expect(
            box.ask(.testPlay(prayer: "fajr", seconds: 2))?.refusal
                == .busy(playing: "Maghrib is called in 5 s"))
        box = try Box("2026-11-20T16:32:00-05:00", config: config)
        #expect(box.ask(.testPlay(prayer: "fajr", seconds: nil)) == nil)
        let cue = try #require(box.effects.cued.last)
        #expect(
            cue.sounds == ["standard", "dua"] && cue.volumePercent == 60 && cue.prayer == .fajr && !cue.strict
        )
        let done = box.during { $0.begin(token: cue.token) }
        guard case .reply(_, let reply)? = done.first(where: { if case .reply = $0 { true } else { false } })
        else {
            Issue.record("no reply when it began")
            return
        }
        #expect(
            reply.changeReply?.message
                == "playing what Fajr would play: standard, dua, volume 60, 10.8 s, on \"default\"")
        #expect(
            box.ask(.testPlay(prayer: "asr", seconds: nil))?.refusal
                == .busy(playing: "test of Fajr is playing"))
        let due = try box.during { try $0.run(until: "2026-11-20T16:33:00-05:00") }
        #expect(due.started.count == 1)
        box.end(token: cue.token, .stopped)
        #expect(box.history.isEmpty)
        #expect(box.notices.last?.kind == .testFinished)
    }

    @Test("A test that finds no device answers with the reason")
    func testFails() throws {
        var box = try Box()
        box.ask(.testPlay(prayer: "fajr", seconds: 2))
        let token = try #require(box.effects.cued.last?.token)
        let done = box.during { $0.end(token: token, .failed(reason: "Device or resource busy")) }
        guard
            case .reply(_, .refused(let error))? = done.first(where: {
                if case .reply = $0 { true } else { false }
            })
        else {
            Issue.record("no refusal")
            return
        }
        #expect(error == .audioUnavailable(device: "default", reason: "Device or resource busy"))
    }

    @Test("Stop ends what plays; with nothing playing it says so")
    func stop() throws {
        var box = try Box()
        #expect(box.ask(.stop)?.refusal == .nothingPlaying)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        // Within the first milliseconds: started, but the device has not said so yet.
        let done = box.during { _ = $0.ask(.stop, as: 0) }
        #expect(done.stopped == [token])
        box.end(token: token, .stopped)
        #expect(box.history.last?.endedBy == "adhanctl stop (user 0)")
    }

    @Test("A simulated prayer takes the whole path, and only when the configuration allows")
    func trigger() throws {
        var box = try Box()
        #expect(box.ask(.trigger(prayer: "asr", delay: "20s"))?.refusal == .debugDisabled)
        var config = Config.default
        config.debugTriggers = true
        box = try Box(config: config)
        let changeReply = try #require(box.ask(.trigger(prayer: "asr", delay: "20s"))?.changeReply)
        #expect(changeReply.message == "a simulated Asr is set for 12:30:20")
        #expect(box.timers.contains { $0.name == changeReply.id })
        let cueing = box.during { $0.run(for: 10) }
        #expect(cueing.cued.count == 1)
        let due = box.during { $0.run(for: 10) }
        let token = try #require(due.started.last)
        box.begin(token: token)
        box.end(token: token)
        #expect(box.history.last?.id == changeReply.id)
        #expect(HistoryDocument(days: 7, entries: box.history, now: box.now).due == 0)
        #expect(box.ask(.trigger(prayer: "asr", delay: "soon"))?.refusal != nil)
    }

    @Test(
        "Reload while playing leaves the sound alone and makes the plan again; a broken file changes nothing")
    func reload() throws {
        var box = try Box()
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        var config = Config.default
        config[.isha].enabled = false
        let done = box.effects(of: .inputsLoaded(try Box.inputs(config), .reload(RequestID(serial: 77))))
        #expect(done.stopped.isEmpty)
        #expect(!box.timers.contains { $0.name == "isha_20261120" })
        #expect(
            Box.reply(to: RequestID(serial: 77), in: done)?.changeReply?.message.hasPrefix(
                "reloaded a test; next is Fajr") == true)
        let (here, elsewhere) = (try Box.inputs(config), try Place(latitude: 31.558, longitude: 74.35))
        let lahore = Site(
            name: "Lahore", place: elsewhere, approximate: false, zone: here.site.zone,
            calculation: here.site.calculation)
        let inputs = DaemonInputs(
            config: config, configuration: "a test", site: lahore, user: 900, controlGroup: 901)
        let moved = box.effects(of: .inputsLoaded(inputs, .reload(RequestID(serial: 79))))
        let answer = Box.reply(to: RequestID(serial: 79), in: moved)?.changeReply?.message
        #expect(
            answer?.contains("; the place is now Lahore, and was Queens, New York; ") == true,
            "\(answer ?? "")")
        #expect(moved.notices.contains { $0.message.hasPrefix("the place is now Lahore") })
        let error = ConfigError(file: "f", line: 3, column: 1, key: "x", reason: "unknown key \"x\"")
        let broken = box.effects(of: .configRejected(error, .reload(RequestID(serial: 78))))
        #expect(
            Box.reply(to: RequestID(serial: 78), in: broken)?.refusal
                == .configurationInvalid(file: "f", line: 3, column: 1, reason: "unknown key \"x\""))
        #expect(box.notices.last?.kind == .configRejected)
        #expect(!box.timers.contains { $0.name == "isha_20261120" })
    }

    @Test("An untrusted clock calls nothing and says why, until it is synchronised")
    func untrusted() throws {
        let disk = try Box().disk
        let zone = try Box.inputs(.default)
        let now = try instant("2020-01-01T12:00:00-05:00")
        var state = DaemonState(inputs: zone, saved: disk, recorded: [], now: now)
        let done = state.handle(.started, at: now)
        #expect(done.notices.contains { $0.kind == .clockUntrusted })
        #expect(!state.armed.contains { if case .announcement = $0.purpose { true } else { false } })
        #expect(state.status(at: now).clock.trusted == false)
        let later = try instant("2026-11-20T13:00:00-05:00")
        _ = state.handle(.clockHealth(ClockHealth(synchronized: true)), at: later)
        #expect(state.status(at: later).clock.trusted)
        #expect(state.armed.contains { $0.name == "asr_20261120" })
    }
}
