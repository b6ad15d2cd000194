/// The filter for text from outside (file names, configurations, devices, other programs' answers): characters that move a
/// terminal's cursor, change its colours, begin a new line or reverse the order of letters are shown as escapes.
package enum PlainText {
    /// `text` on one line, with `\n`, `\u{1b}` or `\u{202e}` in place of such characters; `keepingLines` keeps line ends.
    package static func visible(_ text: String, keepingLines: Bool = false) -> String {
        guard text.unicodeScalars.contains(where: { isHidden($0.value) && !(keepingLines && $0 == "\n") })
        else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where keepingLines: result.unicodeScalars.append(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where isHidden(scalar.value): result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Filters a program's own output on a terminal: line ends, tabs and the decoration of ``Style`` stay.
    package static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isHidden($0.value) && $0 != "\n" }) else { return text }
        var result = ""
        var rest = text[...]
        while let scalar = rest.unicodeScalars.first {
            if let decoration = Style.decorations.first(where: rest.unicodeScalars.starts(with:)) {
                result.unicodeScalars.append(contentsOf: decoration)
                rest = Substring(rest.unicodeScalars.dropFirst(decoration.count))
                continue
            }
            // A carriage return without a line end would overwrite the line.
            let endsLine = scalar == "\r" && rest.unicodeScalars.dropFirst().first == "\n"
            let kept = scalar == "\n" || scalar == "\t" || endsLine || !isHidden(scalar.value)
            if kept { result.unicodeScalars.append(scalar) } else { result += visible(String(scalar)) }
            rest = Substring(rest.unicodeScalars.dropFirst())
        }
        return result
    }

    /// JSON whose decoded strings are visible. `keepingLines` keeps line ends in them.
    package static func visible(json: some Sequence<UInt8>, keepingLines: Bool = false) -> [UInt8] {
        rewritten(Array(json)) { value in
            if keepingLines, value == 0x0A { return nil }
            return switch value {
            case 0x0A: "\\\\n"
            case 0x0D: "\\\\r"
            case 0x09: "\\\\t"
            default: "\\\\u{\(String(value, radix: 16))}"
            }
        }
    }

    /// The JSON with hidden characters as escapes, which changes no string: it can be shown on a terminal.
    package static func printable(json: [UInt8]) -> [UInt8] {
        rewritten(json) { value in
            // An existing escape is kept.
            value < 0x20 ? nil : escape(value)
        }
    }

    /// `\u202e`; two of them, a surrogate pair, outside the basic plane.
    private static func escape(_ value: UInt32) -> String {
        guard value > 0xFFFF, let scalar = Unicode.Scalar(value) else { return "\\u" + fourDigits(value) }
        return String(scalar).utf16.map { "\\u" + fourDigits(UInt32($0)) }.joined()
    }

    /// Replaces hidden characters in JSON, literal or escaped; `nil` keeps one.
    private static func rewritten(_ json: [UInt8], _ replacement: (UInt32) -> String?) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        var index = 0
        while index < json.count {
            let (value, length) = character(at: index, in: json)
            if let value, isHidden(value), let text = replacement(value) {
                result += Array(text.utf8)
            } else {
                result += json[index..<(index + length)]
            }
            index += length
        }
        return result
    }

    /// The character at `index`, and its number of bytes; `nil` for a byte that begins no hidden character. Line ends between
    /// JSON's tokens, as in an indented document, are not characters of a string.
    private static func character(at index: Int, in json: [UInt8]) -> (value: UInt32?, length: Int) {
        let byte = json[index]
        if byte == UInt8(ascii: "\\"), index + 1 < json.count {
            let escapes: [UInt8: UInt32] = [
                UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
                UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
            ]
            guard json[index + 1] == UInt8(ascii: "u") else { return (escapes[json[index + 1]], 2) }
            let (value, length) = unicodeEscape(at: index, in: json)
            guard let value, value & 0xFC00 == 0xD800,
                case (let low?, let more) = unicodeEscape(at: index + length, in: json),
                low & 0xFC00 == 0xDC00
            else { return (value, length) }
            return (0x10000 + ((value & 0x3FF) << 10 | low & 0x3FF), length + more)
        }
        // Two bytes: U+0080 to U+07FF. Three: U+0800 to U+FFFF. Four: beyond.
        if byte == 0x7F { return (0x7F, 1) }
        if byte & 0xE0 == 0xC0, index + 1 < json.count {
            return (UInt32(byte & 0x1F) << 6 | UInt32(json[index + 1] & 0x3F), 2)
        }
        if byte & 0xF0 == 0xE0, index + 2 < json.count {
            let low = UInt32(json[index + 1] & 0x3F) << 6 | UInt32(json[index + 2] & 0x3F)
            return (UInt32(byte & 0x0F) << 12 | low, 3)
        }
        if byte & 0xF8 == 0xF0, index + 3 < json.count {
            let rest = json[(index + 1)...(index + 3)].reduce(0) { $0 << 6 | UInt32($1 & 0x3F) }
            return (UInt32(byte & 0x07) << 18 | rest, 4)
        }
        return (nil, 1)
    }

    /// Reads one `\uXXXX`, with its number of bytes; `nil` where there is none, or where it is incomplete.
    private static func unicodeEscape(at index: Int, in json: [UInt8]) -> (value: UInt32?, length: Int) {
        guard index + 1 < json.count, json[index] == UInt8(ascii: "\\"), json[index + 1] == UInt8(ascii: "u")
        else { return (nil, 0) }
        let digits = json[(index + 2)..<min(index + 6, json.count)]
        let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        return (digits.count == 4 ? value : nil, 2 + digits.count)
    }

    private static func fourDigits(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Whether a character is hidden: control characters (C0, DEL, C1), ends of lines and paragraphs, characters that control the
    /// direction of text (Unicode's property Bidi_Control), and invisible characters, except for the joiners of Persian and Indic
    /// words.
    package static func isHidden(_ value: UInt32) -> Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0xE0000...0xE007F: true
        default: false
        }
    }

    /// Turns another program's text into a sentence with a capital and a full stop.
    package static func sentence(_ text: some StringProtocol) -> String {
        let end = text.last.map { ".?!:".contains($0) } ?? true
        return text.prefix(1).uppercased() + text.dropFirst() + (end ? "" : ".")
    }

    /// `Fajr`, `Fajr and Isha`, `Fajr, Asr and Isha`
    package static func list(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
