/// Durations as people write them: `90s`, `10m`, `2h`, `1h30m`.
package enum DurationText {
    /// The longest duration that can be read, in seconds: 366 days. Keys allow less.
    package static let longestSeconds: Double = 366 * 86_400

    /// Reads hours, minutes and seconds, each a whole number and at most once, in that order, without spaces.
    /// Returns seconds, or `nil` when the text is anything else or longer than ``longest``.
    package static func parse(_ text: some StringProtocol) -> Double? {
        var seconds = 0
        var number: Int?
        var units: [(letter: UInt8, seconds: Int)] = [
            (UInt8(ascii: "h"), 3600), (UInt8(ascii: "m"), 60), (UInt8(ascii: "s"), 1),
        ]
        for byte in text.utf8 {
            if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                let value = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                guard value <= Int(longestSeconds) else { return nil }
                number = value
            } else {
                guard let count = number, let index = units.firstIndex(where: { $0.letter == byte }) else {
                    return nil
                }
                seconds += count * units[index].seconds
                units.removeFirst(index + 1)
                number = nil
            }
        }
        guard number == nil, units.count < 3, seconds <= Int(longestSeconds) else { return nil }
        return Double(seconds)
    }

    /// Writes whole seconds so that ``parse(_:)`` reads them back: `1h30m`, `90s` as `1m30s`, zero as `0s`.
    /// Negative and non-finite values are written as `0s`.
    package static func format(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0.5 else { return "0s" }
        let total = Int(min(seconds, longestSeconds).rounded())
        let parts = [(total / 3600, "h"), (total % 3600 / 60, "m"), (total % 60, "s")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }
}
