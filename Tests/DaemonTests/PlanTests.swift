import Announcements
import BoxSupport
import Daemon
import LabSupport
import PrayerEngine
import Protocol
import Settings
import Testing
import Texts

@Suite("The plan and its timers")
struct PlanTests {
    private func announced(_ box: Box) -> [String] {
        box.timers.filter { if case .announcement = $0.purpose { true } else { false } }.map(\.name)
    }

    @Test("Everything enabled in the coming 24 hours has a timer, and nothing else")
    func horizon() throws {
        let box = try Box("2026-11-20T12:30:00-05:00")
        #expect(
            announced(box) == [
                "asr_20261120", "maghrib_20261120", "isha_20261120", "fajr_20261121", "dhuhr_20261121",
            ])
        #expect(box.timers.contains { $0.purpose == .midnight })
    }

    @Test("On Friday jumua replaces dhuhr")
    func jumua() throws {
        let box = try Box("2026-11-20T10:00:00-05:00")
        #expect(announced(box).first == "jumua_20261120")
        #expect(!announced(box).contains("dhuhr_20261120"))
    }

    @Test("A disabled prayer has no timer, its reminders neither")
    func disabled() throws {
        var config = Config.default
        config[.asr].enabled = false
        config[.asr].reminderSeconds = [600]
        let box = try Box(config: config)
        #expect(!announced(box).contains { $0.contains("asr") })
        #expect(box.state.status(at: box.now).prayers.first { $0.prayer == "asr" }?.state == .disabled)
    }

    @Test("Reminders have timers and identities of their own")
    func reminders() throws {
        var config = Config.default
        config[.asr].reminderSeconds = [600, 300]
        let box = try Box(config: config)
        #expect(
            announced(box).prefix(3) == [
                "reminder-10m_asr_20261120", "reminder-5m_asr_20261120", "asr_20261120",
            ])
    }

    @Test("At midnight the plan is made again and published")
    func midnight() throws {
        var box = try Box()
        let done = try box.during { try $0.run(until: "2026-11-21T00:00:01-05:00") }
        #expect(
            done.notices.contains { $0.kind == .planComputed && $0.message.hasPrefix("2026-11-21: Fajr ") })
        #expect(announced(box).last == "isha_20261121")
    }

    @Test("A timer that fires with nothing due changes nothing and stays armed")
    func early() throws {
        var box = try Box()
        let armed = box.timers
        let done = box.effects(of: .timerDue)
        #expect(done.isEmpty)
        #expect(box.timers == armed)
    }

    @Test("A year runs with every prayer called exactly once")
    func year() throws {
        var box = try Box("2026-01-01T00:00:01-05:00")
        var called: [String: Int] = [:]
        let end = try instant("2027-01-01T00:00:00-05:00")
        for _ in 0..<20_000 {
            guard box.now < end, let next = box.timers.map(\.at).min() else { break }
            box.now = next
            let done = box.effects(of: .timerDue)
            for token in done.started {
                let job = try #require(box.state.jobs.first { $0.token == token })
                called[job.announcement.id.description, default: 0] += 1
                box.begin(token: token)
                box.now = box.now + 10.8
                box.end(token: token)
            }
        }
        #expect(called.count >= 365 * 5 && called.count <= 366 * 5)
        #expect(called.values.allSatisfy { $0 == 1 })
        #expect(box.history.allSatisfy { $0.outcome == .played })
    }
}
