import BoxSupport
import PrayerEngine
import Testing
import Texts

@testable import Protocol
@testable import Settings

@Suite("The agenda")
struct AgendaTests {
    private func occasions(_ box: inout Box, _ from: String, _ days: Int) throws -> [OccasionDocument] {
        let reply = box.ask(.getAgenda(from: from, days: days))
        guard case .document(let document)? = reply else {
            throw try #require(reply?.refusal)
        }
        return try #require(document as? AgendaReply).occasions
    }

    @Test("A day's adhans, reminders and sunrise in order, each with its state")
    func day() throws {
        var config = Config.default
        config[.asr].reminderSeconds = [600]
        config[.isha].enabled = false
        config[.isha].reminderSeconds = [600]
        var box = try Box("2026-11-20T10:00:00-05:00", config: config)
        try box.run(until: "2026-11-20T16:33:00-05:00")
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        let today = try occasions(&box, "2026-11-20", 1)
        #expect(
            today.map(\.id) == [
                "fajr_20261120", "sunrise_20261120", "jumua_20261120", "reminder-10m_asr_20261120",
                "asr_20261120", "maghrib_20261120", "isha_20261120",
            ])
        #expect(
            today.map(\.kind) == [.adhan, .sunrise, .adhan, .reminder, .adhan, .adhan, .adhan])
        let before = try occasions(&box, "2026-11-18", 1).filter { $0.kind == .adhan && $0.enabled }
        #expect(before.map(\.state) == ["unknown", "unknown", "unknown", "unknown"])
        #expect(today[1].state == "passed" && today[1].prayer == nil && today[1].sounds.isEmpty)
        #expect(today[5].state == "playing" && today[5].at == "2026-11-20T16:33:00.000-05:00")
        #expect(today[6].state == "disabled" && !today[6].enabled)
        #expect(today.allSatisfy { $0.source == .computed })
        #expect(today[4].slot == 1 && today[4].prayer == "asr" && today[4].sounds == ["standard"])
        let tomorrow = try occasions(&box, "2026-11-21", 2)
        #expect(tomorrow.count == 14)
        #expect(tomorrow.allSatisfy { $0.state == ($0.prayer == "isha" ? "disabled" : "upcoming") })
        #expect(tomorrow.map(\.at) == tomorrow.map(\.at).sorted())
    }

    @Test("An agenda of no day, of too many, or from no date is refused")
    func refused() throws {
        var box = try Box()
        #expect(
            box.ask(.getAgenda(from: "2026-11-20", days: 0))?.refusal == .invalidParameter(parameter: "days"))
        #expect(
            box.ask(.getAgenda(from: "2026-11-20", days: 36))?.refusal == .invalidParameter(parameter: "days")
        )
        #expect(box.ask(.getAgenda(from: "today", days: 1))?.refusal != nil)
    }
}
