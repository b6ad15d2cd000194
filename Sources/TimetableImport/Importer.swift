package import PrayerEngine
import Settings
import Texts
package import Times

/// Converts files to a strict table. All guesses are made here and reported.
package struct Importer {
    let options: ImportOptions
    let site: Site
    let today: CivilDate
    var remarks: [String] = []

    /// Reads files as one table. Nothing is saved.
    package static func run(
        _ files: [ImportFile], options: ImportOptions, site: Site, today: CivilDate
    ) throws(ImportRefusal) -> ImportResult {
        var importer = Importer(options: options, site: site, today: today)
        var all: [ImportFile] = []
        for file in files {
            if let refusal = ForeignFile.refusal(of: file) { throw refusal }
            if ZipArchive.isZip(file.bytes) { all += try ZipArchive.files(file) } else { all.append(file) }
        }
        guard all.count <= ZipArchive.mostEntries else {
            throw ImportRefusal(
                "there are \(all.count) files; \(ZipArchive.mostEntries) are allowed", file: all[0].name)
        }
        guard !all.isEmpty else { throw ImportRefusal("no file is given", file: "") }
        if let strict = try importer.strict(all) { return strict }
        return try importer.understand(all)
    }

    /// Reads the strict form, without guessing. A strict file with mistakes, such as a spreadsheet's dates, is read like any
    /// other.
    private func strict(_ files: [ImportFile]) throws(ImportRefusal) -> ImportResult? {
        guard options.format == nil || options.format == .adhand, files.count == 1, options.columns.isEmpty,
            options.year == nil, options.clock ?? .local == .local
        else { return nil }
        var table: PublishedTimetable
        do throws(TimetableErrors) {
            table = try PublishedTimetable(csv: files[0].bytes, file: files[0].name)
        } catch {
            guard options.format == .adhand, let first = error.mistakes.first else { return nil }
            throw ImportRefusal(first)
        }
        table.sources = []
        table.dated = table.dated.mapValues { .init(cellMinutes: $0.cellMinutes, sources: []) }
        table.everyYear = table.everyYear.mapValues { .init(cellMinutes: $0.cellMinutes, sources: []) }
        guard !table.isEmpty else { throw ImportRefusal("there is no row in the table", file: files[0].name) }
        var columns: [String: String] = [:]
        for column in table.columns { columns[column.name] = column.name }
        return result(
            table, format: .adhand, clock: .local, hours: 24, asr: options.asr,
            columns: columns,
            extra: [])
    }

    private mutating func understand(_ files: [ImportFile]) throws(ImportRefusal) -> ImportResult {
        var grids: [Grid] = []
        for file in files { grids += try Self.grids(of: file) }
        try checkNamedColumns(grids)
        let format = try format(of: grids)
        var planned: [(grid: Grid, plan: ColumnPlan)] = []
        for grid in grids {
            planned.append((grid, try ColumnPlan(grid, options: options, school: site.calculation.asr)))
        }
        let raw = try RawDays(planned, options: options, format: format, zone: site.zone)
        guard !raw.days.isEmpty else {
            throw ImportRefusal("there is no row with a date and times in it", file: files[0].name)
        }
        let plans = planned.map(\.plan)
        let asr = plans.compactMap(\.asr).first
        if let asr {
            remarks.append(
                options.asr == nil
                    ? "of the two Asr columns, the \(asr.rawValue) one is taken, as configured; --asr says otherwise"
                    : "of the two Asr columns, the \(asr.rawValue) one is taken")
        }
        if plans.contains(where: \.isIqamaGuess) {
            remarks.append("the times without a sunrise beside them are read as iqama")
        }
        var columns: [String: String] = [:]
        for plan in plans.reversed() { for time in plan.times { columns[time.column.name] = time.header } }
        for grid in grids {
            for friday in grid.context.fridays {
                if let column = friday.column { columns[column.name] = friday.header }
            }
        }
        var clocks = ClockNormalizer(
            raw.days, options: options, site: site, today: today,
            fridays: grids.flatMap(\.context.fridays))
        let worked = try clocks.work()
        remarks += clocks.remarks
        return result(
            worked.table, format: format, clock: clocks.clock, hours: clocks.hours,
            asr: options.asr ?? asr, columns: columns, extra: clocks.findings, days: worked.days)
    }

    private func result(
        _ table: PublishedTimetable, format: FileFormat, clock: TimetableClock, hours: Int,
        asr: AsrSchool?, columns: [String: String], extra: [TimetableFinding], days: [PublishedDay]? = nil
    ) -> ImportResult {
        let days = days ?? TimetableCheck.days(of: table, in: site.zone, year: today.year)
        let findings =
            extra + SunCheck(days, site: site, asr: asr).findings()
            + TimetableCheck.dateFindings(table, today: today, missing: site.times.mosque.missing)
        let years = Set(table.dated.keys.map(\.year))
        return ImportResult(
            table: table, format: format, clock: clock, hours: hours,
            year: !table.everyYear.isEmpty ? .every : years.count == 1 ? years.first.map { .of($0) } : nil,
            asr: asr, columns: columns, days: table.dated.count + table.everyYear.count,
            missing: TimetableCheck.missing(in: table),
            findings: findings.enumerated().sorted {
                ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
            }
            .map(\.element),
            remarks: remarks)
    }

    private static func grids(of file: ImportFile) throws(ImportRefusal) -> [Grid] {
        let text = try TextDecoding.text(of: file)
        let first = text.utf8.first { !ASCII.isBlank($0) && $0 != 0x0A && $0 != 0x0D }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            return try JSONShapes.grids(of: text, file: file.name)
        }
        if TawkitText.isTawkit(text) { return [try TawkitText.grid(of: text, file: file.name)] }
        return [try DelimitedText.grid(of: text, file: file.name)]
    }

    private func checkNamedColumns(_ grids: [Grid]) throws(ImportRefusal) {
        let headers = grids.flatMap(\.headers)
        for (name, header) in options.columns {
            let wanted = TextFolding.folded(header)
            guard !headers.contains(where: { $0 == header || TextFolding.folded($0) == wanted }) else {
                continue
            }
            let near = NearestName.of(header, among: headers).map { "; did you mean \"\($0)\"?" } ?? ""
            throw ImportRefusal(
                "there is no column \"\(TimetableError.excerpt(header))\" for \(name)\(near)",
                file: grids[0].file,
                line: grids[0].headerLine)
        }
    }

    private func format(of grids: [Grid]) throws(ImportRefusal) -> FileFormat {
        let recognised = Self.recognise(grids)
        guard let named = options.format, named != recognised else { return recognised }
        // Accept any format name of the same kind if the content does not identify its format.
        let isJSON = [.json, .mawaqitJSON, .london, .jakim, .kemenag, .diyanet, .masjidal, .myMasjid]
            .contains(recognised)
        let kin: [FileFormat] =
            isJSON
            ? [.json, .london, .jakim, .kemenag, .diyanet, .masjidal, .myMasjid]
            : recognised == .tawkit
                ? [] : [.csv, .tsv, .muis, .london, .masjidal, .mawaqitYear, .dailyPrayerTime, .adhand]
        guard kin.contains(named) else {
            throw ImportRefusal(
                "this does not look like \(named.rawValue), but like \(recognised.rawValue); leave --format out",
                file: grids[0].file, line: grids[0].headerLine)
        }
        return named
    }

    private static func recognise(_ grids: [Grid]) -> FileFormat {
        if let known = grids.compactMap(\.format).first(where: { $0 != .tsv }) { return known }
        let grid = grids[0]
        guard grid.headerLine != nil else { return .json }
        let names = grid.headers.map { TextFolding.words($0).joined() }
        let isMawaqit = ["fajr", "duhr", "asr", "maghrib", "isha"].allSatisfy(names.contains)
        if names.first == "day", isMawaqit, grid.context.month != nil { return .mawaqit }
        if names.starts(with: ["month", "day"]), isMawaqit { return .mawaqitYear }
        if names.contains("ddate"), names.contains("fajrbegins") { return .dailyPrayerTime }
        if names.contains("fajrbegins") { return .london }
        if ["subuh", "syuruk", "zohor", "asar"].allSatisfy(names.contains) { return .muis }
        if names == ["date", "fajr", "sunrise", "zuhr", "asr", "maghrib", "isha"] { return .masjidal }
        return grid.format ?? .csv
    }
}
