package import PrayerEngine
package import Texts

/// A mosque's rules for its congregations.
package struct IqamaSettings: Sendable, Equatable {
    package struct Change: Sendable, Equatable {
        package var from: CivilDate
        package var times: [Prayer: IqamaTime]

        package init(from: CivilDate, times: [Prayer: IqamaTime]) {
            self.from = from
            self.times = times
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
    /// Each holds until the next that names the same prayer.
    package var changes: [Change]
    /// Where several hold on a day, the last one written counts.
    package var seasons: [Season]
    package var ramadan: [Prayer: IqamaTime]

    package init(
        rules: [Prayer: IqamaRule] = [:], changes: [Change] = [], seasons: [Season] = [],
        ramadan: [Prayer: IqamaTime] = [:]
    ) {
        self.rules = rules
        self.changes = changes
        self.seasons = seasons
        self.ramadan = ramadan
    }

    package var isEmpty: Bool { rules.isEmpty && changes.isEmpty && seasons.isEmpty && ramadan.isEmpty }
}
