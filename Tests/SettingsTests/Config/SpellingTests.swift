import PrayerEngine
import Testing

@testable import Settings
@testable import Texts

@Suite("What people type")
struct SpellingTests {
    @Test("Prayers, in the spellings of many countries")
    func prayers() {
        for (text, prayer) in [
            ("zuhr", Prayer.dhuhr), ("Zohr", .dhuhr), ("subh", .fajr), ("Subuh", .fajr), ("Jumu'ah", .jumua),
            ("jummah", .jumua), ("Friday", .jumua), ("ISHA", .isha), ("'Isha'", .isha), ("magrib", .maghrib),
            ("asar", .asr),
        ] {
            #expect(Spelling.prayer(text) == prayer, "\(text)")
        }
        for text in ["", "fair", "12", "noone", "is"] { #expect(Spelling.prayer(text) == nil, "\(text)") }
        #expect(Spelling.event("last-third") == .lastThird && Spelling.event("Shuruq") == .sunrise)
        #expect(Spelling.event("x") == nil)
    }

    @Test("Schools and methods")
    func methods() {
        for text in ["shafi", "Shafi'i", "maliki", "Hanbali", "standard"] {
            #expect(Spelling.school(text) == "standard")
        }
        #expect(Spelling.school("Hanafi") == "hanafi" && Spelling.school("x") == "x")
        for (text, name) in [
            ("ISNA", "isna"), ("MWL", "mwl"), ("Umm al-Qura", "umm-al-qura"), ("Makkah", "umm-al-qura"),
            ("Egypt", "egyptian"), ("custom", "custom"), ("2", "2"), ("nonsense", "nonsense"),
        ] {
            #expect(Spelling.method(text) == name, "\(text)")
        }
    }

    @Test("Times of day; one that could be two is none")
    func times() {
        for (text, time) in [
            ("9pm", "21:00"), ("9 PM", "21:00"), ("9:30pm", "21:30"), ("9.30 p.m.", "21:30"),
            ("12am", "00:00"),
            ("12pm", "12:00"), ("21:30", "21:30"), ("21.30", "21:30"), ("7:05", "07:05"),
            ("14:00:30", "14:00:30"),
        ] {
            #expect(Spelling.timeOfDay(text) == time, "\(text)")
        }
        for text in ["9", "21", "25:00", "13pm", "0am", "9:60", "9:", "pm", "", "1:2:3:4", "nine"] {
            #expect(Spelling.timeOfDay(text) == nil, "\(text)")
        }
    }

    @Test("Durations; a number alone is none")
    func durations() {
        for (text, duration) in [
            ("2h", "2h"), ("2 hours", "2h"), ("1d", "24h"), ("90 minutes", "1h30m"), ("1.5h", "1h30m"),
            ("1h 30m", "1h30m"), ("1 hour and 30 min", "1h30m"), ("45s", "45s"), ("366 days", "8784h"),
        ] {
            #expect(Spelling.duration(text) == duration, "\(text)")
        }
        for text in ["", "30", "h", "2x", "2h30", "-2h", "367 days", "0s", "isha", "1e9h"] {
            #expect(Spelling.duration(text) == nil, "\(text)")
        }
    }
}
