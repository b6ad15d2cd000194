package import PrayerEngine
package import Texts

/// Why the log or a file cannot be read or written: one sentence.
package struct LogRefusal: Error, Equatable, Sendable {
    package let message: String

    package init(_ message: String) { self.message = message }
}

/// Why a prayer cannot be marked. ``Languages/Language`` puts it into words.
package enum MarkRefusal: Error, Equatable, Sendable {
    /// A day was given, but no prayer.
    case noPrayerNamed
    /// The day has no jumua.
    case noFriday(CivilDate)
    case noPrayerNow
    /// The prayer's time begins later than now, or than the given instant.
    case notYet(PrayerSlot, begins: Instant)
    case dayToCome(CivilDate, today: CivilDate)
    case instantToCome(Instant, now: Instant)
    /// The clock shows a time before adhand existed, as on a machine without a battery clock.
    case clockNotSet(Instant)
    /// The last day is before the first one.
    case endsBefore(CivilDate, CivilDate)
    /// A year before the first one of logs; a year of two digits is meant as one of this century.
    case tooEarly(CivilDate, Int, meant: Int?)
    /// More days than one command may mark, or further ahead than an excuse may be.
    case tooManyDays(CivilDate, CivilDate, Int)
}

/// The request of `adhan-companion prayed`.
package struct MarkRequest: Sendable {
    /// The prayer; `nil`: the one whose time it is; with ``MarkStatus/excused`` and a date the whole day.
    package var prayer: Prayer?
    package var date: CivilDate?
    /// The last of several days.
    package var until: CivilDate?
    /// Seconds after midnight by the place's clocks.
    package var timeOfDay: Int?
    /// The exact instant of the prayer, where it is known; overrides ``timeOfDay``.
    package var instant: Instant?
    /// The status; `nil`: according to the instant.
    package var status: MarkStatus?

    package init(
        prayer: Prayer? = nil, date: CivilDate? = nil, until: CivilDate? = nil, timeOfDay: Int? = nil,
        instant: Instant? = nil,
        status: MarkStatus? = nil
    ) {
        self.prayer = prayer
        self.date = date
        self.until = until
        self.timeOfDay = timeOfDay
        self.instant = instant
        self.status = status
    }
}

