package import PrayerEngine

/// The days that `adhanctl times` shows: texts as typed, which ``days(today:)`` checks.
package struct DateSelection: Sendable, Equatable {
    package var date: String?
    package var count: String?
    package var month: String?
    package var year: String?
    /// Whether days before 1900 are allowed.
    package var historical = false
    /// Whether a month without its year is the coming one: in November, 3 is March of next year. Otherwise it is the last one
    /// that has begun: in February, 12 is December of last year.
    package var isMonthToCome = false

    /// The most days of one answer: ten years.
    package static let mostDays = 3660

    package init(
        date: String? = nil, count: String? = nil, month: String? = nil, year: String? = nil,
        historical: Bool = false, isMonthToCome: Bool = false
    ) {
        self.date = date
        self.count = count
        self.month = month
        self.year = year
        self.historical = historical
        self.isMonthToCome = isMonthToCome
    }

    /// The first year without a question. Earlier years are mostly mistakes: `26` for 2026, or a year of the Hijri calendar.
    private static let firstYear = 1900

    package func days(today: CivilDate) throws(OptionError) -> [CivilDate] {
        let days = try selected(today: today)
        guard !historical, let year = days.first?.year, year < Self.firstYear else { return days }
        let hint =
            (1...99).contains(year)
            ? "; did you mean \(2000 + year)?"
            : (1300...1600).contains(year)
                ? "; years are those of the Gregorian calendar, not of the Hijri" : ""
        throw OptionError(
            "the year \(year) lies before \(Self.firstYear)\(hint); with --historical it is taken as it is")
    }

    private func selected(today: CivilDate) throws(OptionError) -> [CivilDate] {
        try refuseContradiction()
        if let year { return try days(ofYear: year) }
        if let month { return try days(ofMonth: month, today: today) }
        let first =
            try date.map { text throws(OptionError) in try Self.day(text, "--date", today: today) } ?? today
        var count = 1
        if let text = self.count {
            guard let given = Int(text), (1...Self.mostDays).contains(given) else {
                throw OptionError("--days must be a whole number from 1 to \(Self.mostDays), not \"\(text)\"")
            }
            count = given
        }
        guard CivilDate.years.contains(first.adding(days: count - 1).year) else {
            throw OptionError("--days goes beyond the year \(CivilDate.years.upperBound)")
        }
        return (0..<count).map { first.adding(days: $0) }
    }

    private func refuseContradiction() throws(OptionError) {
        let spans = [("--days", count), ("--month", month), ("--year", year)].filter { $0.1 != nil }.map(\.0)
        if spans.count > 1 {
            throw OptionError("\(spans[0]) and \(spans[1]) exclude each other; give one of them")
        }
        if date != nil, let span = spans.first, span != "--days" {
            throw OptionError("--date and \(span) exclude each other; give one of them")
        }
    }

    /// A date such as `2026-11-20`, or `today`, `tomorrow`, `yesterday`.
    package static func day(_ text: String, _ option: String, today: CivilDate) throws(OptionError)
        -> CivilDate
    {
        switch text {
        case "today": return today
        case "tomorrow": return today.adding(days: 1)
        case "yesterday": return today.adding(days: -1)
        default: break
        }
        guard let date = CivilDate(text) else {
            throw OptionError("\(option) must be a day that exists, written YYYY-MM-DD, not \"\(text)\"")
        }
        return date
    }

    private func days(ofYear text: String) throws(OptionError) -> [CivilDate] {
        guard let year = Int(text), let first = CivilDate(year: year, month: 1, day: 1),
            let last = CivilDate(year: year, month: 12, day: 31)
        else {
            let years = CivilDate.years
            throw OptionError(
                "--year must be a year from \(years.lowerBound) to \(years.upperBound), not \"\(text)\"")
        }
        return Self.days(first, through: last)
    }

    private func yearsAway(_ month: Int, _ today: CivilDate) -> Int {
        if isMonthToCome { return month < today.month ? 1 : 0 }
        return today.month < month ? -1 : 0
    }

    /// The days of `2026-11`, or of `11` for the next or the last November.
    private func days(ofMonth text: String, today: CivilDate) throws(OptionError) -> [CivilDate] {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let digits = parts.allSatisfy { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        let year =
            parts.count == 2 && parts[0].utf8.count == 4 ? Int(parts[0]) : parts.count == 1 ? today.year : nil
        guard digits, let year, let month = parts.last.flatMap({ Int($0) }),
            let first = CivilDate(
                year: parts.count == 1 ? year + yearsAway(month, today) : year, month: month, day: 1)
        else {
            let which = "1 to 12 for the \(isMonthToCome ? "coming" : "last") one"
            throw OptionError("--month must be a month written YYYY-MM, or \(which), not \"\(text)\"")
        }
        var last = first.adding(days: 27)
        while last.adding(days: 1).month == month { last = last.adding(days: 1) }
        return Self.days(first, through: last)
    }

    private static func days(_ first: CivilDate, through last: CivilDate) -> [CivilDate] {
        (first.dayNumber...last.dayNumber).map { CivilDate(dayNumber: $0) }
    }
}
