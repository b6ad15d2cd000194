import PrayerEngine
import Settings
import Testing
import Texts

@testable import ScreenPlan

@Suite("Announcements, and the dates of slides")
struct AnnouncementTests {
    private static func read(_ text: String) throws(ConfigError) -> [ScreenAnnouncement] {
        try DisplayConfig.schema.read([ConfigSource(file: "display.toml", text: Array(text.utf8))]).settings
            .display.announcements
    }

    /// The stretches in which it is shown, by the clocks of a place, for the two days from an instant on.
    private static func spans(_ lines: String, _ town: Town, at date: String, hour: Double = 12) throws
        -> [String]
    {
        let now = town.zone.instant(of: day(date), secondOfDay: hour * 3600)
        return ScreenAnnouncement.showings(
            try read("[[announcement]]\ntext = \"a\"\n" + lines), in: town.zone, from: now,
            until: now + ScreenSchedule.hours * 3600
        ).map { span in
            [span.from, span.until].map {
                InstantText.rfc3339($0, in: town.zone).prefix(16).replacing("T", with: " ")
            }.joined(separator: " – ")
        }
    }

    @Test(
        "It is shown from its beginning to its end, on its days and in its hours",
        arguments: [
            // 2026-11-27 is a Friday.
            ("until = 2026-11-28", ["2026-11-27 00:00 – 2026-11-29 00:00"]),
            ("until = 2026-11-27T19:00:00", ["2026-11-27 00:00 – 2026-11-27 19:00"]),
            ("until = 2026-11-27T09:00:00", []),
            ("from = 2026-11-27T08:00:00\nuntil = 2026-11-29", ["2026-11-27 08:00 – 2026-11-30 00:00"]),
            ("from = 2026-11-28\nuntil = 2026-11-28", ["2026-11-28 00:00 – 2026-11-29 00:00"]),
            ("until = 2026-11-26", []),
            ("from = 2026-11-30\nuntil = 2026-12-30", []),
            ("until = 2026-12-30\ndays = \"friday\"", ["2026-11-27 00:00 – 2026-11-28 00:00"]),
            (
                "until = 2026-12-30\nbetween = \"18:00-20:00\"",
                ["2026-11-27 18:00 – 2026-11-27 20:00", "2026-11-28 18:00 – 2026-11-28 20:00"]
            ),
            // Of a Thursday's hours some are Friday's.
            (
                "until = 2026-12-30\ndays = [\"thursday\"]\nbetween = \"20:00-13:00\"",
                ["2026-11-26 20:00 – 2026-11-27 13:00"]
            ),
            ("until = 2026-12-30\ndays = [\"monday\"]", []),
        ])
    func dates(_ lines: String, _ expected: [String]) throws {
        #expect(try Self.spans(lines, Town.all[1], at: "2026-11-27") == expected, "\(lines)")
    }

