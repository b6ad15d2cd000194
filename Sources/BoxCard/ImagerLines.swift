import Texts

/// The lines of a file of Raspberry Pi Imager, without comments and empty ones, read one after another.
struct ImagerLines {
    struct Line {
        /// Counted from 1, in the file.
        let number: Int
        /// Spaces before the text.
        let indent: Int
        /// The text without the spaces around it.
        let text: ArraySlice<UInt8>

        /// Whether it begins with the dash of a list.
        var isItem: Bool { text.first == UInt8(ascii: "-") && [nil, 0x20].contains(text.dropFirst().first) }
    }

    private var lines: [Line] = []
    private var index = 0

    init(_ file: [UInt8]) throws(ImagerError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = file.starts(with: mark) ? file.dropFirst(3) : file[...]
        let parts = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            guard !part.contains(0), String(validating: part, as: UTF8.self) != nil else {
                throw ImagerError(index + 1, "this is no UTF-8. Save the file with the encoding UTF-8")
            }
            let line = part.last == UInt8(ascii: "\r") ? part.dropLast() : part
            let body = line.drop { $0 == 0x20 }
            guard let first = body.first(where: { !ASCII.isBlank($0) }), first != UInt8(ascii: "#") else {
                continue
            }
            let end: Int = body.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? body.endIndex
            lines.append(
                Line(
                    number: index + 1, indent: body.startIndex - line.startIndex,
                    text: body[body.startIndex..<end]))
        }
    }

    var next: Line? { index < lines.count ? lines[index] : nil }

    mutating func advance() { index += 1 }

    /// Passes over what belongs to a key at `indent`: deeper lines, and list items at the key's own indentation.
    mutating func skipBlock(at indent: Int) {
        while let line = next, line.indent > indent || line.indent == indent && line.isItem { index += 1 }
    }

    /// Passes over a list item whose dash is at `indent`.
    mutating func skipItem(at indent: Int) {
        index += 1
        while let line = next, line.indent > indent { index += 1 }
    }

    /// Enters the list item that comes next: what follows its dash becomes a line of its own.
    /// - Returns: the indentation of the item's first line; `nil` where the item is empty.
    mutating func enterItem() -> Int? {
        guard let line = next else { return nil }
        let body = line.text.dropFirst().drop { $0 == 0x20 }
        if let first = body.first, first != UInt8(ascii: "#") {
            let inner = line.indent + body.startIndex - line.text.startIndex
            lines[index] = Line(number: line.number, indent: inner, text: body)
            return inner
        }
        index += 1
        return next.flatMap { $0.indent > line.indent ? $0.indent : nil }
    }
}

/// A mapping that is being read: where its keys stand, and which were there.
struct ImagerMapping {
    private let indent: Int
    private let quotes: ImagerScalar.Quotes
    private var known: Set<[UInt8]> = []

    /// The mapping of the whole file.
    init() {
        indent = 0
        quotes = .plain
    }

    /// The mapping below a key; `nil` for `{}`.
    init?(
        below entry: ImagerEntry, in lines: ImagerLines, quotes: ImagerScalar.Quotes = .plain
    ) throws(ImagerError) {
        switch try entry.value() {
        case .emptyMapping: return nil
        case .nothing:
            guard let line = lines.next, line.indent > entry.indent else {
                throw ImagerError(entry.line, "nothing is written below this key. " + ImagerEntry.remedy)
            }
            indent = line.indent
        case .scalar, .emptyList:
            throw ImagerError(
                entry.line, "keys belong below this key, and not behind it. " + ImagerEntry.remedy)
        }
        self.quotes = quotes
    }

    /// The mapping of a list item, whose first line stands at `indent`.
    init(at indent: Int) {
        self.indent = indent
        quotes = .plain
    }

    /// The next key of this mapping; `nil` where it ends.
    mutating func next(in lines: inout ImagerLines) throws(ImagerError) -> ImagerEntry? {
        guard let line = lines.next, line.indent >= indent else { return nil }
        guard line.indent == indent else {
            throw ImagerError(
                line.number,
                "this line has \(line.indent) spaces before it, and belongs to no key above it. "
                    + ImagerEntry.remedy)
        }
        let entry = try ImagerEntry(line, quotes: quotes)
        guard known.insert(entry.key.bytes).inserted else {
            throw ImagerError(line.number, "this key is written twice. Remove one of the two")
        }
        lines.advance()
        return entry
    }
}
