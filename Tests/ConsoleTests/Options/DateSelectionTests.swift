import PrayerEngine
import Settings
import Testing

@testable import Console
@testable import Texts

@Suite("Which days times shows")
struct DateSelectionTests {
    private static let today = CivilDate("2026-11-20") ?? CivilDate(dayNumber: 0)

    static let selections: [(DateSelection, first: String, count: Int)] = [
        (DateSelection(), "2026-11-20", 1),
        (DateSelection(date: "today"), "2026-11-20", 1),
        (DateSelection(date: "tomorrow", count: "2"), "2026-11-21", 2),
        (DateSelection(date: "yesterday"), "2026-11-19", 1),
        (DateSelection(date: "2024-02-29", count: "3660"), "2024-02-29", 3660),
        (DateSelection(month: "2026-02"), "2026-02-01", 28),
        (DateSelection(month: "2028-02"), "2028-02-01", 29),
        // A log looks back.
        (DateSelection(month: "12"), "2025-12-01", 31),
        (DateSelection(month: "11"), "2026-11-01", 30),
        (DateSelection(month: "3"), "2026-03-01", 31),
        (DateSelection(month: "3", isMonthToCome: true), "2027-03-01", 31),
        (DateSelection(month: "11", isMonthToCome: true), "2026-11-01", 30),
        (DateSelection(month: "2026-03", isMonthToCome: true), "2026-03-01", 31),
        (DateSelection(month: "9999-12"), "9999-12-01", 31),
        (DateSelection(year: "2026"), "2026-01-01", 365),
        (DateSelection(year: "2028"), "2028-01-01", 366),
        (DateSelection(year: "1", historical: true), "0001-01-01", 365),
    ]

    @Test("A selection is its first day and all that follow", arguments: selections.indices)
    func selection(index: Int) throws {
        let (selection, first, count) = Self.selections[index]
        let days = try selection.days(today: Self.today)
        #expect(days.first?.description == first)
        #expect(days.count == count)
        #expect(zip(days, days.dropFirst()).allSatisfy { $0.adding(days: 1) == $1 })
    }

    static let mistakes: [(DateSelection, String)] = [
        (
            DateSelection(date: "2026-02-30"),
            "--date must be a day that exists, written YYYY-MM-DD, not \"2026-02-30\""
        ),
        (
            DateSelection(date: "-5000-01-01"),
            "--date must be a day that exists, written YYYY-MM-DD, not \"-5000-01-01\""
        ),
        (
            DateSelection(date: "20.11.2026"),
            "--date must be a day that exists, written YYYY-MM-DD, not \"20.11.2026\""
        ),
        (DateSelection(count: "0"), "--days must be a whole number from 1 to 3660, not \"0\""),
        (DateSelection(count: "many"), "--days must be a whole number from 1 to 3660, not \"many\""),
        (DateSelection(date: "9999-12-31", count: "2"), "--days goes beyond the year 9999"),
        (
            DateSelection(date: "9999-12-31", count: "3661"),
            "--days must be a whole number from 1 to 3660, not \"3661\""
        ),
        (
            DateSelection(month: "2026-13"),
            "--month must be a month written YYYY-MM, or 1 to 12 for the last one, not \"2026-13\""
        ),
        (
            DateSelection(month: "0"),
            "--month must be a month written YYYY-MM, or 1 to 12 for the last one, not \"0\""
        ),
        (
            DateSelection(month: "-1"),
            "--month must be a month written YYYY-MM, or 1 to 12 for the last one, not \"-1\""
        ),
        (
            DateSelection(month: "Ramadan"),
            "--month must be a month written YYYY-MM, or 1 to 12 for the last one, not \"Ramadan\""
        ),
        (
            DateSelection(year: "26"),
            "the year 26 lies before 1900; did you mean 2026?; with --historical it is taken as it is"
        ),
        (
            DateSelection(date: "1448-05-01"),
            "the year 1448 lies before 1900; years are those of the Gregorian calendar, not of the Hijri; "
                + "with --historical it is taken as it is"
        ),
        (DateSelection(year: "-5000"), "--year must be a year from 1 to 9999, not \"-5000\""),
        (DateSelection(year: "99999"), "--year must be a year from 1 to 9999, not \"99999\""),
        (DateSelection(count: "2", month: "1"), "--days and --month exclude each other; give one of them"),
        (DateSelection(month: "1", year: "2026"), "--month and --year exclude each other; give one of them"),
        (
            DateSelection(date: "today", year: "2026"),
            "--date and --year exclude each other; give one of them"
        ),
    ]

    @Test("A mistake is one sentence with what is allowed", arguments: mistakes.indices)
    func mistake(index: Int) {
        let (selection, sentence) = Self.mistakes[index]
        #expect(throws: OptionError(sentence)) { try selection.days(today: Self.today) }
    }
}
