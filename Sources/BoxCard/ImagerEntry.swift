import Texts

/// One key of a mapping, and the rest of its line.
struct ImagerEntry {
    enum Value {
        /// The line ends behind the key: its mapping or list is below it.
        case nothing
        case emptyList
        case emptyMapping
        case scalar(ImagerScalar)
    }

    let key: ImagerScalar
    let line: Int
    let indent: Int
    /// The rest, which is parsed only when the value is needed: skipped keys may have any content.
    private let rest: ArraySlice<UInt8>

    static let remedy = "Flash the card with Raspberry Pi Imager again"

    init(_ line: ImagerLines.Line, quotes: ImagerScalar.Quotes) throws(ImagerError) {
        (self.line, indent) = (line.number, line.indent)
        let text = line.text
        guard !text.starts(with: Array("---".utf8)), !text.starts(with: Array("...".utf8)) else {
            throw ImagerError(line.number, "only one document may be in this file. Remove what begins here")
        }
        if let (scalar, rest) = try ImagerScalar.quoted(text, line.number, quotes) {
            guard rest.first == UInt8(ascii: ":") else { throw Self.noKey(line.number) }
            (key, self.rest) = (scalar, rest.dropFirst())
        } else {
            let colon = text.indices.first {
                text[$0] == UInt8(ascii: ":") && [nil, 0x20].contains(text[($0 + 1)...].first)
            }
            var name = text[..<(colon ?? text.endIndex)]
            // As in YAML: "hostname : a" is a hostname.
            while name.last == 0x20 { name.removeLast() }
            try ImagerScalar.check(name, line.number)
            guard let colon, !line.isItem else { throw Self.noKey(line.number) }
            guard !name.elementsEqual("<<".utf8) else {
                throw ImagerError(line.number, "\"<<\" is not read here. " + Self.remedy)
            }
            key = ImagerScalar(bytes: Array(name), isQuoted: false)
            rest = text[(colon + 1)...]
        }
        guard rest.isEmpty || rest.first == 0x20 else { throw Self.noKey(line.number) }
    }

    private static func noKey(_ line: Int) -> ImagerError {
        ImagerError(line, "a key and a colon belong here, as in \"KEY: VALUE\". " + remedy)
    }

    /// Whether a report may name it: letters, digits and few signs, as keys of cloud-init have.
    var isName: Bool {
        (1...64).contains(key.bytes.count)
            && key.bytes.allSatisfy { ZonePlaces.isWord($0) || $0 == UInt8(ascii: ".") }
    }

    /// The key as a report names it: whatever is no letter of a name becomes an underscore.
    var visibleName: String {
        var name: [UInt8] = []
        for byte in key.bytes {
            if ZonePlaces.isWord(byte) || byte == UInt8(ascii: ".") {
                name.append(byte)
            } else if name.last != UInt8(ascii: "_") {
                name.append(UInt8(ascii: "_"))
            }
        }
        return name.isEmpty ? "_" : String(decoding: name.prefix(64), as: UTF8.self)
    }

    func value() throws(ImagerError) -> Value { try Self.value(of: rest, line) }

    /// The value of a key, or of a list item.
    static func value(of rest: ArraySlice<UInt8>, _ line: Int) throws(ImagerError) -> Value {
        let text = rest.drop { $0 == 0x20 }
        if text.isEmpty || text.first == UInt8(ascii: "#") { return .nothing }
        if let (scalar, behind) = try ImagerScalar.quoted(text, line, .plain) {
            let comment = behind.drop { $0 == 0x20 }
            let isComment = comment.first == UInt8(ascii: "#") && behind.first == 0x20
            guard comment.isEmpty || isComment else {
                throw ImagerError(line, "behind a value in quotes there is nothing, or a \"#\" and a comment")
            }
            return .scalar(scalar)
        }
        let comment = text.indices.dropFirst().first {
            text[$0] == UInt8(ascii: "#") && text[$0 - 1] == 0x20
        }
        var plain = text[..<(comment ?? text.endIndex)]
        while plain.last == 0x20 { plain.removeLast() }
        if plain.elementsEqual("[]".utf8) { return .emptyList }
        if plain.elementsEqual("{}".utf8) { return .emptyMapping }
        try ImagerScalar.check(plain, line)
        let isNested = plain.indices.contains {
            plain[$0] == UInt8(ascii: ":") && [nil, 0x20].contains(plain[($0 + 1)...].first)
        }
        guard !isNested else {
            throw ImagerError(line, "a value with a colon and a space in it belongs into quotes")
        }
        return .scalar(ImagerScalar(bytes: Array(plain), isQuoted: false))
    }

