import PrayerEngine
import Settings
import Texts

/// The list `iqama.change`. Each row applies from its date to its last day, or to the next row that names the same prayer.
struct IqamaChanges {
    private(set) var list: TableList

    init(_ list: TableList) { self.list = list }

    /// Sets one prayer's iqama for a period. Times of the same prayer for periods within it are removed, and a row with an
    /// equal period includes the prayer.
    mutating func set(_ prayer: Prayer, _ time: String, from: CivilDate, until: CivilDate?) {
        func isOfDays(_ row: TableList.Row) -> Bool {
            row["from"] == from.description && row["until"] == until?.description
        }
        func isWithin(_ row: TableList.Row) -> Bool {
            // Dates as text sort in the order of dates.
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
        // A row without a prayer has no effect.
        list.rows.removeAll { row in row.fields.allSatisfy { ["from", "until"].contains($0.name) } }
        let order = list.rows.enumerated().sorted {
            ($0.element["from"] ?? "", $0.offset) < ($1.element["from"] ?? "", $1.offset)
        }
        list.rows = order.map(\.element)
    }
}
