/// A time of day in a table: `05:44`.
package enum ClockText {
    package static let minutesADay = 1440

    /// Reads exactly `HH:MM`, 24 hours.
    package static func parse(_ text: some StringProtocol) -> Int? {
        guard text.utf8.count == 5, text.utf8.dropFirst(2).first == UInt8(ascii: ":") else { return nil }
        return secondOfDay(text).map { $0 / 60 }
    }

    /// Reads hours and minutes, and seconds where they are, each of one or two digits: `14:00`, `9:05`, `14:00:30`.
    package static func secondOfDay(_ text: some StringProtocol) -> Int? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count),
            parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(ASCII.isDigit) })
        else { return nil }
        let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
    }

    /// Any minute of this day or its neighbours, as the clock shows it.
    package static func format(_ minutes: Int) -> String {
        let minute = ((minutes % minutesADay) + minutesADay) % minutesADay
        return "\(InstantText.padded(minute / 60, 2)):\(InstantText.padded(minute % 60, 2))"
    }
}
