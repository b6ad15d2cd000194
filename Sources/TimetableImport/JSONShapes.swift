import PrayerEngine
import Settings
import Texts
import Times

/// Finds the tables in a JSON document: arrays of objects, objects of objects by date, and arrays of times by day.
struct JSONShapes {
    private let file: String
    /// The tables by their paths; the months of a year share one path.
    private var found: [(path: String, grid: Grid)] = []

    static func grids(of text: String, file: String) throws(ImportRefusal) -> [Grid] {
        let document = try JSONReader.read(text, file: file)
        var shapes = JSONShapes(file: file)
        var context = Grid.Context()
        context.month = MonthNames.month(ofFile: file.split(separator: "/").last.map(String.init) ?? file)
        shapes.visit(document, path: [], context: context, inherited: [])
        let chosen = shapes.longest(isIqama: false) + shapes.longest(isIqama: true)
        guard !chosen.isEmpty else {
            throw ImportRefusal(
                "no list of days with times such as fajr and maghrib is in the JSON; name them by --column",
                file: file)
        }
        let format = Self.format(of: text)
        return chosen.map { grid in
            var grid = grid
            grid.format = format ?? grid.format
            return grid
        }
    }

    private init(file: String) { self.file = file }

    private func longest(isIqama: Bool) -> [Grid] {
        let groups = Dictionary(grouping: found.filter { $0.grid.context.isIqama == isIqama }, by: \.path)
        let best = groups.values.max { a, b in
            let (x, y) = (a.reduce(0) { $0 + $1.grid.rows.count }, b.reduce(0) { $0 + $1.grid.rows.count })
            return x != y ? x < y : a[0].path > b[0].path
        }
        return best?.map(\.grid) ?? []
    }

    private mutating func visit(
        _ node: JSONNode, path: [String], context: Grid.Context, inherited: [(key: String, text: String)]
    ) {
        switch node {
        case .scalar: return
        case .array(let elements, _): visit(elements, path: path, context: context, inherited: inherited)
        case .object(let members, let line):
            let context = Self.context(context, of: members)
            let scalars = members.compactMap { member in
                member.value.text.map { (key: member.key, text: $0) }
            }
            if let grid = timesByDay(members, context) { return found.append((Self.way(path), grid)) }
            if let grid = objectsByDate(members, context) {
                return found.append((Self.way(path), grid))
            }
            if scalars.count(where: { HeaderWords.column(of: $0.key, isIqama: false) != nil }) >= 3 {
                // A single day has its date in the members around it.
                let row = inherited.filter { other in !scalars.contains { $0.key == other.key } } + scalars
                found.append(
                    (
                        Self.way(path),
                        Grid(
                            file: file, headers: row.map(\.key),
                            rows: [Grid.Row(line: line, cells: row.map(\.text))], context: context)
                    ))
            }
            for member in members {
                var inside = context
                if let month = MonthNames.month(in: member.key), !member.key.allSatisfy(\.isNumber) {
                    inside.month = month
                }
                inside.isIqama = context.isIqama || Self.meansIqama(member.key)
                visit(
                    member.value, path: path + [member.key], context: inside,
                    inherited: inherited + scalars.filter { $0.key.lowercased().contains("date") })
            }
        }
    }

    private mutating func visit(
        _ elements: [JSONNode], path: [String], context: Grid.Context,
        inherited: [(key: String, text: String)]
    ) {
        let objects = elements.compactMap(\.members)
        let isTable =
            objects.count == elements.count && !objects.isEmpty
            && objects.prefix(3).allSatisfy { members in
                members.count { $0.value.isScalar && HeaderWords.column(of: $0.key, isIqama: false) != nil }
                    >= 2
            }
        guard !isTable else {
            var headers: [String] = []
            for key in objects.prefix(3).joined().map(\.key) where !headers.contains(key) {
                headers.append(key)
            }
            let rows = zip(elements, objects).map { element, members in
                Grid.Row(line: element.line, cells: headers.map { Self.text($0, in: members) })
            }
            return found.append(
                (
                    Self.way(path), Grid(file: file, headers: headers, rows: rows, context: context)
                ))
        }
        for (index, element) in elements.enumerated() {
            var inside = context
            let isCalendar = path.last?.lowercased().hasSuffix("calendar") ?? false
            if elements.count == 12 || (isCalendar && elements.count < 12) { inside.month = index + 1 }
            visit(element, path: path + ["#"], context: inside, inherited: inherited)
        }
    }

    private static func text(_ key: String, in members: [JSONNode.Member]) -> String {
        guard let value = members.first(where: { $0.key == key })?.value else { return "" }
        return value.text.map { String(Substring($0).trimmed) } ?? ""
    }

