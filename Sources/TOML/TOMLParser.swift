/// Reads a text from beginning to end, line by line. After a fault it continues with the next line that looks valid.
struct TOMLParser {
    let bytes: [UInt8]
    var offset: Int
    var document = TOMLDocument()
    /// The table of the latest header; `nil` at the top level.
    private var table: Int?
    /// The start of the line, or of the value that extends over several.
    private var lineStart = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = bytes.starts(with: TOMLDocument.byteOrderMark) ? TOMLDocument.byteOrderMark.count : 0
    }

    mutating func parse() {
        while offset < bytes.count, document.faults.count < TOMLDocument.mostFaults {
            lineStart = offset
            let known = document.pairs.count
            do throws(TOMLError) {
                try readLine()
            } catch {
                document.faults.append(naming(error, pairsSince: known))
                if error.kind == .unclosedInlineTable { skipBrace() }
                recover()
            }
        }
    }

    /// Adds the key to a fault that follows its value: text after a value belongs to its key.
    private func naming(_ fault: TOMLError, pairsSince known: Int) -> TOMLError {
        guard fault.kind == .unexpected, let pair = document.pairs.dropFirst(known).first else {
            return fault
        }
        var fault = fault
        fault.path = pair.path
        fault.valueOffset = document.nodes[pair.node].range.lowerBound
        return fault
    }

    // MARK: - Lines

    private mutating func readLine() throws(TOMLError) {
        skipSpace()
        switch peek {
        case nil, Self.newline, Self.carriageReturn, Self.hash: break
        case Self.openBracket: try readHeader()
        default: try readPair(in: table, depth: table.map(depth) ?? 0, isInline: false)
        }
        try endLine()
    }

    /// Reads the rest of a line: spaces, a comment and the line break.
    private mutating func endLine() throws(TOMLError) {
        skipSpace()
        if peek == Self.hash { try skipComment() }
        guard offset < bytes.count else { return }
        guard try consumeNewline() else { throw TOMLError(.unexpected, at: offset) }
    }

    /// Skips to the next line. A list without its bracket reads the lines below as elements, so a line that looks like a key
    /// ends it.
    private mutating func recover() {
        var start = offset
        while start > 0, bytes[start - 1] != Self.newline { start -= 1 }
        if start > lineStart, looksLikeLine(start) {
            offset = start
            return
        }
        let wasInside = start > lineStart
        repeat {
            while offset < bytes.count, bytes[offset] != Self.newline { offset += 1 }
            offset = min(offset + 1, bytes.count)
        } while offset < bytes.count && wasInside && !looksLikeLine(offset)
    }

    /// Skips a table in braces over several lines: to its brace, unless a header comes first.
    private mutating func skipBrace() {
        var end = offset
        while end < bytes.count, bytes[end] != Self.closeBrace {
            if bytes[end] == Self.newline, end + 1 < bytes.count, bytes[end + 1] == Self.openBracket {
                return
            }
            end += 1
        }
        if end < bytes.count { lineStart = end }
        offset = end
    }

    /// Whether a header, or a key with its "=", begins here.
    private func looksLikeLine(_ start: Int) -> Bool {
        let line = bytes[start...].prefix { $0 != Self.newline }
        let text = line.drop { $0 == Self.space || $0 == Self.tab }
        guard let first = text.first else { return false }
        if first == Self.openBracket {
            let name = text.dropFirst().drop { $0 == Self.openBracket || $0 == Self.space }
            return name.first.map(Self.isBareLetter) ?? false
        }
        let name = text.prefix { Self.isBare($0) || $0 == Self.dot || $0 == Self.space || $0 == Self.tab }
        return Self.isBareLetter(first) && text.dropFirst(name.count).first == Self.equals
    }

    // MARK: - Tables

    private mutating func readHeader() throws(TOMLError) {
        let start = offset
        offset += 1
        let isList = consume(Self.openBracket)
        do throws(TOMLError) {
            skipSpace()
            if peek == Self.closeBracket { throw TOMLError(.emptyHeader, at: offset) }
            let parts = try readKey(ifNone: .emptyHeader)
            let isClosed = consume(Self.closeBracket) && (!isList || consume(Self.closeBracket))
            let fault = TOMLError(.unclosedHeader, at: offset, path: parts.map(\.name))
            document.headers.append(
                .init(path: parts.map(\.name), start: start, end: lineEnd(from: offset)))
            table = try open(parts, isList: isList, start)
            // The header's path is readable all the same, so the table is open when the fault is thrown.
            if !isClosed { throw fault }
        } catch {
            switch error.kind {
            case .unclosedHeader: break
            case .duplicate: table = document.node(error.path ?? []) ?? detached(at: start)
            default: table = detached(at: start)
            }
            throw error
        }
    }

    /// Opens a table for keys whose owner is unknown.
    private mutating func detached(at offset: Int) -> Int {
        add(.key(""), in: nil, at: offset, .table, .detached)
    }

    /// Opens the table of a header.
    private mutating func open(_ parts: [KeyPart], isList: Bool, _ start: Int) throws(TOMLError) -> Int {
        var node: Int?
        for (level, part) in parts.dropLast().enumerated() {
            try enter(depth: level, at: part.offset)
            guard let known = find(part.name, in: node) else {
                node = add(.key(part.name), in: node, at: part.offset, .table, .implicit)
                continue
            }
            switch document.nodes[known].form {
            case .implicit, .header, .dotted: node = known
            case .tables: node = lastElement(of: known)
            case .value, .inlineTable, .detached: throw duplicate(known, at: part.offset)
            }
        }
        guard let last = parts.last else { throw TOMLError(.emptyHeader, at: start) }
        try enter(depth: parts.count - 1, at: last.offset)
        let known = find(last.name, in: node)
        if isList {
            let list: Int
            if let known {
                guard document.nodes[known].form == .tables else { throw duplicate(known, at: last.offset) }
                list = known
            } else {
                list = add(.key(last.name), in: node, at: last.offset, .list([]), .tables)
            }
            return addElement(to: list, at: start, .table, .header)
        }
        guard let known else {
            return add(.key(last.name), in: node, at: last.offset, .table, .header)
        }
        guard document.nodes[known].form == .implicit else { throw duplicate(known, at: last.offset) }
        document.nodes[known].form = .header
        return known
    }

    // MARK: - Keys

    struct KeyPart {
        let name: String
        let offset: Int
    }

    mutating func readPair(in table: Int?, depth: Int, isInline: Bool) throws(TOMLError) {
        let parts = try readKey(ifNone: .noKey)
        guard consume(Self.equals) else { throw noEquals(parts, in: table) }
        skipSpace()
        var node = table
        for (level, part) in parts.dropLast().enumerated() {
            try enter(depth: depth + level, at: part.offset)
            guard let known = find(part.name, in: node) else {
                node = add(.key(part.name), in: node, at: part.offset, .table, .dotted)
                continue
            }
            // A table that has a header can only be extended below that header.
            guard document.nodes[known].form == .dotted || document.nodes[known].form == .implicit else {
                throw duplicate(known, at: part.offset)
            }
            document.nodes[known].form = .dotted
            node = known
        }
        guard let last = parts.last, let first = parts.first else { throw TOMLError(.noKey, at: offset) }
        try enter(depth: depth + parts.count - 1, at: last.offset)
        if let known = find(last.name, in: node) { throw duplicate(known, at: last.offset) }
        let own = add(.key(last.name), in: node, at: last.offset, .invalid, .value)
        if let path = document.path(of: own) {
            document.pairs.append(
                .init(
                    path: path, keyStart: first.offset, node: own,
                    header: document.headers.isEmpty ? nil : document.headers.count - 1, isInline: isInline))
        }
        try readValue(of: own, depth: depth + parts.count)
    }

    /// The fault of a key without "=": often another sign is in its place, or the value follows at once.
    private func noEquals(_ parts: [KeyPart], in table: Int?) -> TOMLError {
        var fault = TOMLError(.noEquals, at: offset)
        if let byte = peek, !isNewline {
            fault.path = (table.flatMap { document.path(of: $0) } ?? []) + parts.map(\.name)
            fault.valueOffset = byte == UInt8(ascii: ":") ? offset + 1 : offset
        }
        return fault
    }

    /// Reads `a`, `a.b`, `"a b".'c'`, and the spaces after it.
    private mutating func readKey(ifNone kind: TOMLError.Kind) throws(TOMLError) -> [KeyPart] {
        var parts: [KeyPart] = []
        repeat {
            skipSpace()
            let start = offset
            // Further parts exceed the depth limit, which is reported when the level is entered.
            guard parts.count <= TOMLDocument.deepest else { break }
            switch peek {
            case Self.quote?, Self.apostrophe?:
                parts.append(KeyPart(name: try readLineText(), offset: start))
            default:
                while let byte = peek, Self.isBare(byte) { offset += 1 }
                guard offset > start else { throw TOMLError(kind, at: offset) }
                parts.append(
                    KeyPart(name: String(decoding: bytes[start..<offset], as: UTF8.self), offset: start))
            }
            skipSpace()
        } while consume(Self.dot)
        if parts.count > TOMLDocument.deepest, let last = parts.last {
            throw TOMLError(.tooDeep, at: last.offset)
        }
        return parts
    }
}