    @Test("Clocks that are set move no announcement from its hours", arguments: Town.all)
    func clockChanges(_ town: Town) throws {
        for date in [
            "2027-03-13", "2027-03-27", "2027-04-03", "2027-09-25", "2027-10-02", "2027-10-30", "2027-11-06",
        ] {
            let spans = try Self.spans(
                "until = 2027-12-31\nbetween = \"06:00-23:00\"", town, at: date, hour: 0.5)
            let inside = spans.filter { !$0.hasPrefix(day(date).adding(days: -1).description) }
            #expect(inside.count >= 2, "\(town.name) \(date)")
            for span in inside { #expect(span.contains(" 06:00 – ") && span.hasSuffix("23:00"), "\(span)") }
        }
    }

    @Test(
        "A mistake is reported with its line",
        arguments: [
            ("text = \"a\"", "until"), ("text = \"a\"\nuntil = 2026-02-31", "no such date"),
            ("text = \"a\"\nuntil = 2026-11-29T25:00:00", "no such date or time"),
            ("text = \"a\"\nuntil = \"tomorrow\"", "2027-03-28T18:00:00"),
            ("text = \"a\"\nuntil = 2026-11-29\nshow = [\"wall\"]", "\"screen\""),
            ("text = \"a\"\nuntil = 2026-11-29\ndays = \"fridy\"", "day of the week"),
            ("text = \"a\"\nuntil = 2026-11-29\nbetween = \"18:00\"", "18:00-20:00"),
            ("text = \"a\"\nuntil = 2026-11-29\nseconds = 1", "2 to 600"),
            ("text = \"a\"\nfrom = 2026-11-30\nuntil = 2026-11-29", "is before from"),
            ("text = \" \"\nuntil = 2026-11-29", "1 to 500"),
            (
                "text = \"a\"\nuntil = 2026-11-29\nshow = \"slide\"\npicture = \"../a\"",
                "64 hexadecimal digits"
            ),
            (
                "text = \"a\"\nuntil = 2026-11-29\nshow = \"bar\"\npicture = \"\(String(repeating: "a", count: 64))\"",
                "is shown among the slides"
            ),
        ])
    func mistakes(_ lines: String, _ word: String) throws {
        let error = try #require(throws: ConfigError.self) { try Self.read("[[announcement]]\n" + lines) }
        #expect(error.message.contains("display.toml:") && error.message.contains(word), "\(error.message)")
    }

    @Test("What is printed means the same, with several lines and all keys")
    func printed() throws {
        let text = """
            [donate]
            url = "BCD\\n002\\n1"
            [[announcement]]
            text = "one\\ntwo"
            from = 2026-11-29T08:00:00
            until = 2026-12-01
            show = ["board", "bar", "slide", "screen"]
            days = ["friday", "sunday"]
            between = "18:00-20:00"
            seconds = 20
            picture = "\(String(repeating: "0f", count: 32))"
            [[announcement]]
            text = "b"
            until = 2026-12-01
            """
        let config = try DisplayConfig.schema.read([
            ConfigSource(file: "display.toml", text: Array(text.utf8))
        ]).settings
        #expect(config.display.announcements.map(\.text) == ["one\ntwo", "b"])
        #expect(config.display.announcements[1].show == [.board])
        let printed = DisplayConfig.schema.printed(config)
        let again = try DisplayConfig.schema.read([
            ConfigSource(file: "display.toml", text: Array(printed.utf8))
        ]).settings
        #expect(again == config, "\(printed)")
    }

    @Test("There are at most a hundred")
    func many() throws {
        let one = "[[announcement]]\ntext = \"a\"\nuntil = 2026-11-29\n"
        #expect(try Self.read(String(repeating: one, count: 100)).count == 100)
        #expect(throws: ConfigError.self) { try Self.read(String(repeating: one, count: 101)) }
    }

    @Test("A slide's text is read as every system's editor writes it")
    func slideTexts() {
        let lines = "Lesson – درس\r\nat 20:00\tdaily\rfree\n"
        let expected = "Lesson – درس\nat 20:00 daily\nfree"
        func sent(_ order: (UInt16) -> [UInt16]) -> [UInt8] {
            ([0xFEFF] + lines.utf16).flatMap(order).map { UInt8($0 & 0xFF) }
        }
        let written: [[UInt8]] = [
            Array(lines.utf8), [0xEF, 0xBB, 0xBF] + Array(lines.utf8), sent { [$0, $0 >> 8] },
            sent { [$0 >> 8, $0] },
        ]
        for bytes in written { #expect(SlideText.read(bytes) == expected, "\(bytes)") }
        let nothing: [[UInt8]] = [
            [], [0xEF, 0xBB, 0xBF], Array(" \r\n\t".utf8), [0xFF, 0xFE, 0], [0xE4, 0x20],
            [0xFF, 0xFE, 0, 0xD8],
        ]
        for bytes in nothing { #expect(SlideText.read(bytes) == nil, "\(bytes)") }
    }

    @Test("A code without an address is a mistake")
    func donation() {
        #expect(throws: ConfigError.self) { try Self.read("[donate]\ntext = \"For the roof\"") }
    }

    @Test(
        "A slide's name says from when until when it is shown",
        arguments: [
            ("poster.png", nil, nil), ("poster until 2026-11-29.png", nil, "2026-11-29"),
            ("until-2026-11-29-poster.png", nil, "2026-11-29"),
            ("poster_until-2026-11-29.png", nil, "2026-11-29"),
            ("From 2026-11-20 until 2026-11-29 Lesson.txt", "2026-11-20", "2026-11-29"),
            ("lesson from the imam.txt", nil, nil), ("until the end.png", nil, nil),
            ("from-2026-11-20-until-2026-11-29-lesson.jpg", "2026-11-20", "2026-11-29"),
        ] as [(String, String?, String?)])
    func slideNames(_ name: String, _ from: String?, _ until: String?) {
        guard case .dates(let dates, let isAlone) = SlideDates.read(name) else {
            Issue.record("\(name)")
            return
        }
        #expect(dates.from?.description == from && dates.until?.description == until && !isAlone, "\(name)")
    }

    @Test("Nothing is guessed from dates that do not exist or contradict each other")
    func wrongDates() {
        for name in ["until 2026-02-31.png", "from 2026-11-30 until 2026-11-29.png", "until 2026-11-291.png"]
        {
            #expect(SlideDates.read(name) == .wrong, "\(name)")
        }
        #expect(
            SlideDates.read("from: 2026-11-20, until: 2026-11-29")
                == .dates(SlideDates(from: day("2026-11-20"), until: day("2026-11-29")), alone: true))
    }
}
