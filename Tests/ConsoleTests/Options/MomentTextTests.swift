import Console
import PrayerEngine
import Settings
import Testing
import Texts

struct MomentTextTests {
    @Test("An instant as people type it is the place's own time, on both sides of a change of the clock")
    func moments() throws {
        let zone = try Zone(name: "test", posix: "EST5EDT,M3.2.0,M11.1.0")
        let now = try #require(InstantText.parse("2026-10-31T23:30:00-04:00"))
        func read(_ text: String) -> String? {
            MomentText.read(text, now: now, in: zone).map { InstantText.rfc3339($0, in: zone) }
        }
        #expect(read("now") == "2026-10-31T23:30:00-04:00")
        #expect(read("18:00") == "2026-10-31T18:00:00-04:00" && read("6pm") == read("18:00"))
        #expect(read("tomorrow 18:00:30") == "2026-11-01T18:00:30-05:00")
        #expect(read("2026-11-02T05:30") == "2026-11-02T05:30:00-05:00")
        #expect(read("2026-11-02 05:30") == read("2026-11-02T05:30"))
        #expect(read("2026-11-02T10:30:00Z") == read("2026-11-02T05:30"))
        for text in ["", "soon", "25:00", "tomorrow", "2026-02-30 10:00", "T", " ", "18"] {
            #expect(read(text) == nil, "\(text)")
        }
    }
}
