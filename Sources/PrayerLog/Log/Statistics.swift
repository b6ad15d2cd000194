package import PrayerEngine

/// Figures for a period of days.
package struct Statistics: Equatable, Sendable {
    package struct Counts: Equatable, Sendable {
        package private(set) var prayed = 0
        package private(set) var late = 0
        package private(set) var madeUp = 0
        package private(set) var missed = 0
        package private(set) var excused = 0

        /// A prayer that was owed and whose state is final.
        package var owed: Int { prayed + late + madeUp + missed }

        /// Percent of the prayers that were owed, rounded; `nil` without any.
        package func percent(_ part: Int) -> Int? {
            owed == 0 ? nil : Int((Double(part) / Double(owed) * 100).rounded())
        }

        mutating func add(_ state: PrayerState) {
            switch state {
            case .prayed: prayed += 1
            case .late: late += 1
            case .madeUp: madeUp += 1
            case .missed: missed += 1
            case .excused: excused += 1
            case .upcoming, .open, .unlogged: break
            }
        }

        static func + (a: Self, b: Self) -> Self {
            var sum = a
            sum.prayed += b.prayed
            sum.late += b.late
            sum.madeUp += b.madeUp
            sum.missed += b.missed
            sum.excused += b.excused
            return sum
        }
    }

    /// The time at which a prayer was prayed within its window.
    package struct Timing: Equatable, Sendable {
        package let prayer: DailyPrayer
        /// Seconds after its beginning.
        package let secondsAfter: Int
        /// Seconds that its time lasted.
        package let lengthSeconds: Int

        package init(prayer: DailyPrayer, secondsAfter: Int, lengthSeconds: Int) {
            self.prayer = prayer
            self.secondsAfter = secondsAfter
            self.lengthSeconds = lengthSeconds
        }
    }

    /// The part of its time in which a prayer is prayed, where the instant is known.
    package struct Habit: Equatable, Sendable {
        /// The number of prayers in each quarter of the window.
        package let quarters: [Int]
        /// The median of the minutes after the beginning.
        package let medianMinutes: Int

        init?(_ timings: [Timing]) {
            guard !timings.isEmpty else { return nil }
            var quarters = [0, 0, 0, 0]
            for timing in timings {
                quarters[min(3, timing.secondsAfter * 4 / max(1, timing.lengthSeconds))] += 1
            }
            self.quarters = quarters
            medianMinutes = timings.map(\.secondsAfter).sorted()[(timings.count - 1) / 2] / 60
        }
    }

    package let first: CivilDate
    package let last: CivilDate
    /// The counts by ``DailyPrayer/rawValue``.
    package let prayers: [Counts]
    package let habits: [Habit?]
    package var total: Counts { prayers.reduce(Counts(), +) }

    /// Computes the statistics; `nil` when the log is empty or has nothing from the period.
    package init?(_ log: Logbook, timings: [Timing], from: CivilDate? = nil, through: CivilDate? = nil) {
        guard let begin = log.first?.date else { return nil }
        let first = max(from ?? begin, begin)
        let last = min(through ?? log.today.date, log.today.date)
        guard first <= last else { return nil }
        self.first = first
        self.last = last
        var prayers = [Counts](repeating: Counts(), count: 5)
        for day in first.dayNumber...last.dayNumber {
            let date = CivilDate(dayNumber: day)
            for prayer in DailyPrayer.allCases {
                prayers[prayer.rawValue].add(log.state(PrayerSlot(date, prayer)))
            }
        }
        self.prayers = prayers
        habits = DailyPrayer.allCases.map { prayer in Habit(timings.filter { $0.prayer == prayer }) }
    }
}
