/// Durations as people write them: `90s`, `10m`, `2h`, `1h30m`.
package enum DurationText {
    /// The longest duration that can be read, in seconds: 366 days. Keys allow less.
    package static let longestSeconds: Double = 366 * 86_400

    /// The description of a valid duration for people.
    package static let described =
        "a duration of at most \(Int(longestSeconds) / 86_400) days, such as 90s, 10m, 2h or 1h30m"

    private typealias Unit = (name: String, milliseconds: Int)
    private static let units: [Unit] = [("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1)]

    /// Reads hours, minutes and seconds, each a whole number and at most once, in that order, without spaces.
    /// Returns seconds, or `nil` when the text is anything else or longer than ``longestSeconds``.
    package static func parse(_ text: some StringProtocol) -> Double? { read(text, units.dropLast()) }

    /// Reads what ``parse(_:)`` does, and milliseconds alone or at the end: `250ms`, `1s250ms`.
    package static func parseExact(_ text: some StringProtocol) -> Double? { read(text, units[...]) }

    private static func read(_ text: some StringProtocol, _ known: ArraySlice<Unit>) -> Double? {
        let longest = Int(longestSeconds) * 1000
        var (total, units, rest) = (0, known, Array(text.utf8)[...])
        while !rest.isEmpty {
            let number = rest.prefix(while: ASCII.isDigit)
            let name = rest.dropFirst(number.count).prefix { !ASCII.isDigit($0) }
            guard let count = Int(String(decoding: number, as: UTF8.self)), count <= longest,
                let unit = units.firstIndex(where: { name.elementsEqual($0.name.utf8) })
            else { return nil }
            total += count * units[unit].milliseconds
            units = units.suffix(from: unit + 1)
            rest = rest.dropFirst(number.count + name.count)
        }
        guard units.count < known.count, total <= longest else { return nil }
        // Divided only once, so that 1s250ms and 1250ms are the same number.
        return Double(total) / 1000
    }

    /// The probable meaning of a number with a fraction, or in milliseconds: `0.25s`, `1.5 seconds`, `250 msec`; a bare number is
    /// seconds.
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

    /// Writes whole seconds in the form that ``parse(_:)`` reads: `1h30m`, `90s` as `1m30s`, zero as `0s`. Negative and
    /// non-finite values are written as `0s`.
    package static func format(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0.5 else { return "0s" }
        let total = Int(min(seconds, longestSeconds).rounded())
        let parts = [(total / 3600, "h"), (total % 3600 / 60, "m"), (total % 60, "s")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }

    /// Writes whole milliseconds in the form that ``parseExact(_:)`` reads; whole seconds as ``format(_:)`` does.
    package static func formatExact(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds > 0 else { return "0s" }
        let total = Int((min(seconds, longestSeconds) * 1000).rounded())
        guard total % 1000 > 0 else { return format(Double(total / 1000)) }
        return (total < 1000 ? "" : format(Double(total / 1000))) + "\(total % 1000)ms"
    }
}