    /// Reads `{"2026-09-01": {…}, …}`
    private func objectsByDate(_ members: [JSONNode.Member], _ context: Grid.Context) -> Grid? {
        let rows = members.compactMap { member in member.value.members.map { (member, $0) } }
        guard rows.count == members.count, !rows.isEmpty,
            rows.prefix(3).allSatisfy({ row in
                DateReading(row.0.key) != nil
                    && row.1.count { HeaderWords.column(of: $0.key, isIqama: false) != nil } >= 2
            })
        else { return nil }
        var headers = ["date"]
        for key in rows.prefix(3).map(\.1).joined().map(\.key)
        where !headers.contains(key) && key.lowercased() != "date" { headers.append(key) }
        return Grid(
            file: file, headers: headers,
            rows: rows.map { member, inside in
                Grid.Row(
                    line: member.value.line,
                    cells: [member.key] + headers.dropFirst().map { Self.text($0, in: inside) })
            }, context: context)
    }

    /// Reads `{"1": ["05:27", …], "2": […]}`
    private func timesByDay(_ members: [JSONNode.Member], _ context: Grid.Context) -> Grid? {
        let rows = members.compactMap { member -> (Int, JSONNode, [String])? in
            guard let day = Int(member.key), (1...31).contains(day),
                let times = member.value.elements?.map({ $0.text ?? "" }), (5...8).contains(times.count)
            else { return nil }
            return (day, member.value, times)
        }
        guard rows.count == members.count, let count = rows.first?.2.count,
            rows.allSatisfy({ $0.2.count == count })
        else { return nil }
        var grid = Grid(
            file: file, headers: ["day"] + Self.order(of: rows.map(\.2)),
            rows: rows.map { Grid.Row(line: $0.1.line, cells: [String($0.0)] + $0.2) }, context: context)
        grid.format = .mawaqitJSON
        if grid.context.month == nil { grid.context.month = 1 }
        return grid
    }

    private static func order(of rows: [[String]]) -> [String] {
        let six = ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"]
        switch rows[0].count {
        case 5: return ["fajr", "dhuhr", "asr", "maghrib", "isha"]
        case 6: return six
        case 7:
            // Imsak is minutes before fajr. If the first two times are further apart, the third is in the forenoon.
            let gaps = rows.compactMap { row -> Double? in
                guard let a = ClockText.parse(row[0]), let b = ClockText.parse(row[1]) else { return nil }
                return Double(b - a)
            }
            return (Median.of(gaps) ?? 0) > 30
                ? ["fajr", "sunrise", "forenoon"] + six[2...] : ["imsak"] + six
        default: return six + (6..<rows[0].count).map { "column \($0 + 1)" }
        }
    }

    /// The values of the members beside a table.
    private static func context(
        _ outer: Grid.Context, of members: [JSONNode.Member]
    ) -> Grid.Context {
        var context = outer
        for member in members {
            guard let text = member.value.text else { continue }
            let key = TextFolding.words(member.key).joined()
            switch key {
            case "month", "monthname":
                context.month = MonthNames.month(in: text) ?? context.month
                if let year = TextFolding.words(text).compactMap({ Int($0) }).first(where: {
                    (1970...2200).contains($0)
                }) {
                    context.year = year
                }
            case "year": context.year = Int(text) ?? context.year
            case "gregorianstart", "start", "startdate":
                guard let start = CivilDate(text) else { continue }
                context.year = start.year
                context.firstDay = start
            default:
                if HeaderWords.column(of: member.key, isIqama: false)?.role == .jumua,
                    !EmptyCell.isEmpty(text)
                {
                    context.fridays.append(
                        .init(
                            header: member.key, text: text, line: member.value.line, isIqama: outer.isIqama))
                }
            }
        }
        return context
    }

    private static func meansIqama(_ key: String) -> Bool {
        TextFolding.words(key).contains { word in
            ["iqama", "iqamah", "iqamas", "jamaat", "jamah", "jamaah", "jamat"].contains(word)
                || word.hasPrefix("iqama")
        }
    }

    /// The path to a table, without the parts that number or name its month.
    private static func way(_ path: [String]) -> String {
        path.map { part in
            part.allSatisfy(\.isNumber) || MonthNames.month(in: part) != nil || DateReading(part) != nil
                ? "#" : part
        }.joined(separator: "/")
    }

    private static func format(of text: String) -> FileFormat? {
        func has(_ word: String) -> Bool { text.contains("\"\(word)\"") }
        if has("salahTimings") { return .myMasjid }
        if has("prayerTime") { return .jakim }
        if has("MiladiTarihKisa") || has("MiladiTarihKisaIso8601") { return .diyanet }
        if has("tanggal"), has("dzuhur") { return .kemenag }
        if has("salah"), has("iqamah") || has("iqama") { return .masjidal }
        if has("fajr_jamat") || has("Fajr Begins") || has("magrib_jamat") { return .london }
        if has("calendar"), has("iqamaCalendar") || has("shuruq") || has("jumua") { return .mawaqitJSON }
        return nil
    }
}
