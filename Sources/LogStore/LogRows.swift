import PrayerEngine
import PrayerLog

/// Which rows a reader may take, as conditions of SQL: SQLite does not look at its checks when it reads, and a number that a
/// damaged file makes of a day is one that no program can count up to.
///
/// `+day` keeps SQLite from looking the day up in the order of the file: behind a damaged one it would miss the rest.
enum LogRows {
    /// The prayer is known and how it was marked.
    static let placed =
        "(\(within("+day", days)) AND \(within("+prayer", 0...4)) AND \(within("status", 1...5)))"

    /// Everything else of it can be used as well.
    static let whole =
        "(\(placed) AND \(within("source", 1...4)) AND \(within("marked", milliseconds)) "
        + "AND \(within("zone", offsets)) "
        + ["at", "starts", "ends"].map { "AND (\($0) IS NULL OR \(within($0, milliseconds)))" }
        .joined(separator: " ") + ")"

    /// The image of a prayer that had no entry.
    static let empty = "(\(within("+day", days)) AND \(within("+prayer", 0...4)) AND status IS NULL)"

    /// A condition on a column. A damaged row may have a text or a fraction in a column of whole numbers.
    private static func within(_ column: String, _ range: ClosedRange<Int>) -> String {
        "(typeof(\(column)) = 'integer' AND \(column) BETWEEN \(range.lowerBound) AND \(range.upperBound))"
    }

    private static let days = Logbook.days(
        through: CivilDate(year: 9999, month: 12, day: 30) ?? CivilDate(dayNumber: 0))
    /// The instants of the same days.
    static let milliseconds =
        (days.lowerBound - 2) * 86_400_000...(days.upperBound + 2) * 86_400_000
    /// Seconds east of UTC.
    static let offsets = -86_400...86_400
}
