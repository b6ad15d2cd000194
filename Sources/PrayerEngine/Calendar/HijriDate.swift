/// A day of the Hijri calendar: Umm al-Qura in the years that its table covers, an arithmetic calendar in others.
public struct HijriDate: Sendable, Equatable {
    /// Years since the Hijra.
    public let year: Int
    /// 1 = Muharram … 12 = Dhu al-Hijjah.
    public let month: Int
    /// 1 to 29 or 30, counted from the month's first daylight.
    public let day: Int
    /// Whether the date lies outside the Umm al-Qura table (1356–1500) and was computed; it may be a day or
    /// two off.
    public let isArithmetic: Bool

    /// The years of the Umm al-Qura table.
    package static let tableYears = UmmAlQura.firstYear...UmmAlQura.lastYear

    /// The Hijri day that covers most of a civil day (it began at the sunset before).
    ///
    /// - Parameter adjustment: days to add, where moon sighting runs ahead of or behind the table.
    public init(_ date: CivilDate, adjustment: Int = 0) {
        let dayNumber = date.dayNumber + adjustment
        if let found = UmmAlQura.date(dayNumber: dayNumber) {
            (year, month, day) = found
            isArithmetic = false
        } else {
            (year, month, day) = Self.arithmetic(dayNumber: dayNumber)
            isArithmetic = true
        }
    }

    init(year: Int, month: Int, day: Int, isArithmetic: Bool) {
        (self.year, self.month, self.day) = (year, month, day)
        self.isArithmetic = isArithmetic
    }

    /// The day number of a month's first day: from the table, or by the arithmetic calendar in other years.
    static func start(of month: HijriMonth) -> Int {
        if let start = UmmAlQura.start(year: month.year, month: month.month) { return start }
        let start = arithmeticStart(year: month.year) + 29 * (month.month - 1) + month.month / 2
        return month.year > UmmAlQura.lastYear ? max(start, UmmAlQura.lastDay + 1) : start
    }

    /// `10 Jumada al-Akhirah 1448`
    public var text: String { "\(day) \(monthName) \(year)" }

    /// The month in Latin letters, one of ``monthNames``.
    public var monthName: String { Self.monthNames[month - 1] }

    /// Whether the day is one of the month of fasting, the ninth.
    public var isRamadan: Bool { month == 9 }

    /// The twelve months in Latin letters, Muharram first: ``month`` 1 is at index 0.
    public static let monthNames = [
        "Muharram", "Safar", "Rabi al-Awwal", "Rabi al-Thani", "Jumada al-Ula", "Jumada al-Akhirah", "Rajab",
        "Sha'ban", "Ramadan", "Shawwal", "Dhu al-Qi'dah", "Dhu al-Hijjah",
    ]

    /// The civil tabular calendar: eleven leap years in thirty, epoch 16 July 622 (Julian).
    /// Source: E. M. Reingold, N. Dershowitz, "Calendrical Calculations", chapter 7.
    private static func arithmetic(dayNumber: Int) -> (Int, Int, Int) {
        var year = CivilDate.floorDivide(30 * (dayNumber - arithmeticStart(year: 1)) + 10_646, 10_631)
        // At either end of the table the two calendars may put a year's first day a day apart; the table's year wins.
        if dayNumber < UmmAlQura.firstDay { year = min(year, UmmAlQura.firstYear - 1) }
        if dayNumber > UmmAlQura.lastDay { year = max(year, UmmAlQura.lastYear + 1) }
        let dayOfYear = dayNumber - arithmeticStart(year: year)
        let month = min(12, (11 * dayOfYear + 330) / 325)
        return (year, month, dayOfYear - 29 * (month - 1) - month / 2 + 1)
    }

    /// The day number of 1 Muharram.
    static func arithmeticStart(year: Int) -> Int {
        // 492_148: days from 16 July 622 (Julian) to 1970-01-01.
        354 * (year - 1) + CivilDate.floorDivide(3 + 11 * year, 30) - 492_148
    }
}
