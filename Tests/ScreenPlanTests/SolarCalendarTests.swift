import Foundation
import Languages
import PrayerEngine
import Testing
import Texts

@testable import ScreenPlan

@Suite("The solar Hijri calendar")
struct SolarCalendarTests {
    private static func persian() throws -> SolarCalendar {
        try #require(Language.embedded("fa")?.solar)
    }

    /// As Iran printed them: the equinox before or after noon in Tehran.
    @Test(
        "A year begins on Nowruz, and the day before is the last of Esfand",
        arguments: [
            ("2000-03-20", 1379, 29), ("2001-03-21", 1380, 30), ("2004-03-20", 1383, 29),
            ("2008-03-20", 1387, 29),
            ("2009-03-21", 1388, 30), ("2012-03-20", 1391, 29), ("2013-03-21", 1392, 30),
            ("2016-03-20", 1395, 29),
            ("2017-03-21", 1396, 30), ("2020-03-20", 1399, 29), ("2021-03-21", 1400, 30),
            ("2024-03-20", 1403, 29),
            ("2025-03-21", 1404, 30), ("2026-03-21", 1405, 29), ("2029-03-20", 1408, 29),
            ("2030-03-21", 1409, 30),
        ])
    func nowruz(_ date: String, _ year: Int, _ before: Int) throws {
        let calendar = try Self.persian()
        #expect(calendar.day(of: day(date)) == .init(year: year, month: 1, day: 1))
        let eve = calendar.day(of: day(date).adding(days: -1))
        // The table begins with 1379.
        #expect(year == 1379 ? eve == nil : eve == .init(year: year - 1, month: 12, day: before))
    }

    @Test(
        "Every day for a hundred and twenty years follows the one before, and the months have their lengths")
    func run() throws {
        let calendar = try Self.persian()
        var last = try #require(calendar.day(of: day("2000-03-20")))
        var length = 0
        for number in (day("2000-03-21").dayNumber)...(day("2121-03-20").dayNumber) {
            let next = try #require(calendar.day(of: CivilDate(dayNumber: number)))
            if next.day == 1 {
                #expect(
                    last.day == (last.month < 7 ? 31 : last.month < 12 ? 30 : last.day)
                        && (29...31).contains(last.day))
                #expect(
                    last.month == 12
                        ? (next.year, next.month) == (last.year + 1, 1) && last.day < 31
                        : next.month == last.month + 1)
                length += 1
            } else {
                #expect((next.year, next.month, next.day) == (last.year, last.month, last.day + 1))
            }
            last = next
        }
        // The first one had begun.
        #expect(length == 121 * 12 - 1)
        #expect(calendar.day(of: day("1999-12-31")) == nil)
    }

    @Test("A notice has the date of the language's own calendar")
    func notice() throws {
        let persian = try #require(Language.embedded("fa"))
        let table = NoticeText(persian, in: .utc, now: Instant(unixSeconds: 0)).sentence(
            Alert(.timetableEnds, date: day("2026-11-21")))
        #expect(table.contains("30 آبان 1405"), "\(table)")
    }
}
