import Languages
import PrayerEngine
import Testing

@testable import AdhanCore
@testable import DisplayProgramme

@Suite("What the display owns up to")
struct AlertTests {
    @Test("A published timetable that ends is found in an agenda that goes on")
    func tableEnd() {
        let town = Town.all[1]
        let date = day("2026-12-10").dayNumber
        let last = day("2026-12-31")
        let occasions = town.occasions(date...(date + 33)).map {
            Occasion(
                kind: $0.kind, prayer: $0.prayer, date: $0.date, at: $0.at, id: $0.id,
                isPublished: $0.date <= last)
        }
        #expect(Alert.tableEnd(occasions) == last)
        #expect(Alert.tableEnd(town.occasions(date...(date + 33))) == nil)
        #expect(Alert.tableEnd(occasions.filter { $0.date <= last }) == nil)
    }

    @Test("What began on another day is told with its date")
    func since() {
        let zone = Town.all[1].zone
        let now = zone.instant(of: day("2026-12-10"), secondOfDay: 50_000)
        let text = NoticeText(.english, in: zone, now: now)
        func told(_ at: Instant) -> String { text.sentence(Alert(.noSound, at: at)) }
        #expect(told(now - 3600) == "No sound since 12:53")
        #expect(told(now - 86_400) == "No sound since Wednesday, December 9, 2026, 13:53")
        #expect(text.sentence(Alert(.mute, at: now + 86_400)).contains("Friday, December 11, 2026, 13:53"))
    }

    @Test("An identity tells its day, also of what comes after midnight")
    func dates() throws {
        let zone = Town.all[1].zone
        let document = OccasionDocument(
            id: "isha_20260620", kind: .adhan, prayer: "isha", slot: 1, at: "2026-06-21T00:18:00.000+01:00",
            source: .computed, sounds: [], enabled: true, state: "upcoming")
        let occasion = try #require(Occasion(document, in: zone))
        #expect(occasion.date == day("2026-06-20") && occasion.prayer == .isha)
        let broken = OccasionDocument(
            id: "x", kind: .adhan, prayer: "isha", slot: 1, at: "soon", source: .computed, sounds: [],
            enabled: true, state: "upcoming")
        #expect(Occasion(broken, in: zone) == nil)
    }
}
