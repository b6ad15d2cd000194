import Texts

/// The probable intention of a value that its rule refuses.
extension ValueRule {
    /// The hint in TOML, or `nil`.
    func hint(for value: WrittenValue) -> String? {
        switch (self, value) {
        case (.flag, .text(let text)): Self.flags[text.lowercased()].map { "\($0)" }
        case (.flag, .integer(let integer)) where integer == 0 || integer == 1: "\(integer == 1)"
        case (.integer(let range, _), .text(let text)):
            Int(Self.withoutUnit(text)).flatMap { range.contains($0) ? "\($0)" : nil }
        case (.integer(let range, _), .number(let number)):
            Int(exactly: number.rounded()).flatMap { range.contains($0) ? "\($0)" : nil }
        case (.number(let range, _), .text(let text)):
            Double(Self.withoutUnit(text)).flatMap { range.contains($0) ? "\($0)" : nil }
        case (.oneOf(let names), .text(let text)):
            (CommonSpelling.of(text, among: names) ?? NearestName.of(text, among: names)).map(
                TOMLEscapes.quote)
        case (.method, .text(let text)):
            (CommonSpelling.of(text, among: MethodNames.all) ?? NearestName.of(text, among: MethodNames.all))
                .map(TOMLEscapes.quote)
        case (.duration(let range, let exact), _): Self.duration(value, in: range, exact: exact)
        case (.durations(let range), .text), (.durations(let range), .integer):
            Self.reminder(value, in: range).map { "[\($0)]" }
        case (.texts(let kind, orOne: false), .text(let text)):
            kind.fault(in: text) == nil ? "[\(TOMLEscapes.quote(text))]" : nil
        default: nil
        }
    }

    /// The name for a common spelling; for commands, which accept it.
    func commonSpelling(of text: String) -> String? {
        switch self {
        case .oneOf(let names): CommonSpelling.of(text, among: names)
        case .method: CommonSpelling.of(text, among: MethodNames.all)
        default: nil
        }
    }

    /// Why a value is wrong, where that is obvious.
    func because(of value: WrittenValue) -> String? {
        guard case .duration = self else { return nil }
        switch value {
        case .date(let text) where text.contains(":"): return "a time of day is not a duration"
        case .text(let text):
            let plain = text.lowercased().filter { $0 != " " && $0 != "." }
            let time = plain.prefix { $0.isNumber || $0 == ":" }
            let isTime = time.contains(":") || ["am", "pm"].contains(plain.dropFirst(time.count))
            return isTime && !time.isEmpty ? "a time of day is not a duration" : nil
        default: return nil
        }
    }

    private static let flags = [
        "true": true, "yes": true, "on": true, "1": true, "false": false, "no": false, "off": false,
        "0": false,
    ]

    /// `80%`, `80 percent`, `40.7°` and `40.7 S` mean 80, 80, 40.7 and -40.7.
    private static func withoutUnit(_ text: String) -> String {
        let number = text.prefix { $0.isNumber || "+-.".contains($0) }
        let unit = text.dropFirst(number.count).lowercased().filter { !$0.isWhitespace && $0 != "°" }
        switch unit {
        case "", "%", "percent", "n", "north", "e", "east", "m", "min", "minutes", "degrees":
            return String(number)
        case "s", "south", "w", "west": return number.hasPrefix("-") ? text : "-" + number
        default: return text
        }
    }

    /// The hint for a reminder in seconds: up to an hour's worth, a bare number means minutes.
    static func reminder(_ value: WrittenValue, in range: ClosedRange<Double>) -> String? {
        switch value {
        case .integer(let count) where (1...60).contains(count): return "\"\(count)m\""
        case .text(let text): if let count = Int(text) { return reminder(.integer(count), in: range) }
        default: break
        }
        return duration(value, in: range)
    }

    /// The hint for a duration: a bare number means seconds; `10 min` and `1h 30m` are read as durations.
    private static func duration(
        _ value: WrittenValue, in range: ClosedRange<Double>, exact: Bool = false
    ) -> String? {
        let seconds: Double? =
            switch value {
            case .integer(let integer) where integer >= 0: Double(integer)
            case .number(let number) where exact: number
            case .text(let text):
                (exact ? DurationText.fraction(text) : nil) ?? DurationText.parse(plain(text))
                    ?? Double(Int(text) ?? -1)
            default: nil
            }
        guard let seconds, range.contains(seconds) else { return nil }
        return "\"\(DurationText.formatExact(seconds))\""
    }

    /// Simplifies a duration: `10 Minutes` becomes `10m`, without spaces and with the first letter of every word.
    private static func plain(_ text: String) -> String {
        var result = ""
        for letter in text.lowercased() where letter != " " {
            if letter.isLetter, result.last?.isLetter == true { continue }
            result.append(letter)
        }
        return result
    }
}
