import PrayerEngine
import Settings
import Texts

extension PublishedTimetable {
    /// The most lines, a century of days; a longer file is not a timetable.
    package static let mostLines = 40_000
    package static let mostBytes = 16 << 20
    private static let mostMistakes = 20
    private static let sourceMark = "# source "

    /// Reads the strict form: nothing is guessed, and every mistake is named.
    package init(csv bytes: [UInt8], file: String) throws(TimetableErrors) {
        self = try Self.reading(csv: bytes, file: file).table
    }

    /// Reads a table; also returns whether the file has fewer rows than its header states.
    package static func reading(
        csv bytes: [UInt8], file: String
    ) throws(TimetableErrors) -> (table: PublishedTimetable, isCut: Bool) {
        var table = PublishedTimetable()
        let written = try table.read(bytes, file: file)
        return (table, written.contains { table.rows(of: $0.key) < $0.value })
    }

    /// Reads a table that is to be the whole timetable of boxes: strict, and complete. ``TimetableMismatch`` decides whether it
    /// fits the place of a box.
    package static func whole(
        csv bytes: [UInt8], file: String
    ) throws(TimetableErrors) -> PublishedTimetable {
        let (table, isCut) = try reading(csv: bytes, file: file)
        guard !isCut else {
            throw TimetableErrors([TimetableError("the timetable has fewer days than it says", file: file)])
        }
        guard !table.isEmpty else {
            throw TimetableErrors([TimetableError("the timetable has no day", file: file)])
        }
        return table
    }

    private func rows(of source: Int) -> Int {
        dated.values.count { $0.sources.contains(source) }
            + everyYear.values.count { $0.sources.contains(source) }
    }

    /// - Returns: the number of rows of each source when the file was written, as far as it states them.
    private mutating func read(_ bytes: [UInt8], file: String) throws(TimetableErrors) -> [Int: Int] {
        var reading = StrictReading(file: file)
        guard bytes.count <= Self.mostBytes else {
            throw TimetableErrors([
                TimetableError(
                    "the file is larger than \(Self.mostBytes >> 20) MB; no timetable is", file: file)
            ])
        }
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            reading.number += 1
            guard reading.number <= Self.mostLines, reading.mistakes.count < Self.mostMistakes else { break }
            reading.read(line, into: &self)
            // Without a header the rest cannot be read.
            if reading.columns == nil, !reading.mistakes.isEmpty { break }
        }
        if reading.columns == nil, reading.mistakes.isEmpty {
            reading.mistakes.append(
                TimetableError(
                    "there is no header such as date,fajr,sunrise,dhuhr,asr,maghrib,isha", file: file))
        }
        if reading.number > Self.mostLines {
            reading.mistakes = [
                TimetableError(
                    "there are more than \(Self.mostLines) lines; no timetable has that many", file: file)
            ]
        }
        guard reading.mistakes.isEmpty else { throw TimetableErrors(reading.mistakes) }
        let known = Set(sources.map(\.id))
        for date in dated.keys { dated[date]?.sources.removeAll { !known.contains($0) } }
        for day in everyYear.keys { everyYear[day]?.sources.removeAll { !known.contains($0) } }
        return reading.written
    }

    /// The strict form, in the order of the dates: readable, and one line a day in a comparison.
    package func csv() -> String {
        let columns = columns
        let hasSources = !sources.isEmpty
        var text = "# Published prayer times. Rows are date by date; an empty cell is as computed.\n"
        if !everyYear.isEmpty {
            text += "# A date without a year is for every year, by the clock of winter time.\n"
        }
        for source in sources {
            let line = SourceLine(source: source, rows: rows(of: source.id))
            guard let json = try? JSON.encode(line) else { continue }
            text += Self.sourceMark + String(decoding: json, as: UTF8.self) + "\n"
        }
        text +=
            (["date"] + columns.map(\.name) + (hasSources ? ["source"] : [])).joined(separator: ",") + "\n"
        func line(_ date: String, _ row: Row) -> String {
            var cells = [date] + columns.map { row.cellMinutes[$0].map(ClockText.format) ?? "" }
            if hasSources { cells.append(row.sources.map(String.init).joined(separator: " ")) }
            return cells.joined(separator: ",") + "\n"
        }
        for (day, row) in everyYear.sorted(by: { $0.key < $1.key }) { text += line(day.description, row) }
        for (date, row) in dated.sorted(by: { $0.key < $1.key }) { text += line(date.description, row) }
        return text
    }
}

