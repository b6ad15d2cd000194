/// Texts of the four kinds.
extension TOMLParser {
    mutating func readText() throws(TOMLFault) -> String {
        guard let quote = peek, startsWith([quote, quote, quote]) else { return try readLineText() }
        return try readLongText(quote)
    }

    /// Between single quotation marks, on one line.
    mutating func readLineText() throws(TOMLFault) -> String {
        let start = offset
        guard let quote = peek else { throw TOMLFault(.unclosedText, at: start) }
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
        throw TOMLFault(.unclosedText, at: start)
    }

    /// Between three quotation marks, over any number of lines.
    private mutating func readLongText(_ quote: UInt8) throws(TOMLFault) -> String {
        let start = offset
        offset += 3
        // A line that ends right behind the marks is no part of the text.
        _ = try takeNewline()
        var text: [UInt8] = []
        while let byte = peek {
            if byte == quote, startsWith([quote, quote, quote]) {
                offset += 3
                // Up to two quotation marks may stand right before the closing three.
                for _ in 0..<2 where take(quote) { text.append(quote) }
                return String(decoding: text, as: UTF8.self)
            }
            if byte == Self.backslash, quote == Self.quote {
                if try !skipFoldedLine() { text += try readEscape() }
            } else if try takeNewline() {
                text.append(Self.newline)
            } else {
                try checkCharacter(byte)
                text.append(byte)
                offset += 1
            }
        }
        throw TOMLFault(.unclosedText, at: start)
    }

    /// A backslash at the end of a line takes the line's end and all blanks behind it away.
    private mutating func skipFoldedLine() throws(TOMLFault) -> Bool {
        let start = offset
        offset += 1
        skipSpace()
        guard try takeNewline() else {
            offset = start
            return false
        }
        repeat { skipSpace() } while try takeNewline()
        return true
    }

    private mutating func readEscape() throws(TOMLFault) -> [UInt8] {
        let start = offset
        offset += 1
        guard let letter = peek else { throw TOMLFault(.unknownEscape, at: start) }
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
                    throw TOMLFault(.unknownEscape, at: start)
                }
                value = value << 4 | UInt32(digit)
                offset += 1
            }
            guard let scalar = Unicode.Scalar(value) else { throw TOMLFault(.unknownEscape, at: start) }
            return Array(String(scalar).utf8)
        default: throw TOMLFault(.unknownEscape, at: start)
        }
    }
}
