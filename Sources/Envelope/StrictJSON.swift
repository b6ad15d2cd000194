/// JSON (RFC 8259) restricted for signed documents: unique keys, whole numbers that every reader understands alike, few
/// levels. Two programs that read the same bytes therefore never see two documents.
package enum StrictJSON: Sendable, Equatable {
    case null
    case flag(Bool)
    case integer(Int)
    case text(String)
    indirect case list([StrictJSON])
    indirect case object([String: StrictJSON])

    /// The most levels of objects and lists.
    package static let deepest = 8
    /// The largest integer that a double represents exactly (RFC 8259, section 6).
    package static let largestInteger = 9_007_199_254_740_991

    package init(_ bytes: [UInt8]) throws(StrictJSONError) {
        var reader = Reader(bytes)
        self = try reader.document()
    }
}

/// The first fault of a document.
package struct StrictJSONError: Error, Sendable, Equatable {
    package let reason: String
    /// The offset in bytes from the start of the document.
    package let offset: Int

    package var sentence: String { "\(reason), at byte \(offset)" }
}

extension StrictJSON {
    private struct Reader {
        let bytes: [UInt8]
        var at = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func document() throws(StrictJSONError) -> StrictJSON {
            let value = try value(depth: 0)
            skipBlanks()
            guard at == bytes.count else { throw fault("there is text after the end of the JSON") }
            return value
        }

        private func fault(_ reason: String) -> StrictJSONError {
            StrictJSONError(reason: reason, offset: at)
        }

        private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

        private static func isDigit(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }

        private mutating func skipBlanks() {
            while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { at += 1 }
        }

        private mutating func skip(_ byte: Character) -> Bool {
            guard next == byte.asciiValue else { return false }
            at += 1
            return true
        }

        private mutating func value(depth: Int) throws(StrictJSONError) -> StrictJSON {
            skipBlanks()
            switch next {
            case UInt8(ascii: "{"): return try object(depth: depth + 1)
            case UInt8(ascii: "["): return try list(depth: depth + 1)
            case UInt8(ascii: "\""): return .text(try text())
            case UInt8(ascii: "t"): return try word("true", .flag(true))
            case UInt8(ascii: "f"): return try word("false", .flag(false))
            case UInt8(ascii: "n"): return try word("null", .null)
            case nil: throw fault("the JSON ends too early")
            case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): return try integer()
            default: throw fault("there is no JSON value")
            }
        }

        private mutating func word(_ word: String, _ value: StrictJSON) throws(StrictJSONError) -> StrictJSON
        {
            guard bytes[at...].starts(with: word.utf8) else { throw fault("there is no JSON value") }
            at += word.utf8.count
            return value
        }

        private func hold(depth: Int) throws(StrictJSONError) {
            guard depth <= StrictJSON.deepest else {
                throw fault("the JSON has more than \(StrictJSON.deepest) levels")
            }
        }

        private mutating func object(depth: Int) throws(StrictJSONError) -> StrictJSON {
            try hold(depth: depth)
            at += 1
            var members: [String: StrictJSON] = [:]
            skipBlanks()
            if skip("}") { return .object(members) }
            repeat {
                skipBlanks()
                guard next == UInt8(ascii: "\"") else { throw fault("a key of an object is missing") }
                let start = at
                let key = try text()
                skipBlanks()
                guard skip(":") else { throw fault("\":\" is missing after a key") }
                let value = try value(depth: depth)
                guard members.updateValue(value, forKey: key) == nil else {
                    throw StrictJSONError(reason: "a key appears twice in one object", offset: start)
                }
                skipBlanks()
            } while skip(",")
            guard skip("}") else { throw fault("\"}\" is missing") }
            return .object(members)
        }

        private mutating func list(depth: Int) throws(StrictJSONError) -> StrictJSON {
            try hold(depth: depth)
            at += 1
            var elements: [StrictJSON] = []
            skipBlanks()
            if skip("]") { return .list(elements) }
            repeat {
                elements.append(try value(depth: depth))
                skipBlanks()
            } while skip(",")
            guard skip("]") else { throw fault("\"]\" is missing") }
            return .list(elements)
        }

        private mutating func integer() throws(StrictJSONError) -> StrictJSON {
            let start = at
            let isNegative = skip("-")
            var value = 0
            var digits = 0
            while let byte = next, Self.isDigit(byte) {
                guard digits == 0 || value > 0 else { throw fault("a number begins with 0") }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
                guard value <= StrictJSON.largestInteger else {
                    throw StrictJSONError(reason: "a number is beyond 2^53", offset: start)
                }
                digits += 1
                at += 1
            }
            guard digits > 0 else { throw fault("a number has no digits") }
            if let byte = next, byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
                throw fault("a number is not a whole number")
            }
            return .integer(isNegative ? -value : value)
        }

        private mutating func text() throws(StrictJSONError) -> String {
            at += 1
            let start = at
            var content: [UInt8] = []
            while let byte = next {
                switch byte {
                case UInt8(ascii: "\""):
                    at += 1
                    guard let text = String(validating: content, as: UTF8.self) else {
                        throw StrictJSONError(reason: "a text is not UTF-8", offset: start)
                    }
                    return text
                case UInt8(ascii: "\\"): try escape(into: &content)
                case 0..<0x20: throw fault("a text contains a control character")
                default:
                    content.append(byte)
                    at += 1
                }
            }
            throw fault("a text has no end")
        }

        private mutating func escape(into content: inout [UInt8]) throws(StrictJSONError) {
            at += 1
            switch next {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(bytes[at])
            case UInt8(ascii: "b"): content.append(0x08)
            case UInt8(ascii: "f"): content.append(0x0C)
            case UInt8(ascii: "n"): content.append(0x0A)
            case UInt8(ascii: "r"): content.append(0x0D)
            case UInt8(ascii: "t"): content.append(0x09)
            case UInt8(ascii: "u"):
                at += 1
                return content.append(contentsOf: Array(String(try scalar()).utf8))
            default: throw fault("a text has an unknown escape")
            }
            at += 1
        }

        /// Reads one character of `\uXXXX`, or of two of them that form a pair.
        private mutating func scalar() throws(StrictJSONError) -> Character {
            let first = try unit()
            var value = UInt32(first)
            if (0xD800...0xDBFF).contains(first) {
                guard skip("\\"), skip("u") else { throw fault("half of a surrogate pair is missing") }
                let second = try unit()
                guard (0xDC00...0xDFFF).contains(second) else {
                    throw fault("half of a surrogate pair is missing")
                }
                value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(value) else {
                throw fault("half of a surrogate pair is missing")
            }
            return Character(scalar)
        }

        private mutating func unit() throws(StrictJSONError) -> UInt16 {
            var value: UInt16 = 0
            for _ in 0..<4 {
                guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                    throw fault("\\u needs four hexadecimal digits")
                }
                value = value << 4 | UInt16(digit)
                at += 1
            }
            return value
        }
    }
}

extension StrictJSON: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }
}
