import PrayerEngine
import Settings
import Texts

/// A cell of the file: its position and its text.
struct RawCell {
    var text: String
    var file: String
    var line: Int
    /// The header of the cell's column as written in the file.
    var header = ""

    /// The position for messages: `line 12`, with the file if several files are read.
    func place(beside other: RawCell) -> String {
        file == other.file ? "line \(line)" : "line \(line) of \"\(file)\""
    }
}

/// One day of the file, with its date and its unread cells.
struct RawDay {
    /// The year; nil if none is printed.
    var year: Int?
    var month: Int
    var day: Int
    var cells: [TimetableColumn: RawCell] = [:]
    var weekday: Int?
    var file: String
    var line: Int

    var place: String { "\(year.map { "\($0)-" } ?? "")\(month)-\(day)" }
}

/// The rows of all grids, with their dates read.
struct RawDays {
    private(set) var days: [RawDay] = []
    private let zone: Zone

    private struct Waiting {
        var reading: DateReading
        var day: RawDay
        var text: String
    }

    init(
        _ grids: [(grid: Grid, plan: ColumnPlan)], options: ImportOptions, format: FileFormat, zone: Zone
    ) throws(ImportRefusal) {
        self.zone = zone
        var waiting: [Waiting] = []
        for (grid, plan) in grids {
            for row in grid.rows {
                guard var day = try Self.day(of: row, grid, plan) else { continue }
                if let index = plan.date, plan.day == nil || plan.month == nil {
                    let text = index < row.cells.count ? row.cells[index] : ""
                    guard let reading = DateReading(text) else {
                        // A title or a footnote has no times beside it, so require two cells.
                        guard day.cells.count >= 2 else { continue }
                        throw ImportRefusal(
                            "this is not a date that is known here; write it 2026-01-31", file: grid.file,
                            line: row.line,
                            cell: text)
                    }
                    day.weekday = day.weekday ?? reading.weekday
                    waiting.append(Waiting(reading: reading, day: day, text: text))
                } else {
                    days += try Self.numbered(day, row, grid, plan)
                }
            }
        }
        guard !waiting.isEmpty else { return }
        let order = try self.order(of: waiting, options, format)
        for var one in waiting {
            guard let date = one.reading.date(order, in: zone) else {
                throw ImportRefusal(
                    "that day is not in the calendar", file: one.day.file, line: one.day.line,
                    cell: one.text)
            }
            (one.day.year, one.day.month, one.day.day) = (date.year ?? one.day.year, date.month, date.day)
            days.append(one.day)
        }
    }

    /// Reads a row with its cells; nil if it has no times.
    private static func day(
        of row: Grid.Row, _ grid: Grid, _ plan: ColumnPlan
    ) throws(ImportRefusal) -> RawDay? {
        var day = RawDay(year: grid.context.year, month: 0, day: 0, file: grid.file, line: row.line)
        for time in plan.times where time.index < row.cells.count {
            let text = row.cells[time.index]
            guard !EmptyCell.isEmpty(text), text != time.header else { continue }
            day.cells[time.column] = RawCell(
                text: text, file: grid.file, line: row.line, header: time.header)
        }
        guard !day.cells.isEmpty else { return nil }
        if let index = plan.weekday, index < row.cells.count {
            day.weekday = WeekdayNames.weekday(row.cells[index])
        }
        if let index = plan.year, index < row.cells.count,
            let year = Int(TextFolding.folded(row.cells[index]))
        {
            day.year = year
        }
        return day
    }

    /// The days of rows that are numbered within a month.
    private static func numbered(
        _ day: RawDay, _ row: Grid.Row, _ grid: Grid, _ plan: ColumnPlan
    ) throws(ImportRefusal) -> [RawDay] {
        guard let index = plan.day, index < row.cells.count else {
            if day.cells.count < 2 { return [] }
            throw ImportRefusal(
                "nothing tells the date; name its column by --column date=HEADER, or --column day=HEADER and "
                    + "--column month=HEADER", file: grid.file, line: row.line)
        }
        let text = row.cells[index]
        guard let numbers = DayNumbers(text) else {
            guard day.cells.count >= 2 else { return [] }
            throw ImportRefusal("this is not a day of a month", file: grid.file, line: row.line, cell: text)
        }
        if let first = grid.context.firstDay, grid.context.month == nil, plan.month == nil {
            return numbers.days.map { number in
                let date = first.adding(days: number - 1)
                var copy = day
                (copy.year, copy.month, copy.day) = (date.year, date.month, date.day)
                return copy
            }
        }
        var month = grid.context.month
        if let index = plan.month, index < row.cells.count { month = MonthNames.month(in: row.cells[index]) }
        guard let month else {
            throw ImportRefusal(
                "nothing tells the month; call the files 01.csv to 12.csv, or name its column by --column month=HEADER",
                file: grid.file, line: row.line, cell: text)
        }
        return try numbers.days.map { number throws(ImportRefusal) in
            guard MonthDay(month: month, day: number) != nil else {
                throw ImportRefusal(
                    number > 31
                        ? "\(number) is not a day of a month; if these are row numbers, name the day's column by --column day=HEADER"
                        : "month \(month) has no day \(number)",
                    file: grid.file, line: row.line, cell: text)
            }
            var copy = day
            (copy.month, copy.day) = (month, number)
            return copy
        }
    }

    /// Finds the only order in which all dates exist.
    private mutating func order(
        of dates: [Waiting], _ options: ImportOptions, _ format: FileFormat
    ) throws(ImportRefusal) -> DateReading.Order {
        if let order = options.dates { return order == .dayFirst ? .dayFirst : .monthFirst }
        let open = dates.filter { one in
            switch one.reading.parts {
            case .either(let a, let b, _): a != b
            case .threeShort: true
            default: false
            }
        }
        guard let first = open.first else { return .dayFirst }
        let orders = DateReading.Order.allCases.filter { order in
            isPossible(order, dates) && (order != .yearFirst || hasShort(dates))
        }
        switch orders.count {
        case 0:
            throw ImportRefusal(
                "the dates are in the calendar neither with the day first nor with the month first",
                file: first.day.file, line: first.day.line, cell: first.text)
        case 1: return orders[0]
        default: break
        }
        // The format decides by its known habits; Tawkit's own dates begin with the month.
        switch format {
        case .tawkit: return .monthFirst
        case .muis, .london, .diyanet, .kemenag, .jakim: return .dayFirst
        default: break
        }
        if first.text.contains(".") { return .dayFirst }
        let example = orders.map { order in
            let date = first.reading.date(order, in: zone)
            return date.map {
                "\($0.year.map { "\($0)-" } ?? "")\(InstantText.padded($0.month, 2))-\(InstantText.padded($0.day, 2))"
            }
                ?? ""
        }
        throw ImportRefusal(
            "this may be \(example.joined(separator: " or ")), and no date in the file settles it; say --dates day-month or --dates month-day",
            file: first.day.file, line: first.day.line, cell: first.text, asking: .dates)
    }

    private func hasShort(_ dates: [Waiting]) -> Bool {
        dates.contains { if case .threeShort = $0.reading.parts { true } else { false } }
    }

    /// Whether an order makes every date exist, and years of two digits yield no more than two different years.
    private func isPossible(_ order: DateReading.Order, _ dates: [Waiting]) -> Bool {
        var years = Set<Int>()
        for one in dates {
            guard let date = one.reading.date(order, in: zone) else { return false }
            if let year = date.year { years.insert(year) }
        }
        return !hasShort(dates) || years.count <= 2
    }
}
