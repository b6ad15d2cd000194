package import PrayerEngine
package import Texts

/// A mosque's rules for its congregations.
package struct IqamaSettings: Sendable, Equatable {
    package struct Change: Sendable, Equatable {
        package var from: CivilDate
        /// The last day; `nil`: until the next change of the prayer.
        package var until: CivilDate?
        package var times: [Prayer: IqamaTime]

        package init(from: CivilDate, until: CivilDate? = nil, times: [Prayer: IqamaTime]) {
            (self.from, self.until, self.times) = (from, until, times)
        }

        package func holds(on date: CivilDate) -> Bool {
            from <= date && until.map { date <= $0 } ?? true
        }

        /// Whether the other change overrides this one: the later beginning wins, and among equal beginnings the earlier end.
        package func precedes(_ other: Change) -> Bool {
            guard from == other.from, let end = other.until else { return from < other.from }
            return until.map { end < $0 } ?? true
        }
    }

    package struct Season: Sendable, Equatable {
        package var season: YearSeason
        package var times: [Prayer: IqamaTime]

        package init(_ season: YearSeason, times: [Prayer: IqamaTime]) {
            self.season = season
            self.times = times
        }
    }

    package var rules: [Prayer: IqamaRule]
    /// The changes. Each holds until its end, or until the next that names the same prayer.
    package var changes: [Change]
    /// The seasons. If several hold on a day, the last one written wins.
    package var seasons: [Season]
    package var ramadan: [Prayer: IqamaTime]

    package init(
        rules: [Prayer: IqamaRule] = [:], changes: [Change] = [], seasons: [Season] = [],
        ramadan: [Prayer: IqamaTime] = [:]
    ) {
        (self.rules, self.changes, self.seasons, self.ramadan) = (rules, changes, seasons, ramadan)
    }

    package var isEmpty: Bool { rules.isEmpty && changes.isEmpty && seasons.isEmpty && ramadan.isEmpty }
}
