/// Where every table header and every value of a TOML text begins and ends: what has to be known to change one value and leave
/// the rest as its author wrote it. For text that ``ConfigLoader`` has read without complaint.
struct ConfigOutline {
    struct Header {
        let path: [String]
        /// Offset of `[`, and of the end of its line without the line's end.
        let start: Int
        let end: Int
    }

    struct Entry {
        /// From the top: its header's path, and its own key with all dots.
        let path: [String]
        let keyStart: Int
        let value: Range<Int>
        /// The header below which it stands; `nil` before the first.
        let header: Int?
        /// Whether it stands inside `{ }`.
        let isInline: Bool
    }

    private(set) var headers: [Header] = []
    private(set) var entries: [Entry] = []
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var scanner = TOMLScanner(bytes)
        scanner.skipBlank()
        while let byte = scanner.peek {
            if byte == UInt8(ascii: "[") {
                readHeader(&scanner)
            } else {
                readPair(&scanner, below: headers.last?.path ?? [], isInline: false)
            }
            scanner.skipBlank()
        }
    }

    /// The value of a key.
    func entry(_ path: [String]) -> Entry? { entries.first { $0.path == path } }

    /// The table written in braces that holds `path`, the innermost.
    func inlineTable(around path: [String]) -> Entry? {
        entries.filter { isTable($0) && $0.path.count < path.count && path.starts(with: $0.path) }
            .max { $0.path.count < $1.path.count }
    }

    func isTable(_ entry: Entry) -> Bool { bytes[entry.value.lowerBound] == UInt8(ascii: "{") }

    private mutating func readHeader(_ scanner: inout TOMLScanner) {
        let start = scanner.offset
        scanner.advance()
        _ = scanner.take(UInt8(ascii: "["))
        let path = scanner.dottedKey().map(\.name)
        scanner.skipLine()
        let end =
            scanner.offset > start && bytes[scanner.offset - 1] == UInt8(ascii: "\r")
            ? scanner.offset - 1 : scanner.offset
        headers.append(Header(path: path, start: start, end: end))
    }

    private mutating func readPair(_ scanner: inout TOMLScanner, below path: [String], isInline: Bool) {
        let key = scanner.dottedKey()
        scanner.skipSpace()
        guard let first = key.first, scanner.take(UInt8(ascii: "=")) else { return scanner.advance() }
        scanner.skipSpace()
        let start = scanner.offset
        let (own, index) = (path + key.map(\.name), entries.count)
        skipValue(&scanner, own)
        var end = scanner.offset
        // A bare value may have a space inside, as a date does, and so takes the spaces before a comment along.
        while end > start, bytes[end - 1] == UInt8(ascii: " ") || bytes[end - 1] == UInt8(ascii: "\t") {
            end -= 1
        }
        let entry = Entry(
            path: own, keyStart: first.offset, value: start..<end,
            header: headers.isEmpty ? nil : headers.count - 1, isInline: isInline)
        entries.insert(entry, at: index)
    }

    private mutating func skipValue(_ scanner: inout TOMLScanner, _ path: [String]) {
        switch scanner.peek {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): scanner.skipString()
        case UInt8(ascii: "{"):
            scanner.advance()
            while let byte = scanner.peek, !scanner.take(UInt8(ascii: "}")) {
                if byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
                    scanner.advance()
                } else {
                    readPair(&scanner, below: path, isInline: true)
                }
            }
        case UInt8(ascii: "["):
            scanner.advance()
            scanner.skipBlank()
            while let byte = scanner.peek, !scanner.take(UInt8(ascii: "]")) {
                if byte == UInt8(ascii: ",") { scanner.advance() } else { skipElement(&scanner) }
                scanner.skipBlank()
            }
        default: scanner.skipScalar()
        }
    }

    /// An element of a list; what no element can be is stepped over.
    private mutating func skipElement(_ scanner: inout TOMLScanner) {
        let (start, known) = (scanner.offset, entries.count)
        skipValue(&scanner, [])
        // Keys inside of lists are nobody's.
        entries.removeSubrange(known...)
        if scanner.offset == start { scanner.advance() }
    }
}
