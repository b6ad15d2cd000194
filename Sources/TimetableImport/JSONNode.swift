import Settings
import Texts

/// A JSON document with the lines of its values.
enum JSONNode {
    struct Member {
        let key: String
        let value: JSONNode
    }

    case object([Member], line: Int)
    case array([JSONNode], line: Int)
    /// A string, number or boolean as written; nil is null.
    case scalar(String?, line: Int)

    var line: Int {
        switch self {
        case .object(_, let line), .array(_, let line), .scalar(_, let line): line
        }
    }

    var members: [Member]? {
        if case .object(let members, _) = self { return members }
        return nil
    }

    var elements: [JSONNode]? {
        if case .array(let elements, _) = self { return elements }
        return nil
    }

    var text: String? {
        if case .scalar(let text, _) = self { return text }
        return nil
    }

    var isScalar: Bool {
        if case .scalar = self { return true }
        return false
    }
}

/// A small reader with a limited depth, which is enough for timetables. Numbers stay text.
struct JSONReader {
    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line = 1
    private var values = 0

    private static let deepest = 32
    private static let mostValues = 2_000_000

    static func read(_ text: String, file: String) throws(ImportRefusal) -> JSONNode {
        var reader = JSONReader(text, file)
        let node = try reader.value(depth: 0)
        reader.skipBlanks()
        guard reader.position == reader.bytes.count else { throw reader.wrong() }
        return node
    }

    private init(_ text: String, _ file: String) {
        bytes = Array(text.utf8)
        self.file = file
    }

    private func wrong(_ what: String = "the JSON is not well-formed here; was the file cut off?")
        -> ImportRefusal
    {
        ImportRefusal(what, file: file, line: line)
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            if byte == 0x0A { line += 1 }
            position += 1
        }
    }

    private mutating func consume(_ byte: Character) -> Bool {
        skipBlanks()
        guard current == byte.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(ImportRefusal) -> JSONNode {
        values += 1
        guard depth <= Self.deepest, values <= Self.mostValues else {
            throw wrong("the JSON is nested too deeply or too long for a timetable")
        }
        skipBlanks()
        let start = line
        switch current {
        case UInt8(ascii: "{"):
            position += 1
            var members: [JSONNode.Member] = []
            if consume("}") { return .object([], line: start) }
            repeat {
                skipBlanks()
                let key = try string()
                guard consume(":") else { throw wrong() }
                members.append(JSONNode.Member(key: key, value: try value(depth: depth + 1)))
            } while consume(",")
            guard consume("}") else { throw wrong() }
            return .object(members, line: start)
        case UInt8(ascii: "["):
            position += 1
            var elements: [JSONNode] = []
            if consume("]") { return .array([], line: start) }
            repeat { elements.append(try value(depth: depth + 1)) } while consume(",")
            guard consume("]") else { throw wrong() }
            return .array(elements, line: start)
        case UInt8(ascii: "\""):
            return .scalar(try string(), line: start)
        default:
            let first = position
            while let byte = current, Self.isWord(byte) { position += 1 }
            guard position > first else { throw wrong() }
            let word = String(decoding: bytes[first..<position], as: UTF8.self)
            return .scalar(word == "null" ? nil : word, line: start)
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
    }

    private mutating func string() throws(ImportRefusal) -> String {
        guard current == UInt8(ascii: "\"") else { throw wrong() }
        position += 1
        var text: [UInt8] = []
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw wrong()
            default: text.append(byte)
            }
        }
        throw wrong()
    }

    private mutating func escape(into text: inout [UInt8]) throws(ImportRefusal) {
        guard let byte = current else { throw wrong() }
        position += 1
        switch byte {
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "b"), UInt8(ascii: "f"):
            text.append(0x20)
        case UInt8(ascii: "u"):
            var unit = try hexadecimal()
            if (0xD800..<0xDC00).contains(unit), current == UInt8(ascii: "\\"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "u")
            {
                position += 2
                unit = 0x10000 + (unit - 0xD800) << 10 + (try hexadecimal() &- 0xDC00)
            }
            text += Array(String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
        default: text.append(byte)
        }
    }

    private mutating func hexadecimal() throws(ImportRefusal) -> UInt32 {
        guard position + 4 <= bytes.count,
            let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw wrong() }
        position += 4
        return value
    }
}
