/// Single bytes: their classes, and skipping them.
extension TOMLParser {
    static let newline = UInt8(ascii: "\n"), carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " "), tab = UInt8(ascii: "\t")
    static let hash = UInt8(ascii: "#"), equals = UInt8(ascii: "="), comma = UInt8(ascii: ",")
    static let dot = UInt8(ascii: "."), minus = UInt8(ascii: "-")
    static let quote = UInt8(ascii: "\""), apostrophe = UInt8(ascii: "'"), backslash = UInt8(ascii: "\\")
    static let openBracket = UInt8(ascii: "["), closeBracket = UInt8(ascii: "]")
    static let openBrace = UInt8(ascii: "{"), closeBrace = UInt8(ascii: "}")

    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func consume(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    func startsWith(_ token: [UInt8]) -> Bool { bytes[offset...].starts(with: token) }

    mutating func skipSpace() {
        while let byte = peek, byte == Self.space || byte == Self.tab { offset += 1 }
    }

    /// Skips spaces, line ends and comments.
    mutating func skipBlank() throws(TOMLError) {
        repeat {
            skipSpace()
            if peek == Self.hash { try skipComment() }
        } while try consumeNewline()
    }

    /// Skips a comment up to the line's end.
    mutating func skipComment() throws(TOMLError) {
        while let byte = peek, !isNewline {
            try checkCharacter(byte)
            offset += 1
        }
    }

    var isNewline: Bool { peek == Self.newline || startsWith([Self.carriageReturn, Self.newline]) }

    mutating func consumeNewline() throws(TOMLError) -> Bool {
        if consume(Self.newline) { return true }
        guard peek == Self.carriageReturn else { return false }
        guard isNewline else { throw TOMLError(.loneCarriageReturn, at: offset) }
        offset += 2
        return true
    }

    /// The end of the line that contains `start`, without its line break.
    func lineEnd(from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end] != Self.newline { end += 1 }
        return end > start && bytes[end - 1] == Self.carriageReturn ? end - 1 : end
    }

    func checkCharacter(_ byte: UInt8) throws(TOMLError) {
        if byte == Self.carriageReturn { throw TOMLError(.loneCarriageReturn, at: offset) }
        if byte < 0x20 && byte != Self.tab || byte == 0x7F {
            throw TOMLError(.controlCharacter(UInt32(byte)), at: offset)
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    static func isBareLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Whether a bare key may contain the byte.
    static func isBare(_ byte: UInt8) -> Bool {
        isDigit(byte) || isBareLetter(byte) || byte == minus || byte == UInt8(ascii: "_")
    }

    /// Whether a number, a boolean or a date may contain the byte.
    static func isScalar(_ byte: UInt8) -> Bool {
        isBare(byte) || byte == dot || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ":")
    }
}
