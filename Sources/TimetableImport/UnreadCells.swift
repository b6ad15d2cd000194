import PrayerEngine
import Settings
import Texts
import Times

/// Congregation cells that cannot be understood. The rest of the table is imported without them.
struct UnreadCells {
    private struct Same: Hashable {
        var column: TimetableColumn
        var text: String
    }

    private struct Found {
        var first: RawCell
        var reason: IqamaCell.CellError
        var dates: [CivilDate]
    }

    private var found: [Same: Found] = [:]

    /// The most different texts of one column that are shown; with more, the column is probably something else, and they are
    /// counted.
    private static let mostTexts = 5

    mutating func add(
        _ cell: RawCell, _ column: TimetableColumn, on date: CivilDate, _ reason: IqamaCell.CellError
    ) {
        let same = Same(column: column, text: cell.text)
        found[same, default: Found(first: cell, reason: reason, dates: [])].dates.append(date)
    }

    /// Records a time that is read as the other half of the day.
    mutating func turned(_ cell: RawCell, to minutes: Int) {
        if turned == nil { turned = (cell, minutes) }
        turns += 1
    }

    private var turned: (cell: RawCell, minutes: Int)?
    private var turns = 0

    /// The remark about times that were moved because they are impossible as written.
    var remark: String? {
        turned.map {
            "iqamas in the half of the day in which they cannot be meant are read as the other half, \(turns) in all: \"\(TimetableError.excerpt($0.cell.text))\" in line \($0.cell.line), column \"\(TimetableError.excerpt($0.cell.header))\", is \(ClockText.format($0.minutes))"
        }
    }

    /// One finding for each different text of a column.
    var findings: [TimetableFinding] {
        let columns = Dictionary(grouping: found, by: \.key.column).sorted { $0.key < $1.key }
        return columns.flatMap { column, cells in
            let ordered = cells.sorted {
                ($0.value.first.line, $0.key.text) < ($1.value.first.line, $1.key.text)
            }
            let shown = ordered.prefix(Self.mostTexts).map { Self.finding($0.value, column) }
            return shown + Self.rest(ordered.dropFirst(Self.mostTexts).map(\.value), column)
        }
    }

    private static func finding(_ one: Found, _ column: TimetableColumn) -> TimetableFinding {
        let why =
            switch one.reason {
            case .range: "is a range of times; write the one at which the congregation stands up"
            case .unreadable:
                "is not understood; write a time such as 13:30, or minutes after the adhan such as +10"
            case .impossibleTime:
                "cannot be when a congregation of \(column.event.rawValue) stands up; correct the time"
            }
        return finding(
            [one], column,
            "line \(one.first.line), column \"\(TimetableError.excerpt(one.first.header))\": \"\(TimetableError.excerpt(one.first.text))\" \(why). "
                + leftOut(one.dates.count))
    }

    private static func rest(_ others: [Found], _ column: TimetableColumn) -> [TimetableFinding] {
        guard let first = others.first else { return [] }
        let count = others.reduce(0) { $0 + $1.dates.count }
        return [
            finding(
                others, column,
                "line \(first.first.line) and others, column \"\(TimetableError.excerpt(first.first.header))\": \(others.count) more texts are not understood. "
                    + leftOut(count))
        ]
    }

    private static func leftOut(_ days: Int) -> String {
        "It is left out on \(CountText.of(days, "day"))"
    }

    private static func finding(_ found: [Found], _ column: TimetableColumn, _ text: String)
        -> TimetableFinding
    {
        let dates = found.flatMap(\.dates)
        let first = found[0].first
        return TimetableFinding(
            .unreadableCell, from: dates.min() ?? found[0].dates[0], until: dates.max() ?? found[0].dates[0],
            events: [column.name], cell: .init(file: first.file, line: first.line, text: first.text), text)
    }
}
