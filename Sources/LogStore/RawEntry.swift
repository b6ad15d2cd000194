import PrayerEngine
import PrayerLog

extension PrayerSlot {
    /// The prayer in the first two columns of a row, day and prayer; `nil` if they are invalid.
    init?(_ row: [SQLValue]) {
        guard let day = row[0].integer, let prayer = row[1].integer.flatMap(DailyPrayer.init(rawValue:))
        else {
            return nil
        }
        self.init(CivilDate(dayNumber: day), prayer)
    }
}

/// An entry without its day and prayer, exactly as in the file, even if it is unreadable.
struct RawEntry: Equatable {
    static let columns = "status, at, source, marked, zone, starts, ends"
    static let count = 7
    static let placeholders = "?, ?, ?, ?, ?, ?, ?"

    let values: [SQLValue]

    /// Reads seven columns from `index` on; `nil` if the row records that there was no entry.
    init?(_ row: [SQLValue], from index: Int) {
        values = Array(row[index..<index + Self.count])
        if values[0].isNull { return nil }
    }

    init(_ mark: Mark) {
        let numbers: [Int?] = [
            mark.status.rawValue, mark.at.map(Self.milliseconds), mark.source.rawValue,
            Self.milliseconds(mark.markedAt), mark.offset, mark.window.map { Self.milliseconds($0.start) },
            mark.window.map { Self.milliseconds($0.end) },
        ]
        values = numbers.map { SQLValue($0) }
    }

    static func arguments(_ entry: RawEntry?) -> [SQLValue] {
        entry?.values ?? [SQLValue](repeating: .null, count: count)
    }

    /// The mark; `nil` if the values are not those that this program writes.
    func mark(_ slot: PrayerSlot) -> Mark? {
        let numbers = values.map(\.integer)
        let instants = [1, 3, 5, 6].compactMap { numbers[$0] }
        guard instants.allSatisfy(LogRows.milliseconds.contains),
            LogRows.offsets.contains(numbers[4] ?? 0),
            let status = numbers[0].flatMap(MarkStatus.init(rawValue:)),
            let source = numbers[2].flatMap(MarkSource.init(rawValue:)), let marked = numbers[3],
            let offset = numbers[4]
        else { return nil }
        let window = numbers[5].flatMap { start in
            numbers[6].map { PrayerWindow(start: Self.instant(start), end: Self.instant($0)) }
        }
        return Mark(
            slot: slot, status: status, at: numbers[1].map(Self.instant), source: source,
            markedAt: Self.instant(marked), offset: offset, window: window)
    }

    static func milliseconds(_ instant: Instant) -> Int { Int((instant.unixSeconds * 1000).rounded()) }

    private static func instant(_ milliseconds: Int) -> Instant {
        Instant(unixSeconds: Double(milliseconds) / 1000)
    }
}
