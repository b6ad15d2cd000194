import PrayerEngine
import Settings
import Texts

/// A date as printed, before the meaning of its numbers is decided.
struct DateReading: Equatable {
    enum Parts: Equatable {
        /// A date with only one possible reading.
        case date(year: Int?, month: Int, day: Int)
        /// A date with the day or the month first: `1/2/2026`.
        case either(Int, Int, year: Int?)
        /// A date of three numbers of two digits: `18-01-02`.
        case threeShort(Int, Int, Int)
        /// An instant in UTC, whose date depends on the place's zone.
        case utc(Double)
    }

    var parts: Parts
    /// The weekday printed beside the numbers.
    var weekday: Int?

    init?(_ text: some StringProtocol) {
        if let utc = Self.utc(String(text)) {
            parts = .utc(utc)
            return
        }
        var (numbers, widths, month) = ([Int](), [Int](), Int?.none)
        // In `2026-06-08T00:00:00.0000000+03:00` the date counts as written, whatever the offset.
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

    /// Reads `2026-09-01T16:00:00Z`. Midnight is refused, because a program that wrote it meant only the date.
    private static func utc(_ text: String) -> Double? {
        guard text.hasSuffix("Z"), let instant = InstantText.parse(text) else { return nil }
        return instant.unixSeconds.truncatingRemainder(dividingBy: 86_400) == 0 ? nil : instant.unixSeconds
    }

    /// The orders in which numbers can stand.
    enum Order: CaseIterable { case yearFirst, dayFirst, monthFirst }

    /// The date that an order gives, without its year if none is printed.
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
        // Many spreadsheets have an empty row for 29 February of a common year; it is dropped later.
        guard MonthDay(month: month, day: day) != nil, year.map(CivilDate.years.contains) ?? true else {
            return nil
        }
        return (year, month, day)
    }
}
