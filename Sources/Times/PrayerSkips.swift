package import PrayerEngine
package import Texts

/// Prayers of single days that are not called, as `adhanctl skip` sets them. A skip ends with its day.
package struct PrayerSkips: Sendable, Equatable {
    private var byDate: [CivilDate: Set<Prayer>] = [:]

    /// The most skips; only a runaway program makes more.
    package static let most = 400
    /// Days after which a skip is forgotten.
    package static let daysKept = 60

    package init() {}

    package var isEmpty: Bool { byDate.isEmpty }
    package var count: Int { byDate.values.reduce(0) { $0 + $1.count } }

    package func contains(_ prayer: Prayer, on date: CivilDate) -> Bool {
        byDate[date]?.contains(prayer) == true
    }

    /// All skips by date, and in the order of prayers.
    package var all: [(date: CivilDate, prayer: Prayer)] {
        byDate.sorted { $0.key < $1.key }.flatMap { date, prayers in
            Prayer.allCases.filter(prayers.contains).map { (date, $0) }
        }
    }

    package mutating func insert(_ prayer: Prayer, on date: CivilDate) {
        byDate[date, default: []].insert(prayer)
    }

    package mutating func remove(_ prayer: Prayer, on date: CivilDate) {
        byDate[date]?.remove(prayer)
        if byDate[date]?.isEmpty == true { byDate[date] = nil }
    }

    package mutating func forget(before date: CivilDate) {
        byDate = byDate.filter { date <= $0.key }
    }
}

extension PrayerSkips {
    /// Whether a prayer of a day is skipped, under any of its names.
    package func contains(_ prayer: Prayer, on day: SiteDay) -> Bool {
        day.names(of: prayer).contains { contains($0, on: day.date) }
    }
}

extension SiteDay {
    /// The names under which a prayer of the day is skipped. On a Friday without a Dhuhr of its own Dhuhr means Jumu'ah, and a
    /// reload that adds or removes Dhuhr must not restore a skipped prayer.
    package func names(of prayer: Prayer) -> [Prayer] {
        prayer == .jumua && !prayers.contains(.dhuhr) ? [.jumua, .dhuhr] : [prayer]
    }
}
