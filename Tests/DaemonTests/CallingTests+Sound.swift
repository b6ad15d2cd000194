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

extension CallingTests {
    @Test("A sound that cannot be played is replaced, reported as an error, and kept in the history")
    func substituted() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        box.run(until: try maghrib(box))
        let token = try #require(box.effects.started.last)
        box.handle(.playback(token: token, .substituted(sound: "/x.mp3", reason: "it is an Ogg file")))
        #expect(box.notices.last?.level == .error)
        box.begin(token: token)
        box.end(token: token)
        #expect(box.history.last?.outcome == .played)
        #expect(box.history.last?.reason?.contains("the signal was played instead") == true)
    }

    @Test("No device at all is recorded as failed and shows as unhealthy audio")
    func failed() throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        box.run(until: try maghrib(box))
        let token = try #require(box.effects.started.last)
        box.end(token: token, .failed(reason: "cannot open \"default\": No such device"))
        #expect(box.history.last?.outcome == .failed)
        let status = box.state.status(at: box.now)
        #expect(status.audio.healthy == false)
        #expect(status.audio.lastError == "cannot open \"default\": No such device")
        #expect(status.prayers.first { $0.prayer == "maghrib" }?.state == .failed)
    }

    @Test(
        "Less than nine tenths of the frames is an adhan cut short, more is one that was played",
        arguments: [(0.89, Outcome.interrupted), (0.91, .played)])
    func partly(share: Double, outcome: Outcome) throws {
        var box = try Box("2026-11-20T16:00:00-05:00")
        box.run(until: try maghrib(box))
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.run(for: 10.8)
        let frames = Int(10.8 * 44_100 * share)
        let result = JobResult(
            end: .completed, startedAt: box.now - 10.8, endedAt: box.now, device: "default", rateHz: 44_100,
            framesWritten: frames, framesPlayed: frames, dropouts: 0, gainDb: 0)
        box.handle(.playback(token: token, .ended(result)))
        #expect(box.history.last?.outcome == outcome)
        let heard = NumberText.decimals(10.8 * share, 1)
        #expect(box.history.last?.reason == "only \(heard) of 10.8 s came out of the device")
    }

    /// The first of two reminders sounds, and the second is due in a tenth of a second.
    private func beforeTheSecondReminder() throws -> (Box, first: Int) {
        var config = Config.default
        config[.maghrib].reminderSeconds = [60, 50]
        var box = try Box("2026-11-20T16:31:30-05:00", config: config)
        try box.run(until: "2026-11-20T16:32:00-05:00")
        let first = try #require(box.effects.started.last)
        box.begin(token: first)
        try box.run(until: "2026-11-20T16:32:09.9-05:00")
        return (box, first)
    }

    @Test("What was ended by what started by itself says so, whether its timer has been noticed or not")
    func endedBySuccessor() throws {
        var (box, first) = try beforeTheSecondReminder()
        box.now = try instant("2026-11-20T16:32:10.01-05:00")
        box.end(token: first, .stopped)
        #expect(box.history.last?.id == "reminder-1m_maghrib_20261120")
        #expect(box.history.last?.endedBy == "reminder-50s_maghrib_20261120")
        #expect(box.history.last?.reason == "ended by reminder-50s_maghrib_20261120")
    }

    @Test("What was ended by what is dropped since, as the clock was set back, has a reason")
    func endedByDropped() throws {
        var (box, first) = try beforeTheSecondReminder()
        box.now = box.now - 3600
        box.handle(.clockStepped(bySeconds: -3600))
        box.end(token: first, .stopped)
        #expect(box.history.last?.id == "reminder-1m_maghrib_20261120")
        #expect(box.history.last?.reason == "ended by another sound")
        #expect(box.history.last?.cause == .announcement)
    }

    @Test("What was prepared and lost the device to a sound that plays says so")
    func endedByPlaying() throws {
        var config = Config.default
        config[.maghrib].reminderSeconds = [60, 55]
        var box = try Box("2026-11-20T16:31:30-05:00", config: config)
        try box.run(until: "2026-11-20T16:32:00-05:00")
        let first = try #require(box.effects.started.last)
        box.begin(token: first)
        let second = try #require(box.state.jobs.first { $0.phase == .cued })
        box.run(for: 1)
        box.end(token: second.token, .stopped)
        #expect(box.history.last?.id == "reminder-55s_maghrib_20261120")
        #expect(box.history.last?.reason == "ended by reminder-1m_maghrib_20261120")
    }

    @Test(
        "An adhan is resumed after twenty seconds of absence and not after twenty-one",
        arguments: [19.9, 20.1])
    func resumeLimit(absence: Double) throws {
        var box = try Box("2026-11-20T16:32:00-05:00")
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.handle(.playback(token: token, .cued(device: "default", durationSeconds: 200)))
        box.handle(.playback(token: token, .began(at: box.now, device: "default")))
        let back = try instant("2026-11-20T16:33:00-05:00") + absence
        var state = DaemonState(
            inputs: try Box.inputs(.default), saved: box.disk, recorded: [], boot: "a boot", now: back)
        #expect(state.handle(.started, at: back).started.isEmpty == (absence > 20))
    }

    @Test("A reminder's grace ends with the time before the prayer, however long the grace of the prayer is")
    func reminderGrace() {
        var settings = AdhanSettings()
        settings.lateGraceSeconds = 1800
        let at = Instant(unixSeconds: 0)
        #expect(
            Announcement("reminder-5s_maghrib_20261120", at: at, settings: settings).lateGraceSeconds == 5)
        #expect(
            Announcement("reminder-1h_maghrib_20261120", at: at, settings: settings).lateGraceSeconds == 1800)
    }

    @Test("A zone set right minutes after a prayer does not call it again under another date")
    func twin() throws {
        var box = try Box("2026-11-20T16:32:00-05:00")
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        box.run(for: 11)
        box.end(token: token)
        let inputs = try Box.inputs(.default)
        let place = inputs.site.place
        let east = Site(
            name: "Queens", place: place, approximate: false, zone: try Zone(name: "X", posix: "<+14>-14"),
            calculation: inputs.site.calculation)
        let moved = DaemonInputs(
            config: inputs.config, configuration: "a test", site: east, user: 900, controlGroup: 901)
        let done = box.effects(of: .inputsLoaded(moved, .zone))
        #expect(done.cued.isEmpty)
        #expect(!done.notices.contains { $0.kind == .prayerStarted })
    }

    @Test("With a preroll the device starts that much earlier, so that the sound is on time")
    func preroll() throws {
        var config = Config.default
        config.prerollSeconds = 4
        var box = try Box("2026-11-20T16:32:00-05:00", config: config)
        let cueing = try box.during { try $0.run(until: "2026-11-20T16:32:46-05:00") }
        let cue = try #require(cueing.cued.last)
        #expect(try cue.startAt == instant("2026-11-20T16:32:56-05:00"))
        try box.run(until: "2026-11-20T16:32:56-05:00")
        box.begin(token: cue.token)
        let due = try box.during { try $0.run(until: "2026-11-20T16:33:00-05:00") }
        #expect(due.started.isEmpty)
        #expect(
            due.notices.last { $0.kind == .prayerStarted }?.fields.latenessMs.map { ($0 * 10).rounded() }
                == 20)
    }
}
