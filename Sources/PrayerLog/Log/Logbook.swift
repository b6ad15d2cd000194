package import PrayerEngine

/// A prayer's state: its mark, or without one its time.
package enum PrayerState: String, Sendable, CaseIterable {
    case upcoming, open, prayed, late
    case madeUp = "made-up"
    case missed, excused
    /// The day is before the beginning of the log.
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

/// The whole log at one moment: every prayer's state. A missed prayer is computed whenever the log is read,
/// so nothing has to run when a prayer's time ends.
///
/// A prayer counts as missed if it has no mark although another prayer of its day has one, once the person marks prayers here.
/// Days without a mark, days that are only excused, and the time before are unknown.
package struct Logbook: Sendable {
    package let today: Today
    /// The first and the last prayer that are marked.
    package let first: PrayerSlot?
    package let last: PrayerSlot?
    /// The first entry that was marked here and not imported from a file.
    private let begin: PrayerSlot?
    /// A ``MarkStatus`` or 0 for every prayer from the first marked day on.
    private let statuses: [UInt8]
    private let firstDay: Int

    /// The range of days that entries may have, because entries of other days were not made by a person. Excuses may be for
    /// future days.
    package static func days(through today: CivilDate, isExcuse: Bool = false) -> ClosedRange<Int> {
        let first = CivilDate(year: Marking.firstYear, month: 1, day: 1)?.dayNumber ?? 0
        // The zone of the place may have changed since, and tomorrow's date may already be today's in another zone.
        return first...max(first, today.dayNumber + 1 + (isExcuse ? Marking.mostDays : 0))
    }

    /// - Parameter marks: the numbers ``packed(_:_:isImported:)`` makes, in any order; of two for one prayer the later one
    ///   counts. Entries of impossible days are left out: there is a place for every day from the first to the last.
    package init(packed marks: [Int], today: Today) {
        self.today = today
        let days = [false, true].map { Self.days(through: today.date, isExcuse: $0) }
        let excused = MarkStatus.excused.rawValue
        let marks = marks.filter { days[$0 & 7 == excused ? 1 : 0].contains(Self.day($0 >> 4)) }
        guard let (lowest, highest) = Self.range(marks) else {
            (first, last, begin, statuses, firstDay) = (nil, nil, nil, [], 0)
            return
        }
        let (low, high) = (lowest >> 4, highest >> 4)
        firstDay = Self.day(low)
        var statuses = [UInt8](repeating: 0, count: (Self.day(high) - firstDay + 1) * 5)
        var begin = Int.max
        for mark in marks {
            statuses[(mark >> 4) - firstDay * 5] = UInt8(mark & 7)
            if mark & 8 == 0, mark & 7 != excused { begin = min(begin, mark >> 4) }
        }
        self.statuses = statuses
        self.begin = begin == Int.max ? nil : Self.slot(begin)
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
        self.init(
            packed: marks.map { Self.packed($0.slot, $0.status, isImported: $0.source == .imported) },
            today: today)
    }

    /// A mark as one number, as the file is queried, because twenty years have 36,500 marks.
    package static func packed(_ slot: PrayerSlot, _ status: MarkStatus, isImported: Bool = false) -> Int {
        slot.index << 4 | (isImported ? 8 : 0) | status.rawValue
    }

    private func status(_ slot: PrayerSlot) -> MarkStatus? {
        let index = slot.index - firstDay * 5
        return statuses.indices.contains(index) ? MarkStatus(rawValue: Int(statuses[index])) : nil
    }

    package func state(_ slot: PrayerSlot) -> PrayerState {
        if let status = status(slot) { return PrayerState(status) }
        switch today.phase(slot) {
        case .upcoming: return .upcoming
        case .open: return .open
        case .over: return begin.map { $0 < slot } == true && isLogged(slot.date) ? .missed : .unlogged
        }
    }

    /// Whether the day has an entry other than an excuse.
    private func isLogged(_ date: CivilDate) -> Bool {
        DailyPrayer.allCases.contains { prayer in
            status(PrayerSlot(date, prayer)).map { $0 != .excused } ?? false
        }
    }

    package func states(on date: CivilDate) -> [PrayerState] {
        DailyPrayer.allCases.map { state(PrayerSlot(date, $0)) }
    }

    /// Today's prayers that were prayed, of five.
    package var doneToday: Int { states(on: today.date).count { $0.isKept || $0 == .madeUp } }

    /// The dates from the log's first to today; none when nothing is marked.
    package var dates: some Collection<CivilDate> { days(through: today.date) }

    /// The dates of the log, and future dates with entries.
    package var datesWithEntries: some Collection<CivilDate> {
        days(through: max(today.date, last?.date ?? today.date))
    }

    private func days(through last: CivilDate) -> some Collection<CivilDate> {
        let range = first.map { $0.date.dayNumber..<max($0.date.dayNumber, last.dayNumber) + 1 } ?? 0..<0
        return range.lazy.map { CivilDate(dayNumber: $0) }
    }

    private static func day(_ index: Int) -> Int { (index - index % 5 - (index % 5 < 0 ? 5 : 0)) / 5 }

    private static func slot(_ index: Int) -> PrayerSlot? {
        let day = day(index)
        return DailyPrayer(rawValue: index - day * 5).map { PrayerSlot(CivilDate(dayNumber: day), $0) }
    }
}
