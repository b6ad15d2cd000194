package import PrayerEngine

/// How a prayer stands: what was marked, or what its time says where nothing was.
package enum PrayerState: String, Sendable, CaseIterable {
    case upcoming, open, prayed, late
    case madeUp = "made-up"
    case missed, excused
    /// Before the log begins.
    case unlogged

    init(_ status: MarkStatus) {
        self =
            switch status {
            case .prayed: .prayed
            case .late: .late
            case .madeUp: .madeUp
            case .missed: .missed
            case .excused: .excused
            }
    }

    /// Whether it counts for a kept day: prayed on its day.
    package var isKept: Bool { self == .prayed || self == .late }
}

/// The log as a whole, at one moment: every prayer's state. That a prayer was missed is reckoned here whenever somebody looks;
/// nothing has to run when its time ends.
package struct Logbook: Sendable {
    package let today: Today
    /// The first and the last prayer that are marked.
    package let first: PrayerSlot?
    package let last: PrayerSlot?
    /// A ``MarkStatus`` or 0 for every prayer from the first marked day on.
    private let statuses: [UInt8]
    private let firstDay: Int

    /// Days that entries can be of; what is of another was not written by anybody.
    package static func days(through today: CivilDate) -> ClosedRange<Int> {
        let first = CivilDate(year: Marking.firstYear, month: 1, day: 1)?.dayNumber ?? 0
        // The zone of the place may have changed since: tomorrow somewhere is today elsewhere.
        return first...max(first, today.dayNumber + 1)
    }

    /// - Parameter marks: the numbers ``packed(_:_:)`` makes, in any order; of two for one prayer the later one counts. Those of
    ///   days that no entry can be of are left out: there is a place for every day from the first to the last.
    package init(packed marks: [Int], today: Today) {
        self.today = today
        let days = Self.days(through: today.date)
        let marks = marks.filter { days.contains(Self.day($0 >> 3)) }
        guard let (lowest, highest) = Self.range(marks) else {
            (first, last, statuses, firstDay) = (nil, nil, [], 0)
            return
        }
        let (low, high) = (lowest >> 3, highest >> 3)
        firstDay = Self.day(low)
        var statuses = [UInt8](repeating: 0, count: (Self.day(high) - firstDay + 1) * 5)
        for mark in marks { statuses[(mark >> 3) - firstDay * 5] = UInt8(mark & 7) }
        self.statuses = statuses
        first = Self.slot(low)
        last = Self.slot(high)
    }

    private static func range(_ marks: [Int]) -> (lowest: Int, highest: Int)? {
        guard var lowest = marks.first else { return nil }
        var highest = lowest
        for mark in marks {
            if mark < lowest { lowest = mark }
            if highest < mark { highest = mark }
        }
        return (lowest, highest)
    }

    package init(_ marks: [Mark], today: Today) {
        self.init(packed: marks.map { Self.packed($0.slot, $0.status) }, today: today)
    }

    /// A mark as one number: what the file is asked for, because twenty years are 36,500 of them.
    package static func packed(_ slot: PrayerSlot, _ status: MarkStatus) -> Int {
        slot.index << 3 | status.rawValue
    }

    package func state(_ slot: PrayerSlot) -> PrayerState {
        let index = slot.index - firstDay * 5
        if statuses.indices.contains(index), let status = MarkStatus(rawValue: Int(statuses[index])) {
            return PrayerState(status)
        }
        switch today.phase(slot) {
        case .upcoming: return .upcoming
        case .open: return .open
        case .over: return first.map { $0 < slot } == true ? .missed : .unlogged
        }
    }

    package func states(on date: CivilDate) -> [PrayerState] {
        DailyPrayer.allCases.map { state(PrayerSlot(date, $0)) }
    }

    /// The dates from the log's first to today; none when nothing is marked.
    package var dates: some Collection<CivilDate> {
        let range =
            first.map { $0.date.dayNumber..<max($0.date.dayNumber, today.date.dayNumber) + 1 } ?? 0..<0
        return range.lazy.map { CivilDate(dayNumber: $0) }
    }

    private static func day(_ index: Int) -> Int { (index - index % 5 - (index % 5 < 0 ? 5 : 0)) / 5 }

    private static func slot(_ index: Int) -> PrayerSlot? {
        let day = day(index)
        return DailyPrayer(rawValue: index - day * 5).map { PrayerSlot(CivilDate(dayNumber: day), $0) }
    }
}