    // MARK: Values of one kind

    /// The text behind the key.
    func scalar() throws(ImagerError) -> ImagerScalar {
        guard case .scalar(let scalar) = try value() else {
            throw ImagerError(line, "a value belongs behind this key. " + Self.remedy)
        }
        return scalar
    }

    func flag() throws(ImagerError) -> Bool {
        let scalar = try scalar()
        switch (scalar.text, scalar.isQuoted) {
        case ("true", false): return true
        case ("false", false): return false
        default: throw ImagerError(line, "only true or false belongs behind this key. " + Self.remedy)
        }
    }

    /// Why this key is not read here. It is not repeated: in a damaged file it may be a password.
    var unknown: ImagerError {
        ImagerError(line, "this key is not read here, since Imager does not write it. " + Self.remedy)
    }
}

/// A key or a value.
struct ImagerScalar {
    /// How the names of networks are written.
    enum Quotes {
        /// A quote in quotes is `\"`, and a backslash elsewhere is itself.
        case plain
        /// Imager 2.0.3 and newer: `\\`, `\"`, `\n`, `\r`, `\t`, `\b`, `\f`, `\0` and `\xHH` in names of networks.
        case bytes
    }

    let bytes: [UInt8]
    let isQuoted: Bool

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The scalar in quotes at the beginning of `text`, and what follows it; `nil` where there are no quotes.
    static func quoted(
        _ text: ArraySlice<UInt8>, _ line: Int, _ quotes: Quotes
    ) throws(ImagerError) -> (ImagerScalar, ArraySlice<UInt8>)? {
        guard let quote = text.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return nil
        }
        if quotes == .bytes, quote == UInt8(ascii: "\""), let found = escaped(text.dropFirst()) {
            return found
        }
        var bytes: [UInt8] = []
        var rest = text.dropFirst()
        while let byte = rest.popFirst() {
            if byte == quote { return (ImagerScalar(bytes: bytes, isQuoted: true), rest) }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), rest.first == quote {
                rest.removeFirst()
                bytes.append(quote)
                continue
            }
            guard byte >= 0x20, byte != 0x7F else { throw control(byte, line) }
            bytes.append(byte)
        }
        throw ImagerError(line, "the quotes that begin here do not end in this line. " + ImagerEntry.remedy)
    }

    /// Parses an escaped value of newer Imagers; `nil` where they did not write it.
    private static func escaped(_ text: ArraySlice<UInt8>) -> (ImagerScalar, ArraySlice<UInt8>)? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return (ImagerScalar(bytes: bytes, isQuoted: true), rest) }
            guard byte >= 0x20, byte != 0x7F else { return nil }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "\""): bytes.append(UInt8(ascii: "\""))
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "0"): bytes.append(0)
            case UInt8(ascii: "x"):
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                    let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: return nil
            }
        }
        return nil
    }

    /// Refuses what YAML has and Imager does not write, in a key or value without quotes.
    static func check(_ text: ArraySlice<UInt8>, _ line: Int) throws(ImagerError) {
        for byte in text where byte < 0x20 || byte == 0x7F { throw control(byte, line) }
        let what: String
        switch text.first {
        case UInt8(ascii: "&"): what = "an anchor (\"&\")"
        case UInt8(ascii: "*"): what = "an alias (\"*\")"
        case UInt8(ascii: "!"): what = "a tag (\"!\")"
        case UInt8(ascii: "["), UInt8(ascii: "{"): what = "a list or mapping in brackets"
        case UInt8(ascii: "|"), UInt8(ascii: ">"): what = "a text of several lines"
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: "%"), UInt8(ascii: "@"),
            UInt8(ascii: "`"), UInt8(ascii: "\""), UInt8(ascii: "'"):
            what = "a value that begins with a sign"
        case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
            guard [nil, 0x20].contains(text.dropFirst().first) else { return }
            what = "a list or key within a line"
        default: return
        }
        throw ImagerError(line, "\(what) is not read here. " + ImagerEntry.remedy)
    }

    private static func control(_ byte: UInt8, _ line: Int) -> ImagerError {
        byte == 0x09
            ? ImagerError(line, "a tab is in this line. Write spaces in its place")
            : ImagerError(line, "an invisible character is in this line. " + ImagerEntry.remedy)
    }
}
