import PrayerEngine

/// A badge that can be earned. Badges are computed, so a change of an old day can take one away.
package enum Badge: String, CaseIterable, Sendable {
    case firstPrayer = "first-prayer"
    case perfectDay = "perfect-day"
    case weekWarrior = "week-warrior"
    case monthMaster = "month-master"
    case earlyBird = "early-bird"
    case consistent
    case steadfast = "steadfast"
    case thousand = "thousand"
    case seasonKeeper = "season-keeper"
    case yearKeeper = "year-keeper"
    case inTime = "in-time"
    case friday = "friday"
    case debtPaid = "debt-paid"

    package var needed: Int {
        switch self {
        case .firstPrayer, .perfectDay: 1
        case .weekWarrior, .inTime: 7
        case .monthMaster: 30
        case .earlyBird, .friday, .debtPaid: 10
        case .consistent: 50
        case .steadfast: 500
        case .thousand: 1000
        case .seasonKeeper: 90
        case .yearKeeper: 365
        }
    }
}

/// The progress of each badge.
package struct BadgeProgress: Equatable, Sendable {
    package let badge: Badge
    /// The count, at most ``Badge/needed``.
    package let count: Int
    package var isEarned: Bool { count >= badge.needed }

    package static func all(_ log: Logbook, streak: Streak) -> [BadgeProgress] {
        var tally = Tally()
        for date in log.dates { tally.add(date, log.states(on: date), isFirst: date == log.first?.date) }
        return Badge.allCases.map { badge in
            let count =
                switch badge {
                case .firstPrayer, .consistent, .steadfast, .thousand: tally.kept
                case .perfectDay: tally.perfectDays
                case .weekWarrior, .monthMaster, .seasonKeeper, .yearKeeper: streak.best
                case .earlyBird: tally.fajrOnTime
                case .inTime: tally.longestOnTime
                case .friday: tally.fridays
                case .debtPaid: tally.madeUp
                }
            return BadgeProgress(badge: badge, count: min(count, badge.needed))
        }
    }

    private struct Tally {
        var kept = 0
        var perfectDays = 0
        var fajrOnTime = 0
        var fridays = 0
        var madeUp = 0
        var longestOnTime = 0
        private var onTime = 0

        mutating func add(_ date: CivilDate, _ states: [PrayerState], isFirst: Bool) {
            let keptToday = states.count { $0.isKept }
            kept += keptToday
            madeUp += states.count { $0 == .madeUp }
            if keptToday == states.count { perfectDays += 1 }
            if states[DailyPrayer.fajr.rawValue] == .prayed { fajrOnTime += 1 }
            if date.isFriday, states[DailyPrayer.dhuhr.rawValue].isKept { fridays += 1 }
            // As with streaks, excused and open prayers neither count nor break.
            if states.allSatisfy({ $0 == .prayed }) {
                onTime += 1
                longestOnTime = max(longestOnTime, onTime)
            } else if !states.allSatisfy({
                [.prayed, .excused, .open, .upcoming].contains($0) || isFirst && $0 == .unlogged
            }) {
                onTime = 0
            }
        }
    }
}
