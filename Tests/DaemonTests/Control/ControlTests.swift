import Announcements
import BoxSupport
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Testing
import Texts
import Times

@Suite("Requests")
struct ControlTests {
    @Test(
        "Anyone may read; root, the daemon's user and the group may change",
        arguments: [
            (0 as UInt32, [] as [UInt32], true), (900, [], true), (1000, [901], true), (1000, [1000], false),
        ])
    func roles(user: UInt32, groups: [UInt32], permitted: Bool) throws {
        var box = try Box()
        #expect(box.ask(.getStatus, as: user, groups: groups)?.refusal == nil)
        let answer = box.ask(.unmute, as: user, groups: groups)
        let reply = try #require(answer)
        #expect((reply.refusal == nil) == permitted)
        if !permitted {
            #expect(reply.refusal == .notPermitted(needed: "adhan"))
            #expect(box.notices.last?.kind == .controlDenied)
            #expect(box.notices.last?.message == "denied to user 1000: unmute needs the group \"adhan\"")
        }
    }

    @Test("A mute that ends on another day says on which")
    func muteForDays() throws {
        var box = try Box()
        let changeReply = try #require(box.ask(.mute(MuteParameters(duration: "200h")))?.changeReply)
        #expect(changeReply.message.hasPrefix("muted until Saturday 28 November 2026, 20:30 (Asr "))
        #expect(changeReply.message.hasSuffix(" and more will be silent)"))
    }

    @Test("Muting silences what somebody tries out, too")
    func muteEndsTests() throws {
        var box = try Box()
        box.ask(.testPlay(prayer: "asr", seconds: nil))
        box.begin(token: try #require(box.effects.started.last))
        let done = box.during { _ = $0.ask(.mute(MuteParameters())) }
        #expect(!done.stopped.isEmpty)
    }

    @Test("Muting for a time says until when and what it silences")
    func muteFor() throws {
        var box = try Box()
        let changeReply = try #require(box.ask(.mute(MuteParameters(duration: "3h")))?.changeReply)
        #expect(
            changeReply.message == "muted until 15:30 (Asr 14:53 will be silent)"
                || changeReply.message.hasPrefix("muted until 15:30 (Asr "))
        #expect(changeReply.until == "2026-11-20T15:30:00.000-05:00")
        let done = try box.during { try $0.run(until: "2026-11-20T15:29:59-05:00") }
        #expect(done.cued.isEmpty && done.started.isEmpty)
        #expect(box.history.last?.outcome == .muted)
        #expect(box.history.last?.reason == "muted until 15:30")
        try box.run(until: "2026-11-20T15:30:00-05:00")
        #expect(box.state.status(at: box.now).mute.active == false)
        let later = try box.during { try $0.run(until: "2026-11-20T16:33:01-05:00") }
        #expect(later.started.count == 1)
    }

    @Test("A mute until a prayer ends at its very instant, and that prayer is called")
    func muteUntilPrayer() throws {
        var box = try Box()
        box.ask(.mute(MuteParameters(until: "maghrib")))
        let done = try box.during { try $0.run(until: "2026-11-20T16:33:01-05:00") }
        #expect(done.started.count == 1)
        #expect(box.history.map(\.outcome) == [.muted])
    }

    @Test("A mute of the next adhan silences that one and its reminders, and is over after it")
    func muteNext() throws {
        var config = Config.default
        config[.asr].reminderSeconds = [600]
        var box = try Box(config: config)
        let changeReply = try #require(box.ask(.mute(MuteParameters(next: true)))?.changeReply)
        #expect(changeReply.id == "asr_20261120")
        let done = try box.during { try $0.run(until: "2026-11-20T15:30:00-05:00") }
        #expect(done.started.isEmpty)
        #expect(box.history.map(\.outcome) == [.muted, .muted])
        #expect(box.state.saved.mute == nil)
    }

