package import PrayerEngine

/// The verdict on a day for the streak.
package enum DayVerdict: String, Sendable {
    /// The day has the prayers of the goal, on time or late.
    case kept
    /// Fewer, but the missing ones were not owed: the day neither counts nor breaks the streak.
    case excused
    /// Fewer; a freeze was spent, and the streak continues.
    case frozen
    case broken
    /// The day is not over yet.
    case open
    /// The day has no entry. It is neither a failure nor a day of the streak. Nothing is expected of the day on which the log
    /// begins.
    case unlogged
}

/// The streak of completed days. It is computed from the log every time, so that a later change of a day changes it.
package struct Streak: Equatable, Sendable {
    /// The number of prayers of a day that suffices, 1...5.
    package let goal: Int
    package private(set) var current = 0
    package private(set) var best = 0
    /// Freezes that are held.
    package private(set) var freezes = 0
    /// Days on which one was spent.
    package private(set) var frozen: [CivilDate] = []
    /// The first day of the current streak.
    package private(set) var since: CivilDate?
    /// Kept days until the next freeze is earned; `nil` while the most are held.
    package var untilFreeze: Int? {
        freezes < Self.mostFreezes ? Self.keptPerFreeze - kept % Self.keptPerFreeze : nil
    }
    private var kept = 0

    package static let keptPerFreeze = 7
    package static let mostFreezes = 2

    package init(_ log: Logbook, goal: Int = 5) {
        self.goal = goal
        for date in log.dates {
            var verdict = Self.verdict(log.states(on: date), goal: goal)
            if verdict == .unlogged, date != log.first?.date { verdict = .broken }
            add(date, verdict)
        }
    }

    /// The verdict on a day, without freezes.
    package static func verdict(_ states: [PrayerState], goal: Int) -> DayVerdict {
        let kept = states.count { $0.isKept }
        if kept >= goal { return .kept }
        if states.contains(where: { $0 == .open || $0 == .upcoming }) { return .open }
        let excused = states.count { $0 == .excused }
        let unknown = states.count { $0 == .unlogged }
        if kept + excused + unknown < goal { return .broken }
        return unknown > 0 ? .unlogged : .excused
    }

    /// The verdict on the day, with the freezes spent on it.
    package func verdict(_ date: CivilDate, _ states: [PrayerState]) -> DayVerdict {
        let verdict = Self.verdict(states, goal: goal)
        return [.broken, .unlogged].contains(verdict) && frozen.contains(date) ? .frozen : verdict
    }

    private mutating func add(_ date: CivilDate, _ verdict: DayVerdict) {
        switch verdict {
        case .kept:
            if current == 0 { since = date }
            current += 1
            best = max(best, current)
            kept += 1
            if kept % Self.keptPerFreeze == 0 { freezes = min(freezes + 1, Self.mostFreezes) }
        case .broken where freezes > 0 && current > 0:
            freezes -= 1
            frozen.append(date)
        case .broken:
            current = 0
            since = nil
        case .excused, .open, .frozen, .unlogged: break
        }
    }
}
