import Foundation
import Languages
import PrayerEngine
import Testing

@testable import PrayerLog

/// The values that status bars receive.
struct WidgetTests {
    private let day = "2026-11-18"  // a Wednesday

    private func widget(
        _ hour: Int, _ minute: Int = 0, count: Int = 1, marks: [Mark] = [], language: String = "en",
        isPlaying: Bool = false, isMuted: @escaping (Widget.Coming) -> Bool = { _ in false }
    ) throws -> Widget {
        let log = Logbook(marks, today: Fixture.today(day, hour, minute))
        return Widget(
            log, streak: Streak(log), count: count, zone: .utc, words: try #require(.embedded(language)),
            isPlaying: isPlaying, isMuted: isMuted)
    }

    @Test("A widget shows the next prayers, how many are prayed, and the streak")
    func countdownDoneAndStreak() throws {
        let date = Fixture.date(day)
        let marks = Fixture.day(date.adding(days: -1)) + Fixture.day(date).prefix(2)
        #expect(
            try widget(13, 36, count: 3, marks: marks).rendered(.polybar)
                == "Asr 15:00 in 1 h 24 min · Maghrib 18:00 · Isha 19:30 · 2/5 · Days in a row: 1")
        #expect(try widget(13, 36).rendered(.text) == "Asr 15:00 in 1 h 24 min · 0/5")
        #expect(try widget(13, 36, language: "tr").rendered(.text) == "İkindi 15:00, 1 sa 24 dk sonra · 0/5")
        #expect(try widget(23, 0).rendered(.text) == "Fajr 05:00 in 6 h · 0/5")
    }

    @Test("The mood of a widget changes at its minute")
    func classesChangeAtTheirMinutes() throws {
        #expect(try widget(14, 49).mood == .upcoming)
        #expect(try widget(14, 50).mood == .soon)
        #expect(try widget(15, 0).mood == .now)
        #expect(try widget(15, 0).rendered(.text) == "Asr 15:00 now · Maghrib 18:00 · 0/5")
        #expect(try widget(15, 9).mood == .now)
        #expect(try widget(15, 10).mood == .upcoming)
        #expect(try widget(15, 30, isPlaying: true).mood == .now)
        let muted = try widget(14, 55, isMuted: { _ in true })
        #expect(muted.mood == .muted)
        #expect(muted.rendered(.text) == "Asr 15:00 in 5 min (muted) · 0/5")
    }

    /// A bar shows what it is given: what means something to it must not come from a name.
    @Test("Each status bar gets its own format, and no name adds markup to it")
    func formsOfTheBars() throws {
        let soon = try widget(14, 55, count: 2)
        #expect(
            soon.rendered(.i3blocks)
                == "Asr 15:00 in 5 min · Maghrib 18:00 · 0/5\nAsr 15:00 in 5 min\n#e5c07b")
        #expect(soon.rendered(.i3blocks, following: true) == "Asr 15:00 in 5 min · Maghrib 18:00 · 0/5")
        #expect(soon.rendered(.conky).split(separator: "\n").count == 4)
        #expect(!soon.rendered(.conky, following: true).contains("\n"))
        for format in WidgetFormat.allCases where format != .i3blocks && format != .conky {
            #expect(!soon.rendered(format).contains("\n"), "\(format)")
        }
        let waybar = try #require(
            JSONSerialization.jsonObject(with: Data(soon.rendered(.waybar).utf8)) as? [String: Any])
        #expect(Set(waybar.keys) == ["text", "alt", "tooltip", "class", "percentage"])
        #expect(waybar["class"] as? String == "soon")
        #expect(waybar["text"] as? String == "Asr 15:00 in 5 min")
        #expect(
            waybar["tooltip"] as? String
                == "Asr 15:00 in 5 min\nMaghrib 18:00\nPrayed today: 0 of 5\nDays in a row: 0")
    }
}
