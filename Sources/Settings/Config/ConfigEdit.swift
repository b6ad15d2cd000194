import TOML

/// Changes to a configuration's text that preserve everything else as its author wrote it: comments, order, spaces, line ends.
///
/// For text that ``ConfigLoader`` has read without an error. Load the result before using it: a text may be valid and still have
/// no room for a change, such as a table inside a list.
package struct ConfigEdit: Sendable {
    /// A value as TOML writes it.
    package enum Value: Sendable, Equatable {
        case text(String)
        case integer(Int)
        case number(Double)
        case texts([String])
        /// A value that is already written in TOML.
        case toml(String)

        package var toml: String {
            switch self {
            case .text(let text): ConfigValue.text(text).toml
            case .integer(let integer): ConfigValue.integer(integer).toml
            case .number(let number): ConfigValue.number(number).toml
            case .texts(let texts): ConfigValue.texts(texts).toml
            case .toml(let text): text
            }
        }
    }

    package internal(set) var bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Sets the key at `path`, such as `["location", "latitude"]`: in place where it exists, else in its table, else in a new
    /// table at the end of the text.
    package mutating func set(_ path: [String], _ value: Value) {
        let outline = TOMLDocument(bytes)
        let table = Array(path.dropLast())
        if let entry = outline.pair(path) {
            bytes.replaceSubrange(outline.value(of: entry), with: value.toml.utf8)
        } else if let inline = outline.inlineTable(around: path) {
            insert(Self.pair(path.dropFirst(inline.path.count), value), into: outline.value(of: inline))
        } else if let index = outline.headers.firstIndex(where: { $0.path == table }) {
            add(Self.pair(path.suffix(1), value), named: path, to: index, outline)
        } else if let sibling = outline.pairs.last(where: {
            !$0.isInline && $0.path.count > table.count && $0.path.starts(with: table)
                && (outline.path(of: $0).count < table.count || table.isEmpty && $0.header == nil)
        }) {
            // Dotted keys make its table, or it is the top of the file.
            let own = path.dropFirst(outline.path(of: sibling).count)
            insertLine(Self.pair(own, value), after: outline.value(of: sibling).upperBound)
        } else if table.isEmpty {
            insertAtTop(Self.pair(path[...], value), outline)
        } else {
            appendTable(table, Self.pair(path.suffix(1), value))
        }
    }

    /// Removes a key: its line, with the comment on it. In braces only the key is removed.
    package mutating func remove(_ path: [String]) {
        let outline = TOMLDocument(bytes)
        guard let entry = outline.pair(path) else { return }
        let value = outline.value(of: entry)
        guard entry.isInline else {
            let start = bytes[..<entry.keyStart].lastIndex(of: Self.newline).map { $0 + 1 } ?? entry.keyStart
            let end = bytes[value.upperBound...].firstIndex(of: Self.newline).map { $0 + 1 } ?? bytes.count
            bytes.removeSubrange(min(start, entry.keyStart)..<end)
            return
        }
        // The comma that separates it from its neighbour is removed, too.
        var (start, end) = (entry.keyStart, value.upperBound)
        let next = bytes[end...].firstIndex { $0 != UInt8(ascii: " ") } ?? end
        if next < bytes.count, bytes[next] == UInt8(ascii: ",") {
            end = next + 1
            while end < bytes.count, bytes[end] == UInt8(ascii: " ") { end += 1 }
        } else if let comma = bytes[..<start].lastIndex(where: { $0 != UInt8(ascii: " ") }),
            bytes[comma] == UInt8(ascii: ",")
        {
            start = comma
        }
        bytes.removeSubrange(start..<end)
    }

    /// Puts a `#` before the lines of a table and of everything in it.
    package mutating func commentOut(table path: [String]) {
        let outline = TOMLDocument(bytes)
        var starts = outline.headers.filter { $0.path.starts(with: path) }.map(\.start)
        for entry in outline.pairs where entry.path.starts(with: path) && !entry.isInline {
            // A value may extend over several lines.
            starts.append(entry.keyStart)
            for offset in outline.value(of: entry) where bytes[offset] == Self.newline {
                starts.append(offset + 1)
            }
        }
        for start in Set(starts).sorted(by: >) { bytes.insert(contentsOf: "# ".utf8, at: start) }
    }

    // MARK: - Places in the text

    /// Adds a key under a header: after the line that shows the key commented out, else after the last key, else first.
    private mutating func add(_ pair: String, named path: [String], to index: Int, _ outline: TOMLDocument) {
        let header = outline.headers[index]
        let end = index + 1 < outline.headers.count ? outline.headers[index + 1].start : bytes.count
        let own = outline.pairs.filter { $0.header == index && !$0.isInline }
        let free = (own.last.map { outline.value(of: $0).upperBound } ?? header.end)..<end
        let shown = commented(path[path.count - 1], in: header.end..<end)
        insertLine(pair, after: shown ?? free.lowerBound)
    }

    /// The end of a line such as `# timezone = "…"`.
    private func commented(_ key: String, in range: Range<Int>) -> Int? {
        var start = range.lowerBound
        while start < range.upperBound {
            let line = bytes[start..<range.upperBound].prefix { $0 != Self.newline }
            let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if text.first == UInt8(ascii: "#") {
                let bare = text.drop { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: " ") }
                let rest = bare.dropFirst(key.utf8.count).drop { $0 == UInt8(ascii: " ") }
                if bare.starts(with: key.utf8), rest.first == UInt8(ascii: "=") { return start }
            }
            start = line.endIndex + 1
        }
        return nil
    }

    /// Inserts a line after the line of `offset`.
    private mutating func insertLine(_ text: String, after offset: Int) {
        let end = bytes[offset...].firstIndex(of: Self.newline)
        let ending = lineEnd
        if let end {
            bytes.insert(contentsOf: text.utf8 + ending, at: end + 1)
        } else {
            bytes += bytes.isEmpty ? text.utf8 + ending : ending + text.utf8 + ending
        }
    }

    /// Inserts before the first table and its comment, unless a comment shows the key.
    private mutating func insertAtTop(_ pair: String, _ outline: TOMLDocument) {
        let mark = bytes.starts(with: TOMLDocument.byteOrderMark) ? TOMLDocument.byteOrderMark.count : 0
        let end = outline.headers.first?.start ?? bytes.count
        let key = pair.prefix { $0 != " " }
        if let shown = commented(String(key), in: mark..<end) { return insertLine(pair, after: shown) }
        let ending = lineEnd
        if outline.headers.isEmpty {
            // The text consists of comments only.
            if bytes.count > mark, bytes.last != Self.newline { bytes += ending }
            bytes += pair.utf8 + ending
            return
        }
        // Insert after the last empty line before the header, else before everything.
        var start = mark
        for offset in mark..<end where bytes[offset] == Self.newline {
            let next = bytes[(offset + 1)...].drop { $0 == UInt8(ascii: "\r") }
            if next.first == Self.newline, next.startIndex < end { start = next.startIndex + 1 }
        }
        bytes.insert(contentsOf: pair.utf8 + ending + ending, at: start)
    }

    /// Appends a table at the end of the text, after an empty line.
    private mutating func appendTable(_ path: [String], _ pair: String) {
        let header = "[" + path.map(TOMLEscapes.key).joined(separator: ".") + "]"
        let ending = lineEnd
        if !bytes.isEmpty, bytes.last != Self.newline { bytes += ending }
        let isBlank = bytes.isEmpty || bytes.suffix(ending.count * 2) == ending + ending
        bytes += (isBlank ? [] : ending) + header.utf8 + ending + pair.utf8 + ending
    }

    /// Inserts into `{ }`, before its content.
    private mutating func insert(_ pair: String, into inline: Range<Int>) {
        let start = inline.lowerBound + 1
        let isEmpty =
            bytes[start...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            == UInt8(ascii: "}")
        bytes.insert(contentsOf: (" " + pair + (isEmpty ? " " : ",")).utf8, at: start)
    }

    private static func pair(_ path: ArraySlice<String>, _ value: Value) -> String {
        path.map(TOMLEscapes.key).joined(separator: ".") + " = " + value.toml
    }

    private static let newline = UInt8(ascii: "\n")

    /// The line ending that the text uses.
    var lineEnd: [UInt8] {
        guard let first = bytes.firstIndex(of: Self.newline), first > 0,
            bytes[first - 1] == UInt8(ascii: "\r")
        else { return [Self.newline] }
        return [UInt8(ascii: "\r"), Self.newline]
    }
}

extension TOMLDocument {
    func pair(_ path: [String]) -> Pair? { pairs.first { $0.path == path } }

    func value(of pair: Pair) -> Range<Int> { nodes[pair.node].range }

    /// The innermost table in braces that contains `path`.
    func inlineTable(around path: [String]) -> Pair? {
        pairs.filter { pair in
            guard case .table = nodes[pair.node].value else { return false }
            return pair.path.count < path.count && path.starts(with: pair.path)
        }
        .max { $0.path.count < $1.path.count }
    }

    /// The path of the header under which a key is written.
    func path(of pair: Pair) -> [String] { pair.header.map { headers[$0].path } ?? [] }
}

extension ConfigEdit {
    /// Whether the text sets this key.
    package func has(_ path: [String]) -> Bool { TOMLDocument(bytes).pair(path) != nil }
}
