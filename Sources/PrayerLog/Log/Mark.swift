package import PrayerEngine

/// A prayer's status in the log. The numbers are on disk.
package enum MarkStatus: Int, CaseIterable, Sendable {
    /// Prayed in its time.
    case prayed = 1
    /// Prayed after its time, on its day.
    case late
    /// Made up later (qada).
    case madeUp
    /// Not prayed. Imported files contain it; for all other prayers it is computed (``Logbook``).
    case missed
    /// Not owed: travel, illness, menses.
    case excused

    /// The name in files and documents.
    package var name: String {
        switch self {
        case .prayed: "prayed"
        case .late: "late"
        case .madeUp: "made-up"
        case .missed: "missed"
        case .excused: "excused"
        }
    }

    package init?(name: some StringProtocol) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

/// The program that marked a prayer. The numbers are on disk.
package enum MarkSource: Int, CaseIterable, Sendable {
    case command = 1
    case notification
    case imported
    /// No person: its time ended. Only in exported files, never in the log.
    case computed

    package var name: String {
        switch self {
        case .command: "command"
        case .notification: "notification"
        case .imported: "import"
        case .computed: "reckoned"
        }
    }

    package init?(name: some StringProtocol) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }
}

/// A prayer of a day. The whole log is in this order.
package struct PrayerSlot: Hashable, Comparable, Sendable {
    package let date: CivilDate
    package let prayer: DailyPrayer

    package init(_ date: CivilDate, _ prayer: DailyPrayer) {
        self.date = date
        self.prayer = prayer
    }

    /// Consecutive for consecutive prayers.
    package var index: Int { date.dayNumber * 5 + prayer.rawValue }

    package static func < (a: Self, b: Self) -> Bool { a.index < b.index }
}

/// The time of a prayer: from its beginning until it is missed.
package struct PrayerWindow: Equatable, Sendable {
    package let start: Instant
    package let end: Instant

    package init(start: Instant, end: Instant) {
        self.start = start
        self.end = max(start, end)
    }

    package func contains(_ instant: Instant) -> Bool { start <= instant && instant < end }
}

/// One entry of the log.
package struct Mark: Equatable, Sendable {
    package let slot: PrayerSlot
    package var status: MarkStatus
    /// When it was prayed, to the millisecond; `nil` where that is unknown.
    package var at: Instant?
    package var source: MarkSource
    package var markedAt: Instant
    /// Seconds that the place's clocks were east of UTC when it was marked.
    package var offset: Int
    /// The prayer's time at the place where it was marked: a journey later changes nothing about it.
    package var window: PrayerWindow?

    package init(
        slot: PrayerSlot, status: MarkStatus, at: Instant? = nil, source: MarkSource, markedAt: Instant,
        offset: Int, window: PrayerWindow? = nil
    ) {
        self.slot = slot
        self.status = status
        self.at = at
        self.source = source
        self.markedAt = markedAt
        self.offset = offset
        self.window = window
    }
}
