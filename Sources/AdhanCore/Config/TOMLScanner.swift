/// Steps over the tokens of a TOML text. Every skip moves forward or stands at the end; nothing here can fail.
struct TOMLScanner {
    private let bytes: [UInt8]
    private(set) var offset: Int
    /// Where a string first spells out a NUL character as `\u0000` or `\U00000000`.
    private(set) var writtenNul: Int?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = bytes.starts(with: TextPosition.byteOrderMark) ? TextPosition.byteOrderMark.count : 0
    }

    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func advance() { offset = min(offset + 1, bytes.count) }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    mutating func skipSpace() {
        while let byte = peek, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { offset += 1 }
    }

    mutating func skipLine() {
        while let byte = peek, byte != UInt8(ascii: "\n") { offset += 1 }
    }

    /// Spaces, line ends and comments.
    mutating func skipBlank() {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): offset += 1
            case UInt8(ascii: "#"): skipLine()
            default: return
            }
        }
    }

    /// A number, a truth value, a date: up to what may follow a value. A date may have a space inside.
    mutating func skipScalar() {
        while let byte = peek, !Self.endsScalar.contains(byte) { offset += 1 }
    }

    private static let endsScalar = Array(",]}#\r\n".utf8)

    /// A string of any of the four kinds, its quotes included.
    mutating func skipString() {
        guard let quote = peek else { return }
        if startsWith([quote, quote, quote]) {
            skipLongString(quote)
            return
        }
        offset += 1
        while let byte = peek, byte != UInt8(ascii: "\n") {
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { noteEscape() }
            offset = min(
                offset + (byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1), bytes.count)
            if byte == quote { return }
        }
    }

    private mutating func skipLongString(_ quote: UInt8) {
        offset += 3
        while let byte = peek {
            if byte == quote, startsWith([quote, quote, quote]) {
                offset += 3
                // Up to two quotes may stand right before the closing three.
                for _ in 0..<2 where peek == quote { offset += 1 }
                return
            }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                noteEscape()
                advance()
            }
            advance()
        }
    }

    private mutating func noteEscape() {
        guard writtenNul == nil else { return }
        if startsWith(Array(#"\u0000"#.utf8)) || startsWith(Array(#"\U00000000"#.utf8)) {
            writtenNul = offset
        }
    }

    private func startsWith(_ token: [UInt8]) -> Bool {
        bytes[offset...].starts(with: token)
    }

    /// `a`, `a.b`, `"a b".'c'`: each part with the offset at which it begins. Empty when there is no key here.
    mutating func dottedKey() -> [(name: String, offset: Int)] {
        var parts: [(name: String, offset: Int)] = []
        repeat {
            skipSpace()
            let start = offset
            guard let name = simpleKey() else { break }
            parts.append((name, start))
            skipSpace()
        } while take(UInt8(ascii: "."))
        return parts
    }

    private mutating func simpleKey() -> String? {
        let start = offset
        guard let first = peek else { return nil }
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
            skipString()
            let inner = bytes[(start + 1)..<max(start + 1, offset - 1)]
            return first == UInt8(ascii: "'")
                ? String(decoding: inner, as: UTF8.self) : TOMLEscapes.decode(inner)
        }
        while let byte = peek, Self.isBare(byte) { offset += 1 }
        return offset > start ? String(decoding: bytes[start..<offset], as: UTF8.self) : nil
    }

    /// Whether a value may begin with `byte`, or what was meant as one.
    static func beginsValue(_ byte: UInt8) -> Bool {
        isBare(byte) || "\"'[{+.".utf8.contains(byte)
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
