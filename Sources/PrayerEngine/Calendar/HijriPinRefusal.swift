/// Why a month cannot have begun on the given day.
public enum HijriPinRefusal: Error, Sendable, Equatable {
    /// The month would begin more than two days from Umm al-Qura: the year or the month is wrong.
    case farFromTable(HijriMonth, CivilDate, table: CivilDate)
    /// The months between two pins would not have 29 or 30 days each.
    case impossibleLength(HijriMonth, CivilDate, next: HijriMonth, CivilDate)

    /// The most days by which a sighting anywhere differs from Umm al-Qura.
    public static let mostDays = 2

    /// The month that is pinned; of two, the later one.
    public var month: HijriMonth {
        switch self {
        case .farFromTable(let month, _, _), .impossibleLength(_, _, let month, _): month
        }
    }

    /// One sentence without its full stop, with both dates and the days between them.
    public var message: String {
        switch self {
        case .farFromTable(let month, let date, let table):
            let days = abs(date.dayNumber - table.dayNumber)
            return
                "1 \(month.text) cannot be \(date), \(days) days \(date < table ? "before" : "after") \(table) of Umm al-Qura; \(Self.mostDays) days are possible"
        case .impossibleLength(let month, let date, let next, let nextDate):
            let (months, days) = (next.index - month.index, nextDate.dayNumber - date.dayNumber)
            return months == 1
                ? "\(month.text) would have \(days) days, from \(date) to the \(nextDate) on which \(next.text) begins; a month has 29 or 30"
                : "from 1 \(month.text) on \(date) to 1 \(next.text) on \(nextDate) would be \(days) days; \(months) months have \(29 * months) to \(30 * months)"
        }
    }

    /// The refusal of the earliest month that has one.
    static func first(in pins: [HijriMonth: CivilDate]) -> HijriPinRefusal? {
        let sorted = pins.sorted { $0.key < $1.key }
        for (index, (month, date)) in sorted.enumerated() {
            let table = CivilDate(dayNumber: HijriDate.start(of: month))
            guard abs(date.dayNumber - table.dayNumber) <= mostDays else {
                return .farFromTable(month, date, table: table)
            }
            guard index > 0 else { continue }
            let (earlier, start) = sorted[index - 1]
            let months = month.index - earlier.index
            guard (29 * months...30 * months).contains(date.dayNumber - start.dayNumber) else {
                return .impossibleLength(earlier, start, next: month, date)
            }
        }
        return nil
    }
}
