import PrayerEngine
import PrayerLog

/// The rows that a reader may use, as SQL conditions. SQLite does not verify its checks when it reads, and a damaged file may
/// contain a day so large that no program can count to it.
///
/// `+day` prevents SQLite from using the order of the file to find a day, because it would miss the rows after a damaged one.
enum LogRows {
    /// The day, the prayer and its status are valid.
    static let placed =
        "(\(within("+day", days)) AND \(within("+prayer", 0...4)) AND \(within("status", 1...5)))"

    /// All other columns are usable as well.
    static let whole =
        "(\(placed) AND \(within("source", 1...4)) AND \(within("marked", milliseconds)) "
        + "AND \(within("zone", offsets)) "
        + ["at", "starts", "ends"].map { "AND (\($0) IS NULL OR \(within($0, milliseconds)))" }
        .joined(separator: " ") + ")"

    /// The image of a prayer that had no entry.
    static let empty = "(\(within("+day", days)) AND \(within("+prayer", 0...4)) AND status IS NULL)"

    /// A condition on a column of whole numbers, in which a damaged row may have a text or a fraction.
    private static func within(_ column: String, _ range: ClosedRange<Int>) -> String {
        "(typeof(\(column)) = 'integer' AND \(column) BETWEEN \(range.lowerBound) AND \(range.upperBound))"
    }

    private static let days = Logbook.days(
        through: CivilDate(year: 9999, month: 12, day: 30) ?? CivilDate(dayNumber: 0))
    /// The instants of these days.
    static let milliseconds =
        (days.lowerBound - 2) * 86_400_000...(days.upperBound + 2) * 86_400_000
    /// Seconds east of UTC.
    static let offsets = -86_400...86_400
}
