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

    /// Reads what ``parse(_:)`` does, and milliseconds alone or at the end: `250ms`, `1s250ms`.
    package static func parseExact(_ text: some StringProtocol) -> Double? {
        guard text.hasSuffix("ms") else { return parse(text) }
        let length = text.dropLast(2).reversed().prefix { $0.isASCII && $0.isNumber }.count
        let (rest, digits) = (text.dropLast(2 + length), text.dropLast(2).suffix(length))
        // Longer than the longest duration; a number of so few digits fits an integer.
        guard (1...11).contains(length), let count = Int(digits),
            let seconds = rest.isEmpty ? 0 : parse(rest)
        else { return nil }
        // Divided once, so that 1s250ms and 1250ms are the same number.
        let total = Double(Int(seconds) * 1000 + count) / 1000
        return total <= longestSeconds ? total : nil
    }

    /// The probable meaning of a number with a fraction, or of one in milliseconds: `0.25s`, `1.5 seconds`, `250 msec`; a number alone
    /// is seconds.
    package static func fraction(_ text: String) -> Double? {
        let plain = text.lowercased().filter { $0 != " " }
        let number = plain.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let count = Double(number) else { return nil }
        switch plain.dropFirst(number.count) {
        case "", "s", "sec", "secs", "second", "seconds": return count
        case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds": return count / 1000
        default: return nil
        }
    }

    /// Writes whole seconds so that ``parse(_:)`` reads them back: `1h30m`, `90s` as `1m30s`, zero as `0s`.
    /// Negative and non-finite values are written as `0s`.
    package static func format(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0.5 else { return "0s" }
        let total = Int(min(seconds, longestSeconds).rounded())
        let parts = [(total / 3600, "h"), (total % 3600 / 60, "m"), (total % 60, "s")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }

    /// Writes whole milliseconds so that ``parseExact(_:)`` reads them back; whole seconds as ``format(_:)`` does.
    package static func formatExact(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds > 0 else { return "0s" }
        let total = Int((min(seconds, longestSeconds) * 1000).rounded())
        guard total % 1000 > 0 else { return format(Double(total / 1000)) }
        return (total < 1000 ? "" : format(Double(total / 1000))) + "\(total % 1000)ms"
    }
}