/// Turns a request into entries of the log: finds the prayer, checks whether it may be marked, and how it was prayed.
package struct Marking {
    package let today: Today
    package let zone: Zone
    /// The windows of any day at the place.
    package let windows: (CivilDate) -> DayWindows

    /// The first year of logs; earlier years are typing errors.
    package static let firstYear = 1900
    /// The most days of one excuse, and the most days that it may be ahead.
    package static let mostDays = 366

    package init(today: Today, zone: Zone, windows: @escaping (CivilDate) -> DayWindows) {
        self.today = today
        self.zone = zone
        self.windows = windows
    }

    /// The entries to be written, or with `undo` to be removed.
    package func marks(_ request: MarkRequest, source: MarkSource) throws(MarkRefusal) -> [Mark] {
        guard adhandRelease <= today.now else { throw MarkRefusal.clockNotSet(today.now) }
        return try slots(request).map { slot throws(MarkRefusal) in try mark(slot, request, source) }
    }

    /// The requested prayers.
    package func slots(_ request: MarkRequest) throws(MarkRefusal) -> [PrayerSlot] {
        let dates = try dates(request)
        guard let prayer = request.prayer else {
            if request.status == .excused, !dates.isEmpty {
                return dates.flatMap { date in DailyPrayer.allCases.map { PrayerSlot(date, $0) } }
            }
            guard dates.isEmpty else {
                throw MarkRefusal.noPrayerNamed
            }
            return [try theOpenOne()]
        }
        guard dates.isEmpty else {
            for date in dates where prayer == .jumua && !date.isFriday {
                throw MarkRefusal.noFriday(date)
            }
            return dates.map { PrayerSlot($0, DailyPrayer(prayer)) }
        }
        if prayer == .jumua, !today.date.isFriday {
            throw MarkRefusal.noFriday(today.date)
        }
        // After midnight it may still be the time of yesterday's isha.
        let daily = DailyPrayer(prayer)
        return [today.open.last { $0.prayer == daily } ?? PrayerSlot(today.date, daily)]
    }

    private func dates(_ request: MarkRequest) throws(MarkRefusal) -> [CivilDate] {
        guard let first = request.date ?? request.until.map({ _ in today.date }) else { return [] }
        let last = request.until ?? first
        guard first <= last else { throw MarkRefusal.endsBefore(last, first) }
        guard first.year >= Self.firstYear else {
            throw MarkRefusal.tooEarly(
                first, Self.firstYear, meant: (1...99).contains(first.year) ? 2000 + first.year : nil)
        }
        guard last <= today.date || request.status == .excused else {
            throw MarkRefusal.dayToCome(last, today: today.date)
        }
        guard last.dayNumber - today.date.dayNumber <= Self.mostDays else {
            throw MarkRefusal.tooManyDays(today.date, last, Self.mostDays)
        }
        guard last.dayNumber - first.dayNumber < Self.mostDays else {
            throw MarkRefusal.tooManyDays(first, last, Self.mostDays)
        }
        return (first.dayNumber...last.dayNumber).map { CivilDate(dayNumber: $0) }
    }

    private func theOpenOne() throws(MarkRefusal) -> PrayerSlot {
        guard let open = today.open.first else { throw MarkRefusal.noPrayerNow }
        return open
    }

    private func mark(
        _ slot: PrayerSlot, _ request: MarkRequest, _ source: MarkSource
    ) throws(MarkRefusal) -> Mark {
        // An excuse is for a day, which may be in the future, and has no time.
        if request.status == .excused {
            return Mark(
                slot: slot, status: .excused, source: source, markedAt: today.now,
                offset: zone.offset(at: today.now))
        }
        let window = today.windows(slot.date)?[slot.prayer] ?? windows(slot.date)[slot.prayer]
        if today.now < window.start { throw MarkRefusal.notYet(slot, begins: window.start) }
        let at = try instant(of: slot, in: window, request)
        let status =
            request.status ?? at.map { window.contains($0) ? .prayed : isSameDay($0, slot) ? .late : .madeUp }
            ?? .prayed
        return Mark(
            slot: slot, status: status, at: at, source: source, markedAt: today.now,
            offset: zone.offset(at: today.now), window: window)
    }

    /// The instant of the prayer: the given one, else now. For a named day, only an instant in the request is known; and a
    /// request that says how it was prayed does not imply that it was prayed now.
    private func instant(
        of slot: PrayerSlot, in window: PrayerWindow, _ request: MarkRequest
    ) throws(MarkRefusal) -> Instant? {
        if let instant = request.instant { return instant }
        guard let timeOfDay = request.timeOfDay else {
            if request.date != nil || request.status == .madeUp || request.status == .late { return nil }
            if request.status == .prayed { return window.contains(today.now) ? today.now : nil }
            return today.now
        }
        // Isha may be prayed after midnight, which is the next date.
        let readings = [slot.date, slot.date.adding(days: 1)].map {
            zone.instant(of: $0, secondOfDay: Double(timeOfDay))
        }
        guard let at = readings.first(where: window.contains) ?? readings.first(where: { window.start <= $0 })
        else { throw MarkRefusal.notYet(slot, begins: window.start) }
        guard at <= today.now else {
            guard let earliest = readings.first, earliest < window.start else {
                throw MarkRefusal.instantToCome(at, now: today.now)
            }
            throw MarkRefusal.notYet(slot, begins: window.start)
        }
        return at
    }

    /// Whether an instant lies on the prayer's day, which ends when its isha does.
    private func isSameDay(_ instant: Instant, _ slot: PrayerSlot) -> Bool {
        instant < (today.windows(slot.date) ?? windows(slot.date)).end
    }
}
