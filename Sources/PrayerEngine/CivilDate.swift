/// A day of the proleptic Gregorian calendar, without a time zone.
public struct CivilDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01, which is day 0.
    public let dayNumber: Int
    /// The year, 1 to 9999 for dates that were read or made from year, month and day; a day number may lie outside.
    public let year: Int
    /// 1 = January … 12 = December.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// The years of valid dates; outside them neither the sun's series nor any calendar here is meaningful.
    public static let years = 1...9999

    /// Makes a date; `nil` when the calendar has no such day (30 February) or the year is outside ``years``.
    public init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1 else { return nil }
        self.init(dayNumber: Self.dayNumber(year: year, month: month, day: day))
        guard self.year == year, self.month == month, self.day == day else { return nil }
    }

    /// The date of any number of days since 1970-01-01, also outside ``years``.
    public init(dayNumber: Int) {
        self.dayNumber = dayNumber
        // Years that begin in March put the leap day last, so a month's start is a linear rule
        // (E. M. Reingold, N. Dershowitz, "Calendrical Calculations", ch. 2).
        let fromMarchYear0 = dayNumber + 719_468
        let cycle = Self.floorDivide(fromMarchYear0, 146_097)  // 400 years
        let dayOfCycle = fromMarchYear0 - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    }

    /// 1 = Monday … 7 = Sunday, as ISO 8601 counts.
    public var weekday: Int { Self.floorModulo(dayNumber + 3, 7) + 1 }

    /// Whether Jumu'ah is prayed on the day instead of Dhuhr.
    public var isFriday: Bool { weekday == 5 }

    /// The date `days` later (earlier when negative).
    public func adding(days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

    public static func < (a: CivilDate, b: CivilDate) -> Bool { a.dayNumber < b.dayNumber }
    public static func == (a: CivilDate, b: CivilDate) -> Bool { a.dayNumber == b.dayNumber }
    public func hash(into hasher: inout Hasher) { hasher.combine(dayNumber) }

    static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let cycle = floorDivide(marchYear, 400)
        let yearOfCycle = marchYear - cycle * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        return cycle * 146_097 + dayOfCycle - 719_468
    }

    static func floorDivide(_ a: Int, _ b: Int) -> Int {
        a >= 0 ? a / b : -((-a + b - 1) / b)
    }

    static func floorModulo(_ a: Int, _ b: Int) -> Int {
        a - floorDivide(a, b) * b
    }
}

extension CivilDate: CustomStringConvertible {
    /// `2026-11-20`
    public var description: String {
        "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
    }

    /// Reads `2026-11-20`; `nil` for anything else, a day that does not exist included.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            text.utf8.allSatisfy({
                $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
