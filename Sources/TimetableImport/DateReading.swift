import PrayerEngine
import Settings
import Texts

/// A date as it is printed, before anybody knows which of its numbers is what.
struct DateReading: Equatable {
    enum Parts: Equatable {
        /// Only one reading is possible.
        case date(year: Int?, month: Int, day: Int)
        /// `1/2/2026`: the day or the month first.
        case either(Int, Int, year: Int?)
        /// `18-01-02`: three numbers of two digits.
        case threeShort(Int, Int, Int)
        /// An instant in UTC; its date is the place's own.
        case utc(Double)
    }

    var parts: Parts
    /// As it is printed beside the numbers.
    var weekday: Int?

    init?(_ text: some StringProtocol) {
        if let utc = Self.utc(String(text)) {
            parts = .utc(utc)
            return
        }
        var (numbers, widths, month) = ([Int](), [Int](), Int?.none)
        // `2026-06-08T00:00:00.0000000+03:00`: the date counts as written, whatever the offset.
        let words = TextFolding.words(
            text.split(separator: "T").first.flatMap { $0.utf8.count == 10 ? String($0) : nil }
                ?? String(text))
        guard !words.isEmpty, words.count <= 6 else { return nil }
        for word in words {
            if let number = Int(word) {
                numbers.append(number)
                widths.append(word.utf8.count)
            } else if numbers.isEmpty || MonthNames.month(word) != nil, let named = MonthNames.month(word),
                month == nil
            {
                month = named
            } else if let named = WeekdayNames.weekday(word) {
                weekday = named
            } else if !["st", "nd", "rd", "th", "de", "of"].contains(word) {
                return nil
            }
        }
        guard let parts = Self.parts(numbers, widths, month) else { return nil }
        self.parts = parts
    }

    private static func parts(_ numbers: [Int], _ widths: [Int], _ month: Int?) -> Parts? {
        if let month {
            switch (numbers.count, widths) {
            case (1, _) where widths[0] <= 2: return .date(year: nil, month: month, day: numbers[0])
            case (2, _) where widths[1] == 4: return .date(year: numbers[1], month: month, day: numbers[0])
            case (2, _) where widths[0] == 4: return .date(year: numbers[0], month: month, day: numbers[1])
            case (2, _) where widths[1] == 2:
                return .date(year: 2000 + numbers[1], month: month, day: numbers[0])
            default: return nil
            }
        }
        switch numbers.count {
        case 1 where widths[0] == 8:
            return .date(year: numbers[0] / 10_000, month: numbers[0] / 100 % 100, day: numbers[0] % 100)
        case 2 where widths.allSatisfy({ $0 <= 2 }): return .either(numbers[0], numbers[1], year: nil)
        case 3 where widths[0] == 4: return .date(year: numbers[0], month: numbers[1], day: numbers[2])
        case 3 where widths[2] == 4: return .either(numbers[0], numbers[1], year: numbers[2])
        case 3 where widths.allSatisfy({ $0 <= 2 }): return .threeShort(numbers[0], numbers[1], numbers[2])
        default: return nil
        }
    }

    /// `2026-09-01T16:00:00Z`, unless it is midnight: then it is a date that a program has dressed up.
    private static func utc(_ text: String) -> Double? {
        guard text.hasSuffix("Z"), let instant = InstantText.parse(text) else { return nil }
        return instant.unixSeconds.truncatingRemainder(dividingBy: 86_400) == 0 ? nil : instant.unixSeconds
    }

    /// The orders in which numbers can stand.
    enum Order: CaseIterable { case yearFirst, dayFirst, monthFirst }

    /// The date that an order gives, without its year where none is printed.
    func date(_ order: Order, in zone: Zone) -> (year: Int?, month: Int, day: Int)? {
        switch parts {
        case .date(let year, let month, let day): return Self.checked(year, month, day)
        case .either(let a, let b, let year):
            return order == .monthFirst ? Self.checked(year, a, b) : Self.checked(year, b, a)
        case .threeShort(let a, let b, let c):
            switch order {
            case .yearFirst: return Self.checked(2000 + a, b, c)
            case .dayFirst: return Self.checked(2000 + c, b, a)
            case .monthFirst: return Self.checked(2000 + c, a, b)
            }
        case .utc(let seconds):
            let date = zone.civilDate(of: Instant(unixSeconds: seconds))
            return (date.year, date.month, date.day)
        }
    }

    private static func checked(_ year: Int?, _ month: Int, _ day: Int) -> (Int?, Int, Int)? {
        // 29 February of a common year is an empty row of many a spreadsheet, and left out later.
        guard MonthDay(month: month, day: day) != nil, year.map(CivilDate.years.contains) ?? true else {
            return nil
        }
        return (year, month, day)
    }
}
