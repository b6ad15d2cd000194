import PrayerEngine
import Settings
import Texts

/// The list `iqama.change`: each row holds from its date on, until its last day or the next one that names the same prayer.
struct IqamaChanges {
    private(set) var list: TableList

    init(_ list: TableList) { self.list = list }

    /// Sets one prayer's iqama for the days of a row. Other times of the same prayer for days within these give way; a row with the
    /// same days takes the prayer in.
    mutating func set(_ prayer: Prayer, _ time: String, from: CivilDate, until: CivilDate?) {
        func isOfDays(_ row: TableList.Row) -> Bool {
            row["from"] == from.description && row["until"] == until?.description
        }
        func isWithin(_ row: TableList.Row) -> Bool {
            // Texts of dates are in the order of dates.
            guard let until = until?.description, let first = row["from"], let last = row["until"] else {
                return false
            }
            return from.description <= first && last <= until
        }
        for index in list.rows.indices where isOfDays(list.rows[index]) || isWithin(list.rows[index]) {
            list.rows[index].fields.removeAll { $0.name == prayer.rawValue }
        }
        let quoted = TOMLEscapes.quote(time)
        if let index = list.rows.firstIndex(where: isOfDays) {
            list.rows[index].set(prayer.rawValue, toml: quoted)
        } else {
            let days = [("from", from.description)] + (until.map { [("until", $0.description)] } ?? [])
            list.rows.append(TableList.Row(days + [(prayer.rawValue, quoted)]))
        }
        // A row that names nobody any more says nothing.
        list.rows.removeAll { row in row.fields.allSatisfy { ["from", "until"].contains($0.name) } }
        let order = list.rows.enumerated().sorted {
            ($0.element["from"] ?? "", $0.offset) < ($1.element["from"] ?? "", $1.offset)
        }
        list.rows = order.map(\.element)
    }
}
