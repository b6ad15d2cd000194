package import PrayerEngine

/// The clock by which a table was printed.
package enum TimetableClock: String, CaseIterable, Codable, Sendable {
    /// The wall clock, including summer time.
    case local
    /// Winter time all year.
    case winter
    /// Summer time all year.
    case summer
}

/// Converts from a clock that is never set to the wall clock.
package struct SeasonClock: Sendable {
    package let zone: Zone
    private let years: Cache

    /// The offsets of a few years: finding them costs more than using them.
    private final class Cache: Sendable {
        let offsets: [Int: ClosedRange<Int>]
        init(_ offsets: [Int: ClosedRange<Int>]) { self.offsets = offsets }
    }

    /// `years`: the years that callers often need.
    package init(zone: Zone, years: [Int] = []) {
        self.zone = zone
        var offsets: [Int: ClosedRange<Int>] = [:]
        for year in Set(years) { offsets[year] = Self.offsets(in: year, zone) }
        self.years = Cache(offsets)
    }

    /// Seconds east of UTC in a year, least to most. Which of them a zone calls standard does not matter: Dublin's winter and
    /// Morocco's Ramadan are recognised by their offsets.
    package func offsets(in year: Int) -> ClosedRange<Int> {
        years.offsets[year] ?? Self.offsets(in: year, zone)
    }

    private static func offsets(in year: Int, _ zone: Zone) -> ClosedRange<Int> {
        guard let first = CivilDate(year: year, month: 1, day: 1) else { return 0...0 }
        // Morocco's Ramadan is the shortest season.
        let all = stride(from: 0, to: 366, by: 6).map {
            zone.offset(at: Instant(unixSeconds: Double(first.dayNumber + $0) * 86_400 + 43_200))
        }
        return (all.min() ?? 0)...(all.max() ?? 0)
    }

    /// Whether clocks are set at all in a year.
    package func changes(in year: Int) -> Bool {
        let offsets = offsets(in: year)
        return offsets.lowerBound != offsets.upperBound
    }

    /// Whether the summer's clock holds at noon of a date.
    package func isSummer(_ date: CivilDate) -> Bool {
        let offsets = offsets(in: date.year)
        guard offsets.lowerBound != offsets.upperBound else { return false }
        return zone.offset(at: zone.instant(of: date, secondOfDay: 43_200)) == offsets.upperBound
    }

    /// The minutes of the wall clock, 0..<1440, when `clock` shows `minutes` on a date.
    package func wallMinutes(of minutes: Int, on date: CivilDate, shownBy clock: TimetableClock) -> Int {
        guard let offset = fixedOffset(clock, in: date.year) else { return minutes }
        let seconds = Double(date.dayNumber) * 86_400 + Double(minutes * 60 - offset)
        return Int((zone.clock(of: Instant(unixSeconds: seconds)).secondOfDay / 60).rounded(.down))
    }

    private func fixedOffset(_ clock: TimetableClock, in year: Int) -> Int? {
        let offsets = offsets(in: year)
        switch clock {
        case .local: return nil
        case .winter: return offsets.lowerBound
        case .summer: return offsets.upperBound
        }
    }
}
