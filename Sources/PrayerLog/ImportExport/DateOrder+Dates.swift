package import PrayerEngine
package import Texts

extension DateOrder {
    /// The order of day and month that follows from the dates of a file.
    package enum Finding: Equatable, Sendable {
        /// The year stands first, or the order does not matter.
        case plain
        case clear(DateOrder)
        /// Every date can be read in both orders, and the example is a different day in each.
        case open(example: String)
        /// One date can only begin with the day, another one only with the month.
        case contradiction(String, String)
    }

    package static func finding(_ texts: some Sequence<String>) -> Finding {
        var (dayFirst, monthFirst, either, some): (String?, String?, String?, String?)
        for text in texts {
            guard let parts = parts(text) else { continue }
            let orders = allCases.filter { $0.date(parts) != nil }
            some = some ?? text
            switch orders {
            case [.dayFirst]: dayFirst = dayFirst ?? text
            case [.monthFirst]: monthFirst = monthFirst ?? text
            case [.dayFirst, .monthFirst] where parts.0 != parts.1: either = either ?? text
            default: break
            }
        }
        switch (dayFirst, monthFirst, either) {
        case (let day?, let month?, _): return .contradiction(day, month)
        case (_?, nil, _): return .clear(.dayFirst)
        case (nil, _?, _): return .clear(.monthFirst)
        case (nil, nil, let example?): return .open(example: example)
        // 05/05/2026 is the same day in both orders.
        case (nil, nil, nil): return some == nil ? .plain : .clear(.dayFirst)
        }
    }

    package func date(_ text: String) -> CivilDate? { Self.parts(text).flatMap(date) }

    private func date(_ parts: (Int, Int, year: Int)) -> CivilDate? {
        self == .dayFirst
            ? CivilDate(year: parts.year, month: parts.1, day: parts.0)
            : CivilDate(year: parts.year, month: parts.0, day: parts.1)
    }

    /// `20/11/2026`, `11.20.2026 06:00`: two numbers and a year of four digits.
    private static func parts(_ text: String) -> (Int, Int, year: Int)? {
        let day = text.trimmed.prefix { $0 != " " && $0 != "T" }
        let parts = day.split(omittingEmptySubsequences: false) { "/.-".contains($0) }
        guard parts.count == 3, parts[2].utf8.count == 4,
            parts.allSatisfy({
                (1...4).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
            }),
            parts[0].utf8.count <= 2, parts[1].utf8.count <= 2,
            let first = Int(parts[0]), let second = Int(parts[1]), let year = Int(parts[2])
        else { return nil }
        return (first, second, year)
    }
}
