import PrayerEngine
import Settings
import Texts
import Times

/// The meaning of each column of a grid.
struct ColumnPlan {
    struct Time {
        var index: Int
        var column: TimetableColumn
        var header: String
    }

    var times: [Time] = []
    var date: Int?
    var day: Int?
    var month: Int?
    var year: Int?
    var weekday: Int?
    /// The school whose column is used, where the file has both.
    var asr: AsrSchool?
    /// Whether the grid holds only congregations.
    var isIqama = false
    /// Whether ``isIqama`` is a guess.
    var isIqamaGuess = false

    init(_ grid: Grid, options: ImportOptions, school: AsrSchool) throws(ImportRefusal) {
        isIqamaGuess = !grid.context.isIqama && Self.looksLikeIqama(grid)
        isIqama = grid.context.isIqama || isIqamaGuess
        var assigned = try assignNamed(grid, options)
        try findTimes(grid, options, school, &assigned)
        findDates(grid, assigned)
        guard !times.isEmpty else {
            throw ImportRefusal(
                "no header names a time such as Fajr; name the columns by --column fajr=HEADER",
                file: grid.file, line: grid.headerLine)
        }
    }

    /// Guesses from the columns whether a file holds congregations, which have no sunrise.
    private static func looksLikeIqama(_ grid: Grid) -> Bool {
        let names = grid.headers.map { TextFolding.words($0).joined() }
        let base = TextFolding.words(grid.file).joined(separator: " ")
        let namesIqama = ["iqama", "iqamah", "jamaat", "jamah", "jamaah"].contains { base.contains($0) }
        let meanings = grid.headers.compactMap { HeaderWords.column(of: $0, isIqama: false) }
        guard !meanings.contains(where: \.isExplicit) else { return false }
        guard !meanings.contains(where: { $0.event == .sunrise }) else { return false }
        return namesIqama || names.suffix(5) == ["fajr", "duhr", "asr", "maghrib", "isha"]
    }

    /// Assigns the columns that a person named; the others are searched for the rest.
    private mutating func assignNamed(
        _ grid: Grid, _ options: ImportOptions
    ) throws(ImportRefusal) -> Set<Int> {
        var assigned = Set<Int>()
        for (name, header) in options.columns.sorted(by: { $0.key < $1.key }) {
            let wanted = TextFolding.folded(header)
            guard
                let index = grid.headers.firstIndex(of: header)
                    ?? grid.headers.firstIndex(where: { TextFolding.folded($0) == wanted })
            else { continue }
            assigned.insert(index)
            switch name {
            case "date": date = index
            case "day": day = index
            case "month": month = index
            case "year": year = index
            default:
                guard let column = TimetableColumn(name: name) else { continue }
                times.append(Time(index: index, column: column, header: grid.headers[index]))
            }
        }
        return assigned
    }

    private mutating func findTimes(
        _ grid: Grid, _ options: ImportOptions, _ school: AsrSchool, _ assigned: inout Set<Int>
    ) throws(ImportRefusal) {
        var found: [(index: Int, meaning: HeaderWords.Meaning)] = []
        for (index, header) in grid.headers.enumerated() where !assigned.contains(index) {
            guard let meaning = HeaderWords.column(of: header, isIqama: isIqama), !isBlank(index, grid) else {
                continue
            }
            found.append((index, meaning))
        }
        // Headers such as fajr1 and fajr2 mean the adhan and its congregation.
        let isNumbered = found.contains { one in
            one.meaning.number == 1 && !one.meaning.isExplicit && one.meaning.event != .asr
                && found.contains { $0.meaning.number == 2 && $0.meaning.event == one.meaning.event }
        }
        for index in found.indices where isNumbered && !found[index].meaning.isExplicit {
            if found[index].meaning.number == 2 { found[index].meaning.role = .iqama }
            found[index].meaning.number = nil
        }
        let named = Set(times.map(\.column))
        var columns: [TimetableColumn: [(index: Int, meaning: HeaderWords.Meaning)]] = [:]
        for one in found {
            assigned.insert(one.index)
            guard let column = Self.column(one.meaning), !named.contains(column) else { continue }
            columns[column, default: []].append(one)
        }
        // In Turkish tables imsak is the beginning of Fajr.
        if columns[.begins(.fajr)] == nil, !named.contains(.begins(.fajr)),
            let imsak = columns[.begins(.imsak)],
            columns[.begins(.sunrise)] != nil
        {
            columns[.begins(.fajr)] = imsak
            columns[.begins(.imsak)] = nil
        }
        for (column, candidates) in columns.sorted(by: { $0.key < $1.key }) {
            let chosen = try choose(candidates, for: column, grid, options, school)
            times.append(Time(index: chosen, column: column, header: grid.headers[chosen]))
        }
        times.sort { $0.column < $1.column }
    }

