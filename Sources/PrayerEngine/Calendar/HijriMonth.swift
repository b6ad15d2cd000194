/// A month of a year of the Hijri calendar.
public struct HijriMonth: Hashable, Comparable, Sendable {
    /// Months since Muharram of the year 0.
    let index: Int

    init(index: Int) { self.index = index }

    /// Years in which a month can be pinned: 1900 to 2174 of the civil calendar.
    public static let years = 1318...1600

    /// Makes a month; `nil` for one that no year has, or a year out of range.
    public init?(year: Int, month: Int) {
        guard Self.years.contains(year), (1...12).contains(month) else { return nil }
        index = year * 12 + month - 1
    }

    /// The month of a day, in any year.
    public init(_ date: HijriDate) { index = date.year * 12 + date.month - 1 }

    /// Years since the Hijra.
    public var year: Int { CivilDate.floorDivide(index, 12) }
    /// 1 = Muharram … 12 = Dhu al-Hijjah.
    public var month: Int { CivilDate.floorModulo(index, 12) + 1 }
    /// The month after it: of Dhu al-Hijjah, Muharram of the next year.
    public var next: HijriMonth { HijriMonth(index: index + 1) }
    /// The month before it: of Muharram, Dhu al-Hijjah of the year before.
    public var previous: HijriMonth { HijriMonth(index: index - 1) }

    /// `Ramadan 1448`
    public var text: String { "\(HijriDate.monthNames[month - 1]) \(year)" }

    public static func < (a: HijriMonth, b: HijriMonth) -> Bool { a.index < b.index }
}

extension HijriMonth: CustomStringConvertible {
    /// `1448-09`
    public var description: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }

    /// Reads `1448-09`; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy(digits.contains) }),
            let year = Int(parts[0]), let month = Int(parts[1])
        else { return nil }
        self.init(year: year, month: month)
    }
}
