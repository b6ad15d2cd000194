import PrayerEngine
import Settings
import Texts
import Times

/// The table in a file: headers and rows of text, and the text around it.
struct Grid {
    struct Row {
        var line: Int
        var cells: [String]
    }

    /// The values that apply to all rows.
    struct Context {
        var year: Int?
        var month: Int?
        /// The first day, if days are counted from a day of the year, as in Ramadan.
        var firstDay: CivilDate?
        /// Whether the table holds congregations, whatever its headers are.
        var isIqama = false
        /// The times of Fridays, stated once for all of them.
        var fridays: [Friday] = []

        struct Friday {
            var header: String
            var text: String
            var line: Int
            /// Whether the time is listed among the congregations' times.
            var isIqama: Bool

            var column: TimetableColumn? {
                HeaderWords.column(of: header, isIqama: isIqama).flatMap(ColumnPlan.column)
            }
        }
    }

    var file: String
    var headers: [String]
    var rows: [Row]
    var context = Context()
    /// The format, if the shape alone shows it.
    var format: FileFormat?
    /// The line of the header; nil if there is none.
    var headerLine: Int?
}

/// Reads CSV, TSV and the variants that spreadsheets write.
enum DelimitedText {
    static func grid(of text: String, file: String) throws(ImportRefusal) -> Grid {
        let delimiter = delimiter(of: text)
        var rows = try rows(of: text, delimiter: delimiter, file: file)
        rows.removeAll { $0.cells.allSatisfy(\.isEmpty) || ($0.cells.first?.hasPrefix("#") ?? false) }
        guard !rows.isEmpty else { throw ImportRefusal("there is no table in the file", file: file) }
        // A title may precede the header: the header is the first line that names two times.
        let header = rows.prefix(20).firstIndex { row in
            row.cells.count { HeaderWords.column(of: $0, isIqama: false) != nil } >= 2
        }
        if let header {
            var grid = Grid(
                file: file, headers: rows[header].cells, rows: Array(rows[(header + 1)...]),
                headerLine: rows[header].line)
            let name = file.split(separator: "/").last.map(String.init) ?? file
            grid.context.month = MonthNames.month(ofFile: name)
            if delimiter == UInt8(ascii: "\t") { grid.format = .tsv }
            return grid
        }
        return try withoutHeader(rows, file)
    }

    /// Reads a table without a header, as Singapore publishes it for some years: date, weekday and six times, in that order.
    private static func withoutHeader(_ rows: [Grid.Row], _ file: String) throws(ImportRefusal) -> Grid {
        let first = rows[0]
        guard first.cells.count == 8, WeekdayNames.weekday(first.cells[1]) != nil,
            first.cells[2...].allSatisfy({ PrintedTime($0) != nil })
        else {
            throw ImportRefusal(
                "no line names the times, such as Date,Fajr,Sunrise,Dhuhr,Asr,Maghrib,Isha; add such a header",
                file: file, line: first.line, cell: first.cells.first)
        }
        return Grid(
            file: file, headers: ["Date", "Day", "Subuh", "Syuruk", "Zohor", "Asar", "Maghrib", "Isyak"],
            rows: rows, format: .muis, headerLine: nil)
    }

    /// The delimiter that occurs equally often on most lines.
    private static func delimiter(of text: String) -> UInt8 {
        let lines = text.utf8.split(separator: 0x0A, maxSplits: 40).prefix(40)
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09, UInt8(ascii: "|")]
        func score(_ delimiter: UInt8) -> Int {
            lines.reduce(0) { $0 + min(40, $1.count { $0 == delimiter }) }
        }
        return candidates.max { score($0) < score($1) } ?? candidates[0]
    }

    private static func rows(
        of text: String, delimiter: UInt8, file: String
    ) throws(ImportRefusal) -> [Grid.Row] {
        var rows: [Grid.Row] = []
        var (cell, cells) = ([UInt8](), [String]())
        var (line, start, isQuoted) = (1, 1, false)
        func finish() {
            cells.append(String(Substring(String(decoding: cell, as: UTF8.self)).trimmed))
            cell.removeAll(keepingCapacity: true)
        }
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isQuoted {
                if byte == UInt8(ascii: "\"") {
                    if index < bytes.count, bytes[index] == byte {
                        cell.append(byte)
                        index += 1
                    } else {
                        isQuoted = false
                    }
                } else {
                    if byte == 0x0A { line += 1 }
                    cell.append(byte == 0x0A || byte == 0x0D ? 0x20 : byte)
                }
                // A quotation mark without an end would make the rest of the file one cell.
                guard cell.count < 4096 else {
                    throw ImportRefusal(
                        "a cell is longer than any time; is a \" missing?", file: file, line: start)
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\"") where cell.allSatisfy(ASCII.isBlank):
                cell.removeAll()
                isQuoted = true
            case delimiter: finish()
            case 0x0D where index < bytes.count && bytes[index] == 0x0A: break
            case 0x0A, 0x0D:
                finish()
                rows.append(Grid.Row(line: start, cells: cells))
                cells.removeAll(keepingCapacity: true)
                line += 1
                start = line
                guard rows.count <= PublishedTimetable.mostLines else {
                    throw ImportRefusal(
                        "there are more than \(PublishedTimetable.mostLines) lines; no timetable has that many",
                        file: file)
                }
            default:
                cell.append(byte)
                guard cell.count < 4096, cells.count < 200 else {
                    throw ImportRefusal(
                        "the line is longer than that of any timetable", file: file, line: start)
                }
            }
        }
        guard !isQuoted else {
            throw ImportRefusal(
                "a \" begins a cell and never ends it; is one missing?", file: file, line: start)
        }
        if !cell.isEmpty || !cells.isEmpty {
            finish()
            rows.append(Grid.Row(line: start, cells: cells))
        }
        return rows
    }
}

/// Reads Tawkit's lines: `"MM-DD~~~~~fajr|sunrise|dhuhr|asr|maghrib|isha",`
enum TawkitText {
    static func isTawkit(_ text: String) -> Bool {
        text.utf8.prefix(20_000).split(separator: 0x0A).contains { line in
            String(Substring(line)).contains("~~~~~")
        }
    }

    static func grid(of text: String, file: String) throws(ImportRefusal) -> Grid {
        var grid = Grid(
            file: file, headers: ["date", "fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"], rows: [],
            format: .tawkit)
        for (index, bytes) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
        {
            guard index < PublishedTimetable.mostLines else {
                throw ImportRefusal(
                    "there are more than \(PublishedTimetable.mostLines) lines; no timetable has that many",
                    file: file)
            }
            let plain = String(Substring(bytes)).filter { $0 != "\"" && $0 != "," && $0 != "\r" && $0 != "'" }
            guard let mark = plain.range(of: "~~~~~") else { continue }
            let date = String(Substring(plain[..<mark.lowerBound]).trimmed)
            let times = plain[mark.upperBound...].split(separator: "|", omittingEmptySubsequences: false)
                .map { String($0.trimmed) }
            guard times.count == 6 else {
                throw ImportRefusal(
                    "there are \(times.count) times where fajr|sunrise|dhuhr|asr|maghrib|isha are expected",
                    file: file, line: index + 1, cell: String(plain))
            }
            grid.rows.append(Grid.Row(line: index + 1, cells: [date] + times))
        }
        return grid
    }
}

extension StringProtocol {
    /// The first occurrence of a text, because this module does not use Foundation.
    fileprivate func range(of other: String) -> Range<Index>? { firstRange(of: other) }
}
