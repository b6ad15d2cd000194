import BoxSupport
import PrayerEngine
import Protocol
import Testing
import Texts
import Times

@testable import Announcements
@testable import Daemon
@testable import Settings

@Suite("A box whose sounds rotate")
struct RotationLifeTests {
    private func box(_ clock: String, _ text: String) throws -> Box {
        try Box(clock, config: try ConfigLoader.load(text: text, file: "test"))
    }

    private func sounds(_ box: inout Box, _ date: String) throws -> [String: [String]] {
        guard case .document(let document)? = box.ask(.getAgenda(from: date, days: 1)) else { return [:] }
        let occasions = try #require(document as? AgendaReply).occasions
        return Dictionary(uniqueKeysWithValues: occasions.map { ($0.id, $0.sounds) })
    }

    private let text = """
        [adhan]
        sound = { rotate = ["makkah", "madinah", "silent"] }
        reminders = ["10m"]
        reminder-sound = { rotate = ["bell", "silent"] }
        [adhan.fajr]
        sound = "dawn"
        """

    /// 2026-11-20 is day 20777: 2 of 3, and 1 of 2.
    @Test("The agenda has the one of any day, and what is called is that one")
    func agenda() throws {
        var box = try box("2026-11-20T12:30:00-05:00", text)
        let today = try sounds(&box, "2026-11-20")
        #expect(today["maghrib_20261120"] == ["silent"] && today["fajr_20261120"] == ["dawn"])
        #expect(today["reminder-10m_maghrib_20261120"] == ["silent"])
        let tomorrow = try sounds(&box, "2026-11-21")
        #expect(tomorrow["maghrib_20261121"] == ["makkah"] && tomorrow["isha_20261121"] == ["makkah"])
        #expect(tomorrow["reminder-10m_asr_20261121"] == ["bell"])
        #expect(try sounds(&box, "2027-03-14")["asr_20270314"] == ["silent"])
        let effects = try box.during { try $0.run(until: "2026-11-20T16:40:00-05:00") }
        #expect(effects.cued.isEmpty)
        #expect(effects.recorded.first { $0.id == "maghrib_20261120" }?.outcome == .silent)
        let next = try box.during { try $0.run(until: "2026-11-21T16:34:00-05:00") }
        let called = next.cued.filter { $0.prayer == .maghrib || $0.prayer == .fajr }.map(\.sounds)
        #expect(called.contains(["makkah"]) && called.contains(["dawn"]) && called.contains(["bell"]))
    }

    @Test(
        "A prayer after midnight has the sound of the day that it belongs to, and a changed clock changes nothing"
    )
    func clockChange() throws {
        var box = try box("2026-10-31T12:00:00-04:00", text)
        // Clocks go back on 1 November: each date has one entry all the same.
        let days = try ["2026-10-31", "2026-11-01", "2026-11-02"].map { date in
            try Set(
                sounds(&box, date).filter { $0.key.hasPrefix("isha_") || $0.key.hasPrefix("asr_") }.values)
        }
        #expect(days == [[["makkah"]], [["madinah"]], [["silent"]]])
    }

    @Test("What breaks the fast stands before the adhan, each by its own rotation")
    func iftar() throws {
        let config = try ConfigLoader.load(
            text: """
                [adhan]
                sound = { rotate = ["makkah", "madinah"] }
                [ramadan]
                iftar-sound = { rotate = ["cannon", "silent", "dua"] }
                """, file: "test")
        let plain = try Box.inputs(config)
        let inputs = DaemonInputs(
            config: config, configuration: "a test", site: plain.site.following(MosqueTimes(config)),
            user: 900,
            controlGroup: 901)
        var box = try Box("2027-02-10T12:00:00-05:00", config: config, inputs: inputs)
        // 2027-02-10 is day 20859: 1 of 2 and 0 of 3; the 11th 0 and 1; the 12th 1 and 2.
        #expect(try sounds(&box, "2027-02-10")["maghrib_20270210"] == ["cannon", "madinah"])
        #expect(try sounds(&box, "2027-02-11")["maghrib_20270211"] == ["makkah"])
        #expect(try sounds(&box, "2027-02-12")["maghrib_20270212"] == ["dua", "madinah"])
    }

    @Test("A test plays today's, and a simulated prayer that of its own day")
    func tests() throws {
        var box = try box(
            "2026-11-20T23:59:30-05:00",
            "[adhan]\nsound = { rotate = [\"makkah\", \"madinah\"] }\n[debug]\ntriggers = true\n")
        box.ask(.testPlay(prayer: "asr", seconds: nil))
        #expect(box.effects.cued.map(\.sounds) == [["madinah"]])
        box.end(token: try #require(box.effects.cued.last).token)
        box.ask(.trigger(prayer: "asr", delay: "1m"))
        box.run(for: 60)
        #expect(box.effects.cued.last?.sounds == ["makkah"])
    }
}