    private func isBlank(_ index: Int, _ grid: Grid) -> Bool {
        !grid.rows.contains { index < $0.cells.count && !EmptyCell.isEmpty($0.cells[index]) }
    }

    static func column(_ meaning: HeaderWords.Meaning) -> TimetableColumn? {
        switch meaning.role {
        case .begins: return .begins(meaning.event)
        case .jumua:
            let slot = meaning.number ?? 1
            return meaning.isExplicit ? .jumuaIqama(slot: slot) : .khutba(slot: slot)
        case .iqama:
            guard let prayer = TimetableColumn.prayers.first(where: { $0.event == meaning.event }) else {
                return nil
            }
            return .iqama(prayer, slot: meaning.number ?? 1)
        }
    }

    private mutating func choose(
        _ candidates: [(index: Int, meaning: HeaderWords.Meaning)], for column: TimetableColumn, _ grid: Grid,
        _ options: ImportOptions, _ school: AsrSchool
    ) throws(ImportRefusal) -> Int {
        guard candidates.count > 1 else { return candidates[0].index }
        if column == .begins(.asr) {
            let wanted = options.asr ?? school
            let fitting = candidates.filter {
                ($0.meaning.school ?? ($0.meaning.number == 2 ? .hanafi : .standard)) == wanted
            }
            if fitting.count == 1 {
                asr = wanted
                return fitting[0].index
            }
        }
        let names = candidates.map { grid.headers[$0.index] }
        if Set(names).count < names.count {
            throw ImportRefusal(
                "the header \"\(TimetableError.excerpt(names[0]))\" is there \(names.count) times; rename all but the one that is \(column.name)",
                file: grid.file, line: grid.headerLine)
        }
        let headers = names.map { "\"\(TimetableError.excerpt($0))\"" }.joined(separator: " and ")
        throw ImportRefusal(
            "\(headers) could both be \(column.name); say which by --column \(column.name)=HEADER",
            file: grid.file, line: grid.headerLine, asking: column == .begins(.asr) ? .asr : nil)
    }

    /// Finds a column with an unknown header that is full of dates with their years.
    private mutating func findUnnamedDate(_ grid: Grid, _ assigned: Set<Int>) {
        date = grid.headers.indices.first { index in
            guard !assigned.contains(index), HeaderWords.other(grid.headers[index]) == .ignored else {
                return false
            }
            let cells = grid.rows.prefix(70).compactMap { index < $0.cells.count ? $0.cells[index] : nil }
            let dates = cells.count { cell in
                guard let parts = DateReading(cell)?.parts else { return false }
                switch parts {
                case .date(let year?, _, _), .either(_, _, year: let year?):
                    return (1900...2200).contains(year)
                default: return false
                }
            }
            return !cells.isEmpty && dates * 10 >= cells.count * 8
        }
    }

    private mutating func findDates(_ grid: Grid, _ assigned: Set<Int>) {
        let hasMonth =
            grid.context.month != nil || grid.context.firstDay != nil
            || grid.headers.contains { HeaderWords.other($0) == .month }
        for (index, header) in grid.headers.enumerated() where !assigned.contains(index) {
            let role = HeaderWords.other(header)
            guard role != .hijri else { continue }
            let cells = grid.rows.prefix(70).compactMap { row in
                index < row.cells.count && !row.cells[index].isEmpty ? row.cells[index] : nil
            }
            guard !cells.isEmpty else { continue }
            func most(_ test: (String) -> Bool) -> Bool { cells.count(where: test) * 10 >= cells.count * 8 }
            if role == .month, month == nil {
                month = index
            } else if role == .year, year == nil {
                year = index
            } else if most({ WeekdayNames.weekday($0) != nil }) {
                if weekday == nil { weekday = index }
            } else if role == .date || role == .day, hasMonth, most({ DayNumbers($0) != nil }) {
                if day == nil { day = index }
            } else if role == .date || role == .day, most({ Int(TextFolding.folded($0)) != nil }), day == nil
            {
                day = index
            } else if role == .date || role == .day, most({ DateReading($0) != nil }), date == nil {
                date = index
            }
        }
        if date == nil, day == nil { findUnnamedDate(grid, assigned) }
        // Prefer a full date to a day number beside it.
        if date != nil, month == nil { day = nil }
    }
}

/// The days of a row: `7`, or `5-9` if one row is for several days.
struct DayNumbers {
    let days: ClosedRange<Int>

    init?(_ text: String) {
        let parts = TextFolding.folded(text).split {
            "-–—".unicodeScalars.contains($0.unicodeScalars.first ?? " ")
        }
        .map { $0.trimmed }
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count, (1...2).contains(numbers.count), let first = numbers.first,
            let last = numbers.last, first <= last, numbers.count == 1 || last <= 31
        else { return nil }
        days = first...last
    }
}
