/// The Umm al-Qura calendar of Saudi Arabia, 1356–1500 AH.
///
/// Source: the published tables of the calendar's institute (King Abdulaziz City for Science and Technology),
/// as gathered by R. H. van Gent, Utrecht. The families of published tables agree from 1420 to 1450.
enum UmmAlQura {
    static let firstYear = 1356
    static let lastYear = 1500
    /// 1 Muharram 1356: 1937-03-14.
    static let firstDay = -11_981
    /// The last day of 1500: the table gives Dhu al-Hijjah 1500 from 2077-10-18, and the arithmetic calendar
    /// its end.
    static var lastDay: Int { Int(starts[lengths.count]) - 1 }

    /// A bit for each month, the lowest for Muharram: set when the month has 30 days, clear when it has 29.
    private static let lengths: [UInt16] = [
        0x4D4, 0xD55, 0x64B, 0x497, 0xD55, 0x555, 0x555, 0xD55, 0x755, 0xD55, 0x555, 0x555,
        0xD55, 0x6D5, 0x555, 0xEA5, 0xD2A, 0xAAA, 0xCD5, 0x655, 0x572, 0xDA9, 0x555, 0xAAA,
        0x555, 0x52D, 0xA6D, 0x55A, 0x555, 0x74D, 0xD53, 0xD54, 0x556, 0xD55, 0x2D5, 0xD55,
        0xD54, 0xD45, 0x655, 0x52D, 0xA5D, 0x55A, 0xAD5, 0x6AA, 0xD4B, 0x52A, 0xA57, 0x4AE,
        0x976, 0x56C, 0xB55, 0xAAA, 0xA55, 0x4AD, 0x95D, 0x2DA, 0x5D9, 0xDB2, 0xBA4, 0xB4A,
        0xA55, 0x2B5, 0x575, 0xB6A, 0xBD2, 0xBC4, 0xB89, 0xA95, 0x52D, 0x5AD, 0xB6A, 0x6D4,
        0xDC9, 0xD92, 0xAA6, 0x956, 0x2AE, 0x56D, 0x36A, 0xB55, 0xAAA, 0x94D, 0x49D, 0x95D,
        0x2BA, 0x5B5, 0x5AA, 0xD55, 0xA9A, 0x92E, 0x26E, 0x55D, 0xADA, 0x6D4, 0x6A5, 0x54B,
        0xA97, 0x54E, 0xAAE, 0x5AC, 0xBA9, 0xD92, 0xB25, 0x64B, 0xCAB, 0x55A, 0xB55, 0x6D2,
        0xEA5, 0xE4A, 0xA95, 0x52D, 0xAAD, 0x36C, 0x759, 0x6D2, 0x695, 0x52D, 0xA5B, 0x4BA,
        0x9BA, 0x3B4, 0xB69, 0xB52, 0xAA6, 0x4B6, 0x96D, 0x2EC, 0x6D9, 0xEB2, 0xD54, 0xD2A,
        0xA56, 0x4AE, 0x96D, 0xD6A, 0xB54, 0xB29, 0xA93, 0x52B, 0xA57, 0x536, 0xAB5, 0x6AA,
        0xE93,
    ]

    /// The one month of 28 days in the table: Sha'ban 1364.
    private static let shortMonth = (year: 1364, month: 8)

    /// The day number of 1 Muharram of each year, and of the year after the last.
    private static let starts: [Int32] = {
        var starts = [Int32(firstDay)]
        for year in firstYear...lastYear {
            var day = Int(starts[starts.count - 1])
            for month in 1...12 { day += length(year: year, month: month) }
            starts.append(Int32(day))
        }
        return starts
    }()

    static func length(year: Int, month: Int) -> Int {
        if year == shortMonth.year, month == shortMonth.month { return 28 }
        return lengths[year - firstYear] & (1 << (month - 1)) == 0 ? 29 : 30
    }

    /// The day number of a month's first day; `nil` outside the table.
    static func start(year: Int, month: Int) -> Int? {
        guard (firstYear...lastYear).contains(year) else { return nil }
        var day = Int(starts[year - firstYear])
        for earlier in 1..<month { day += length(year: year, month: earlier) }
        return day
    }

    /// Year, month and day; `nil` outside the table.
    static func date(dayNumber: Int) -> (Int, Int, Int)? {
        guard dayNumber >= firstDay, dayNumber <= lastDay else { return nil }
        // A Hijri year has 354.37 days, so the guess is at most one year off.
        var index = min((dayNumber - firstDay) * 100 / 35_437, lengths.count - 1)
        while dayNumber < Int(starts[index]) { index -= 1 }
        while dayNumber >= Int(starts[index + 1]) { index += 1 }
        var day = dayNumber - Int(starts[index])
        var month = 1
        while day >= length(year: firstYear + index, month: month) {
            day -= length(year: firstYear + index, month: month)
            month += 1
        }
        return (firstYear + index, month, day + 1)
    }
}
