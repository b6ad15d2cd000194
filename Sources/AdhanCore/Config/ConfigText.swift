import TOMLKit

/// The text of a configuration file, and the errors that are about it as a text.
struct ConfigText {
    let bytes: [UInt8]
    let file: String

    func error(at offset: Int, key: String?, _ reason: String) -> ConfigError {
        let position = TextPosition(offset: offset, in: bytes)
        return ConfigError(
            file: file, line: position.line, column: position.column, key: key, reason: reason)
    }

    /// The text as TOMLKit is to see it.
    func decoded() throws(ConfigError) -> String {
        guard bytes.count <= ConfigLoader.longestFile else {
            throw error(
                at: 0, key: nil,
                "the file has \(bytes.count) bytes, allowed are \(ConfigLoader.longestFile); is it a configuration?"
            )
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw error(at: 0, key: nil, "the file is UTF-16; save it as UTF-8")
        }
        guard let string = String(validating: bytes, as: UTF8.self) else {
            let offset = Self.firstInvalid(bytes)
            throw error(
                at: offset, key: nil,
                "a byte that is not UTF-8 (\(Self.hex(bytes[offset]))); save the file as UTF-8")
        }
        // TOMLKit hands the text to C, where a NUL ends it.
        if let nul = bytes.firstIndex(of: 0) {
            throw error(at: nul, key: nil, "a NUL byte, which TOML does not allow; is it a text file?")
        }
        return string
    }

    /// What TOMLKit would take badly or not at all.
    func refuseStructure(_ keys: KeyLocator) throws(ConfigError) {
        if let offset = keys.tooDeep {
            throw error(
                at: offset, key: nil,
                "nested more than \(KeyLocator.deepest) levels deep; a configuration has 4")
        }
        if let (fault, offset) = keys.fault {
            let reason =
                switch fault {
                case .namelessTable:
                    "a table's name is missing after \"[\"; it begins with a letter, a digit, \"-\" or \"_\", as in [adhan]"
                case .noElement:
                    "no element of a list begins like this; texts stand between straight quotes, as in [\"10m\", \"5m\"]"
                }
            throw error(at: offset, key: nil, reason)
        }
        if let offset = keys.writtenNul {
            throw error(at: offset, key: nil, "a NUL character in a text, which no value here may contain")
        }
    }

    /// TOMLKit's verdict, said in our words where the cause is known.
    func syntaxError(_ error: TOMLParseError, _ keys: KeyLocator) -> ConfigError {
        let begin = error.source.begin
        if let duplicate = keys.duplicate {
            let again = TextPosition(offset: duplicate.offset, in: bytes)
            if again.line <= begin.line {
                let name = KeyPath.text(keys.path(of: duplicate.node))
                let first = TextPosition(offset: keys.nodes[duplicate.node].keyOffset, in: bytes)
                return self.error(
                    at: duplicate.offset, key: name,
                    "\(name) is set twice; it is already on line \(first.line), remove one of them")
            }
        }
        // At the end of the text TOMLKit may count a column more than there is.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = min(max(1, begin.line), lines.count)
        let length = lines[line - 1].count { $0 & 0xC0 != 0x80 }
        return ConfigError(
            file: file, line: line, column: min(max(1, begin.column), length + 1), key: nil,
            reason: "not valid TOML: \(Self.plain(error.description))" + guess(lines[line - 1], keys))
    }

    /// Most slips are a value without its quotes, or with more than TOML wants: says how it is written.
    private func guess(_ line: ArraySlice<UInt8>, _ keys: KeyLocator) -> String {
        let range = line.startIndex...line.endIndex
        // The last key of the line at which TOMLKit gave up.
        let last = keys.nodes.indices.last { range.contains(keys.nodes[$0].valueOffset) }
        guard let last, case .key(let name) = keys.nodes[last].part,
            case .key(let rule) = ConfigSchema.entries[KeyPath.names(keys.path(of: last))]
        else { return "" }
        let rest = bytes[keys.nodes[last].valueOffset...].prefix {
            $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "#")
        }
        let written = WrittenValue.text(Self.bare(String(decoding: rest, as: UTF8.self)))
        guard let meant = (try? rule.check(written))?.concise.toml ?? rule.hint(for: written) else {
            return ""
        }
        return "; did you mean \(name) = \(meant)?"
    }

    /// Without spaces around it, without quotes of any kind, and with a point for a decimal comma.
    private static func bare(_ text: String) -> String {
        var text = text[...]
        while let first = text.first, first.isWhitespace || quotes.contains(first) { text.removeFirst() }
        while let last = text.last, last.isWhitespace || quotes.contains(last) { text.removeLast() }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let isDecimal = parts.count == 2 && Double(parts[0]) != nil && UInt(parts[1]) != nil
        return isDecimal ? "\(parts[0]).\(parts[1])" : String(text)
    }

    private static let quotes = Set("\"'“”„‘’«»`")

    /// In one line, and without the words that only a programmer needs.
    private static func plain(_ description: String) -> String {
        description.replacing("Error while parsing ", with: "in a ").replacing("a array", with: "an array")
            .split(whereSeparator: \.isNewline).joined(separator: "\\n")
    }

    private static func firstInvalid(_ bytes: [UInt8]) -> Int {
        var offset = 0
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
        return min(offset, bytes.count - 1)
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "0x" + (digits.count < 2 ? "0" : "") + digits
    }
}

/// Paths of keys as people write them.
enum KeyPath {
    /// The names alone, without the elements of lists.
    static func names(_ parts: [KeyLocator.Part]) -> [String] {
        parts.compactMap { if case .key(let name) = $0 { name } else { nil } }
    }

    static func text(_ parts: [KeyLocator.Part]) -> String {
        var result = ""
        for part in parts {
            switch part {
            case .key(let name): result += (result.isEmpty ? "" : ".") + TOMLEscapes.key(name)
            case .index(let index): result += "[\(index)]"
            }
        }
        return result
    }
}
