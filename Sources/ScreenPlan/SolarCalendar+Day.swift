package import Languages
package import PrayerEngine

extension SolarCalendar {
    package struct Day: Sendable, Equatable {
        package let year: Int
        package let month: Int
        package let day: Int
    }

    /// The year before the solar Hijri era, which began in March 622.
    private static let era = 621

    /// The solar Hijri day of a date; `nil` outside of the known years. The page has the same: `solarDay` in player.js.
    package func day(of date: CivilDate) -> Day? {
        for year in [date.year - Self.era, date.year - Self.era - 1] {
            guard let first = newYear(year), first <= date else { continue }
            let passed = date.dayNumber - first.dayNumber
            // 186 days are six months of 31.
            if passed < 186 { return Day(year: year, month: passed / 31 + 1, day: passed % 31 + 1) }
            let later = passed - 186
            return Day(year: year, month: later / 30 + 7, day: later % 30 + 1)
        }
        return nil
    }

    private func newYear(_ year: Int) -> CivilDate? {
        guard year >= firstYear else { return nil }
        let digits = newYears.utf8.dropFirst((year - firstYear) * 2).prefix(2)
        guard digits.count == 2, let day = Int(String(decoding: Array(digits), as: UTF8.self)) else {
            return nil
        }
        return CivilDate(year: year + Self.era, month: 3, day: day)
    }
}