    @Test("Muting in the cue window drops what was cued; unmuting in time cues it again")
    func muteInWindow() throws {
        var box = try Box()
        try box.run(until: "2026-11-20T16:32:52-05:00")
        let token = try #require(box.effects.cued.last?.token)
        let muted = box.during { _ = $0.ask(.mute(MuteParameters())) }
        #expect(muted.stopped.contains(token))
        let unmuted = box.during { _ = $0.ask(.unmute) }
        #expect(unmuted.cued.count == 1)
        let due = try box.during { try $0.run(until: "2026-11-20T16:33:00-05:00") }
        #expect(due.started.count == 1 && due.started != [token])
    }

    @Test("Muting while it plays fades it out, and says by whom")
    func muteWhilePlaying() throws {
        var box = try Box()
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        let done = box.during { _ = $0.ask(.mute(MuteParameters(duration: "10m"))) }
        #expect(done.stopped == [token])
        box.end(token: token, .stopped)
        #expect(box.history.last?.outcome == .interrupted)
        #expect(box.history.last?.endedBy == "adhanctl mute")
    }

    @Test(
        "A time that cannot be used is refused with the reason",
        arguments: ["25:00", "14", "14:60", "-1:00", "", "14:00:00:00", "１４:00"])
    func badTime(text: String) throws {
        var box = try Box()
        guard case .invalidTime(text, _) = box.ask(.mute(MuteParameters(until: text)))?.refusal else {
            Issue.record("accepted \(text)")
            return
        }
        #expect(box.state.saved.mute == nil)
    }

    @Test("A mute for a duration follows elapsed time over a clock step; one until a time follows the wall")
    func muteAndSteps() throws {
        var elapsed = try Box()
        elapsed.ask(.mute(MuteParameters(duration: "1h")))
        elapsed.now = elapsed.now + 7200
        elapsed.handle(.clockStepped(bySeconds: 7200))
        #expect(elapsed.state.saved.mute != nil)
        var wall = try Box()
        wall.ask(.mute(MuteParameters(until: "13:30")))
        wall.now = wall.now + 7200
        wall.handle(.clockStepped(bySeconds: 7200))
        #expect(wall.state.saved.mute == nil)
    }

    @Test("A switch takes effect at once, and a prayer switched off while it plays is faded out")
    func toggleWhilePlaying() throws {
        var box = try Box()
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        let done = box.during { _ = $0.ask(.disablePrayers(["maghrib"])) }
        #expect(done.stopped == [token])
        #expect(done.notices.contains { $0.kind == .toggleChanged && $0.message == "Maghrib disabled" })
        box.end(token: token, .stopped)
        #expect(box.history.last?.endedBy == "adhanctl disable")
    }

    @Test("A prayer switched on after its time is not called late, and is recorded as disabled")
    func enableAfter() throws {
        var config = Config.default
        config[.maghrib].enabled = false
        var box = try Box(config: config)
        try box.run(until: "2026-11-20T16:33:30-05:00")
        let done = box.during { _ = $0.ask(.enablePrayers(["maghrib"])) }
        #expect(done.cued.isEmpty)
        #expect(box.history.last?.outcome == .disabled)
    }

    @Test("Disabling dhuhr takes Friday's jumua along, unless the file tells them apart")
    func jumuaFollows() throws {
        var box = try Box("2026-11-20T10:00:00-05:00")
        #expect(
            box.ask(.disablePrayers(["dhuhr"]))?.changeReply?.message
                == "Dhuhr disabled (Friday's Jumu'ah follows Dhuhr)")
        #expect(!box.timers.contains { $0.name == "jumua_20261120" })
        var config = Config.default
        config[.jumua].enabled = false
        var apart = try Box("2026-11-20T10:00:00-05:00", config: config)
        apart.ask(.disablePrayers(["dhuhr"]))
        apart.ask(.enablePrayers(["dhuhr"]))
        #expect(!apart.timers.contains { $0.name == "jumua_20261120" })
    }
}
