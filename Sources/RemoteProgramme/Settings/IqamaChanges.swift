import PrayerEngine
import Settings
import Texts

/// The list `iqama.change`: each row holds from its date on, until the next one that names the same prayer.
struct IqamaChanges {
    private(set) var list: TableList

    init(_ list: TableList) { self.list = list }

    /// Sets one prayer's iqama from a date on.
    /// - Parameters:
    ///   - until: the last day of it. What begins within is part of what is replaced; afterwards holds what would hold without it.
    ///   - rule: what holds before the first row.
    mutating func set(
        _ prayer: Prayer, _ time: String, from: CivilDate, until: CivilDate?, elseBy rule: String?
    ) throws(FieldRefusal) {
        guard let until else { return put(prayer, time, on: from) }
        let next = until.adding(days: 1)
        guard let after = self.time(of: prayer, on: next) ?? rule, !after.isEmpty else {
            throw FieldRefusal(
                "until", .refused,
                reason: "No iqama of \(prayer.rawValue) would hold afterwards; set one for every day first.")
        }
        for index in list.rows.indices {
            guard let date = Self.date(of: list.rows[index]), from < date, date <= until else { continue }
            list.rows[index].fields.removeAll { $0.name == prayer.rawValue }
        }
        // A row that names nobody any more says nothing.
        list.rows.removeAll { row in row.fields.allSatisfy { $0.name == "from" } }
        put(prayer, time, on: from)
        put(prayer, after, on: next)
    }

    /// The time of a prayer that the rows have for a day.
    private func time(of prayer: Prayer, on day: CivilDate) -> String? {
        let rows = list.rows.filter { row in
            row[prayer.rawValue] != nil && Self.date(of: row).map { $0 <= day } == true
        }
        return rows.max { ($0["from"] ?? "") < ($1["from"] ?? "") }?[prayer.rawValue]
    }

    private mutating func put(_ prayer: Prayer, _ time: String, on date: CivilDate) {
        var row =
            list.rows.first { $0["from"] == date.description } ?? TableList.Row([("from", date.description)])
        row.set(prayer.rawValue, toml: TOMLEscapes.quote(time))
        list.rows.removeAll { $0["from"] == date.description }
        list.rows.append(row)
        list.rows.sort { ($0["from"] ?? "") < ($1["from"] ?? "") }
    }

    private static func date(of row: TableList.Row) -> CivilDate? { row["from"].flatMap { CivilDate($0) } }
}
