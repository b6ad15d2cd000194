/// A time of day in a table: `05:44`.
package enum ClockText {
    package static let minutesADay = 1440

    /// Reads exactly `HH:MM`, 24 hours.
    package static func parse(_ text: some StringProtocol) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
            [0, 1, 3, 4].allSatisfy({ ASCII.isDigit(bytes[$0]) })
        else { return nil }
        let hour = Int(bytes[0] - 0x30) * 10 + Int(bytes[1] - 0x30)
        let minute = Int(bytes[3] - 0x30) * 10 + Int(bytes[4] - 0x30)
        return hour < 24 && minute < 60 ? hour * 60 + minute : nil
    }

    /// Any minute of this day or its neighbours, as the clock shows it.
    package static func format(_ minutes: Int) -> String {
        let minute = ((minutes % minutesADay) + minutesADay) % minutesADay
        return "\(InstantText.padded(minute / 60, 2)):\(InstantText.padded(minute % 60, 2))"
    }
}
