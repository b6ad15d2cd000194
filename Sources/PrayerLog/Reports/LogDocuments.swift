import Languages
package import PrayerEngine
package import Texts

/// `week --json`, `month --json`
package struct DaysDocument: Codable, Sendable, Equatable {
    package struct Day: Codable, Sendable, Equatable {
        package let date: String
        /// `kept`, `excused`, `frozen`, `broken`, `open` or `unlogged`.
        package let verdict: String
        /// The states by prayer: `prayed`, `late`, `made-up`, `missed`, `excused`, `open`, `upcoming` or `unlogged`.
        package let prayers: [String: String]
        package let kept: Int
    }

    package let days: [Day]
    package let streak: StreakDocument

    package init(_ log: Logbook, _ streak: Streak, dates: some Sequence<CivilDate>) {
        self.streak = StreakDocument(streak)
        days = dates.map { date in
            let states = log.states(on: date)
            return Day(
                date: date.description, verdict: streak.verdict(date, states).rawValue,
                prayers: Dictionary(
                    uniqueKeysWithValues: DailyPrayer.allCases.map { ($0.name, states[$0.rawValue].rawValue) }
                ),
                kept: states.count { $0.isKept })
        }
    }
}

/// `streak --json`
package struct StreakDocument: Codable, Sendable, Equatable {
    package let current: Int
    package let best: Int
    /// The first day of the current one.
    @Nullable package var since: String?
    package let freezes: Int
    /// Days on which a freeze was spent.
    package let frozen: [String]
    /// Kept days until the next freeze; `null` while the most are held.
    @Nullable package var untilFreeze: Int?
    /// The number of prayers of a day that suffices.
    package let goal: Int

    package init(_ streak: Streak) {
        current = streak.current
        best = streak.best
        since = streak.since?.description
        freezes = streak.freezes
        frozen = streak.frozen.map(\.description)
        untilFreeze = streak.untilFreeze
        goal = streak.goal
    }
}

/// `badges --json`
package struct BadgesDocument: Codable, Sendable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package let id: String
        package let title: String
        package let meaning: String
        package let earned: Bool
        package let count: Int
        package let needed: Int
    }

    package let badges: [Entry]

    package init(_ badges: [BadgeProgress]) {
        // Texts for programs are in the same language everywhere.
        let words = Language.english
        self.badges = badges.map {
            Entry(
                id: $0.badge.rawValue, title: words.title($0.badge), meaning: words.meaning($0.badge),
                earned: $0.isEarned, count: $0.count, needed: $0.badge.needed)
        }
    }
}

/// `stats --json`
package struct StatisticsDocument: Codable, Sendable, Equatable {
    package struct Counts: Codable, Sendable, Equatable {
        package let prayed: Int
        package let late: Int
        package let madeUp: Int
        package let missed: Int
        package let excused: Int
        package let owed: Int
        /// Percent of the owed prayers that were prayed in their time; `null` without any.
        @Nullable package var onTimePercent: Int?
        /// The median of the minutes after its beginning; `null` if no instant is known.
        @Nullable package var medianMinutes: Int?
        /// The number of prayers in each quarter of the window.
        @Nullable package var quarters: [Int]?

        init(_ counts: Statistics.Counts, _ habit: Statistics.Habit?) {
            prayed = counts.prayed
            late = counts.late
            madeUp = counts.madeUp
            missed = counts.missed
            excused = counts.excused
            owed = counts.owed
            onTimePercent = counts.percent(counts.prayed)
            medianMinutes = habit?.medianMinutes
            quarters = habit?.quarters
        }
    }

    @Nullable package var first: String?
    @Nullable package var last: String?
    package let prayers: [String: Counts]
    package let total: Counts

    package init(_ statistics: Statistics?) {
        first = statistics?.first.description
        last = statistics?.last.description
        total = Counts(statistics?.total ?? Statistics.Counts(), nil)
        prayers = Dictionary(
            uniqueKeysWithValues: DailyPrayer.allCases.map { prayer in
                (
                    prayer.name,
                    Counts(
                        statistics?.prayers[prayer.rawValue] ?? Statistics.Counts(),
                        statistics?.habits[prayer.rawValue])
                )
            })
    }
}
