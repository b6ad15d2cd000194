import Announcements
import BoxSupport
import Daemon
import PrayerEngine
import Testing

@testable import Protocol

@Suite("Following every decision")
struct DecisionTests {
    private static func decisions(_ box: Box) -> [String] {
        box.notices.filter { $0.kind == .decisionMade }.map(\.message)
    }

    @Test("At level debug every step towards an adhan is reported, from trying it out to calling it")
    func adhan() throws {
        var box = try Box("2026-11-20T16:20:00-05:00")
        box.state.explains = true
        try box.run(until: "2026-11-20T16:32:55-05:00")
        let token = try #require(box.state.jobs.first?.token)
        box.handle(.playback(token: token, .cued(device: "default", durationSeconds: 8.7)))
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let decisions = Self.decisions(box).filter { !$0.hasPrefix("timer ") }
        #expect(
            decisions == [
                "Maghrib 16:33:00: trying out standard at volume 80, on \"default\"",
                "Maghrib 16:33:00: preparing standard at volume 80, on \"default\"",
                "Maghrib is prepared on \"default\", 8.7 s", "Maghrib 16:33:00 is due and called",
            ])
        #expect(Self.decisions(box).contains("timer armed: cue isha_20261120 at 17:52:50"))
    }

    @Test("What is prepared and then muted is said to be dropped, and who asked for it")
    func dropped() throws {
        var box = try Box("2026-11-20T16:32:55-05:00")
        box.state.explains = true
        box.handle(.timerDue)
        _ = box.ask(.mute(MuteParameters()))
        let decisions = Self.decisions(box)
        #expect(decisions.contains("user 0 asks: mute"))
        #expect(decisions.contains { $0.hasPrefix("Maghrib 16:33:00: what was prepared is dropped") })
        #expect(decisions.contains { $0.hasPrefix("timer cancelled: ") })
        #expect(box.notices.allSatisfy { $0.kind != .decisionMade || $0.level == .debug })
    }

    @Test("Otherwise nobody pays for the sentences")
    func quiet() throws {
        var box = try Box("2026-11-20T16:20:00-05:00")
        try box.run(until: "2026-11-21T16:20:00-05:00")
        #expect(Self.decisions(box).isEmpty)
    }
}
