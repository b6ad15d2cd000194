/// Reads strings of the four kinds.
extension TOMLParser {
    mutating func readText() throws(TOMLError) -> String {
        guard let quote = peek, startsWith([quote, quote, quote]) else { return try readLineText() }
        return try readLongText(quote)
    }

    /// Reads a string in single quotation marks, on one line.
    mutating func readLineText() throws(TOMLError) -> String {
        let start = offset
        guard let quote = peek else { throw TOMLError(.unclosedText, at: start) }
        offset += 1
        var text: [UInt8] = []
        while let byte = peek, byte != Self.newline {
            if byte == quote {
                offset += 1
                return String(decoding: text, as: UTF8.self)
            }
            if byte == Self.backslash, quote == Self.quote {
                text += try readEscape()
            } else {
                if byte == Self.carriageReturn, isNewline { break }
                try checkCharacter(byte)
                text.append(byte)
                offset += 1
            }
        }
        throw TOMLError(.unclosedText, at: start)
    }

    /// Reads a string in three quotation marks, over any number of lines.
    private mutating func readLongText(_ quote: UInt8) throws(TOMLError) -> String {
        let start = offset
        offset += 3
        // A line break directly after the opening marks is not part of the string.
        _ = try consumeNewline()
        var text: [UInt8] = []
        while let byte = peek {
            if byte == quote, startsWith([quote, quote, quote]) {
                offset += 3
                // Up to two quotation marks may precede the closing three.
                for _ in 0..<2 where consume(quote) { text.append(quote) }
                return String(decoding: text, as: UTF8.self)
            }
            if byte == Self.backslash, quote == Self.quote {
                if try !skipFoldedLine() { text += try readEscape() }
            } else if try consumeNewline() {
                text.append(Self.newline)
            } else {
                try checkCharacter(byte)
                text.append(byte)
                offset += 1
            }
        }
        throw TOMLError(.unclosedText, at: start)
    }

    /// Skips a backslash at the end of a line, with the line break and all whitespace after it.
    private mutating func skipFoldedLine() throws(TOMLError) -> Bool {
        let start = offset
        offset += 1
        skipSpace()
        guard try consumeNewline() else {
            offset = start
            return false
        }
        repeat { skipSpace() } while try consumeNewline()
        return true
    }

    private mutating func readEscape() throws(TOMLError) -> [UInt8] {
        let start = offset
        offset += 1
        guard let letter = peek else { throw TOMLError(.unknownEscape, at: start) }
        offset += 1
        switch letter {
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "r"): return [0x0D]
        case Self.quote, Self.backslash: return [letter]
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            let count = letter == UInt8(ascii: "u") ? 4 : 8
            var value: UInt32 = 0
            for _ in 0..<count {
                guard let byte = peek, let digit = TOMLScalar.digit(byte, radix: 16) else {
                    throw TOMLError(.unknownEscape, at: start)
                }
                value = value << 4 | UInt32(digit)
                offset += 1
            }
            guard let scalar = Unicode.Scalar(value) else { throw TOMLError(.unknownEscape, at: start) }
            return Array(String(scalar).utf8)
        default: throw TOMLError(.unknownEscape, at: start)
        }
    }
}