/// A source as a line of the file: with the number of its rows, so that a file that ends too early is noticed even where it ends
/// with a whole line.
private struct SourceLine: Codable {
    let source: PublishedTimetable.Source
    /// The number of rows; `nil` from older versions.
    let rows: Int?

    private enum Key: CodingKey { case rows }

    init(source: PublishedTimetable.Source, rows: Int) {
        (self.source, self.rows) = (source, rows)
    }

    init(from decoder: any Decoder) throws {
        source = try PublishedTimetable.Source(from: decoder)
        rows = try decoder.container(keyedBy: Key.self).decodeIfPresent(Int.self, forKey: .rows)
    }

    func encode(to encoder: any Encoder) throws {
        try source.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(rows, forKey: .rows)
    }
}

/// Reads a strict table line by line.
private struct StrictReading {
    let file: String
    var number = 0
    var mistakes: [TimetableError] = []
    var columns: [Column]?
    /// Rows of each source when the file was written, by its id.
    var written: [Int: Int] = [:]
    private var lines: [String: Int] = [:]

    enum Column: Hashable {
        case date, source
        case cell(TimetableColumn)
    }

    init(file: String) { self.file = file }

    mutating func read(_ bytes: ArraySlice<UInt8>, into table: inout PublishedTimetable) {
        var bytes = bytes
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        guard !bytes.allSatisfy(ASCII.isBlank) else { return }
        guard bytes.count <= 4096, let line = String(validating: bytes, as: UTF8.self) else {
            return mistake("the line is not text in UTF-8")
        }
        if line.hasPrefix("#") { return readComment(line, into: &table) }
        let cells = line.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
        guard let columns else { return readHeader(cells) }
        guard cells.count == columns.count else {
            return mistake("there are \(cells.count) cells where the header has \(columns.count) columns")
        }
        readRow(cells, columns, into: &table)
    }

    private mutating func readComment(_ line: String, into table: inout PublishedTimetable) {
        guard line.hasPrefix("# source ") else { return }
        guard let line = try? JSON.decode(SourceLine.self, from: line.dropFirst(9).utf8) else {
            return mistake("what follows \"# source\" does not say where rows come from; remove the line")
        }
        table.sources.append(line.source)
        written[line.source.id] = line.rows
    }

    private mutating func readHeader(_ cells: [Substring]) {
        var columns: [Column] = []
        for cell in cells {
            let column: Column
            switch cell.lowercased() {
            case "date": column = .date
            case "source": column = .source
            default:
                guard let known = TimetableColumn(name: cell) else {
                    let names =
                        ["date"] + TimetableColumn.events.map(\.rawValue)
                        + TimetableColumn.prayers.map { "\($0.rawValue)_iqama" } + ["jumua", "jumua_iqama"]
                    let near =
                        NearestName.of(String(cell), among: names).map { "; did you mean \($0)?" } ?? ""
                    return mistake("there is no column of that name\(near)", cell)
                }
                column = .cell(known)
            }
            guard !columns.contains(column) else { return mistake("the column is there twice", cell) }
            columns.append(column)
        }
        guard columns.contains(.date) else { return mistake("the header has no column date") }
        self.columns = columns
    }

    private mutating func readRow(
        _ cells: [Substring], _ columns: [Column], into table: inout PublishedTimetable
    ) {
        var row = PublishedTimetable.Row(cellMinutes: [:], sources: [])
        var when: Substring = ""
        for (cell, column) in zip(cells, columns) {
            switch column {
            case .date: when = cell
            case .source: row.sources = cell.split(separator: " ").compactMap { Int($0) }
            case .cell(let column):
                guard !cell.isEmpty else { continue }
                guard let minutes = ClockText.parse(cell) else {
                    return mistake("\(column.name) must be written HH:MM, 00:00 to 23:59", cell)
                }
                row.cellMinutes[column] = minutes
            }
        }
        if let first = lines[String(when)] { return mistake("the date is in line \(first) already", when) }
        lines[String(when)] = number
        if let date = CivilDate(when) {
            table.dated[date] = row
        } else if let day = MonthDay(when) {
            table.everyYear[day] = row
        } else {
            mistake("a date must be written YYYY-MM-DD and be in the calendar, or MM-DD for every year", when)
        }
    }

    private mutating func mistake(_ reason: String, _ cell: Substring? = nil) {
        mistakes.append(TimetableError(reason, file: file, line: number, cell: cell.map(String.init)))
    }
}
