/// What somebody probably meant by a value that its rule refuses.
extension ValueRule {
    /// As TOML writes it, or `nil`.
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
        case (.oneOf(let names), .text(let text)): NearestName.of(text, among: names).map(TOMLEscapes.quote)
        case (.method, .text(let text)):
            NearestName.of(text, among: MethodNames.all).map(TOMLEscapes.quote)
        case (.duration(let range), _): Self.duration(value, in: range)
        case (.durations(let range), .text), (.durations(let range), .integer):
            Self.duration(value, in: range).map { "[\($0)]" }
        case (.texts(let kind, orOne: false), .text(let text)):
            kind.fault(in: text) == nil ? "[\(TOMLEscapes.quote(text))]" : nil
        default: nil
        }
    }

    private static let flags = [
        "true": true, "yes": true, "on": true, "1": true, "false": false, "no": false, "off": false,
        "0": false,
    ]

    /// `80%` and `40.7°` are 80 and 40.7 to whoever wrote them.
    private static func withoutUnit(_ text: String) -> Substring {
        text.last == "%" || text.last == "°" ? text.dropLast() : text[...]
    }

    /// A bare number is taken for seconds; `10 min` and `1h 30m` for what they say.
    private static func duration(_ value: WrittenValue, in range: ClosedRange<Double>) -> String? {
        let seconds: Double? =
            switch value {
            case .integer(let integer) where integer >= 0: Double(integer)
            case .text(let text): DurationText.parse(plain(text)) ?? Double(Int(text) ?? -1)
            default: nil
            }
        guard let seconds, range.contains(seconds) else { return nil }
        return "\"\(DurationText.format(seconds))\""
    }

    /// `10 Minutes` becomes `10m`: no spaces, and of every word its first letter.
    private static func plain(_ text: String) -> String {
        var result = ""
        for letter in text.lowercased() where letter != " " {
            if letter.isLetter, result.last?.isLetter == true { continue }
            result.append(letter)
        }
        return result
    }
}
