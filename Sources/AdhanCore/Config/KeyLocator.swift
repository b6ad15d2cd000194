/// Finds where every key of a TOML text stands, which TOMLKit does not tell.
///
/// It reads structure only: tables, dotted and quoted keys, inline tables, arrays, strings and comments. Values are
/// skipped, not understood. Text that is not TOML does no harm: the walk always moves forward and ends.
struct KeyLocator {
    enum Part: Hashable {
        case key(String)
        case index(Int)
    }

    /// A key, a table or an element of an array, at its first appearance.
    struct Node {
        /// `nil` for what stands at the top.
        let parent: Int?
        let part: Part
        /// Offset in bytes of the key, or of the element.
        let keyOffset: Int
        /// Offset in bytes of the value; the key's own for a table made by a header or a dotted key.
        var valueOffset: Int
        var isDefined = false
        /// Elements seen so far when it is an array of tables.
        var elements = 0
    }

    private struct Slot: Hashable {
        let parent: Int?
        let part: Part
    }

    /// Parents come before their children, and otherwise the order is that of the text.
    private(set) var nodes: [Node] = []
    /// The first key or table that is defined a second time, and where.
    private(set) var duplicate: (node: Int, offset: Int)?
    /// Where the text first nests deeper than ``deepest``.
    private(set) var tooDeep: Int?
    /// Where a string first spells out a NUL character, at which TOMLKit would cut it short.
    private(set) var writtenNul: Int?
    /// What TOMLKit 0.6 does not refuse but ends the program over (an assertion in its parser).
    enum Fault {
        /// `[=]`: a table header without a name.
        case namelessTable
        /// `[ }`: an element of an array that cannot begin so.
        case noElement
    }
    private(set) var fault: (Fault, offset: Int)?
    private var slots: [Slot: Int] = [:]
    private var scanner: TOMLScanner

    /// Levels of tables and arrays. The configuration itself has four.
    static let deepest = 32

    init(_ bytes: [UInt8]) {
        scanner = TOMLScanner(bytes)
        var table: Int?
        scanner.skipBlank()
        while let byte = scanner.peek, tooDeep == nil {
            if byte == UInt8(ascii: "[") {
                table = readHeader()
            } else {
                readPair(in: table, depth: 0)
            }
            scanner.skipBlank()
        }
        writtenNul = scanner.writtenNul
    }

    /// The node of a path of keys, if the text has it.
    func node(_ path: [String]) -> Int? {
        var node: Int?
        for key in path {
            guard let next = slots[Slot(parent: node, part: .key(key))] else { return nil }
            node = next
        }
        return node
    }

    /// The way to a node from the top.
    func path(of node: Int) -> [Part] {
        var parts: [Part] = []
        var current: Int? = node
        while let index = current {
            parts.append(nodes[index].part)
            current = nodes[index].parent
        }
        return parts.reversed()
    }

    private mutating func readHeader() -> Int? {
        let start = scanner.offset
        scanner.advance()
        let isArray = scanner.take(UInt8(ascii: "["))
        var table: Int?
        let parts = scanner.dottedKey()
        if parts.isEmpty { note(.namelessTable) }
        for (level, part) in parts.enumerated() {
            guard enter(depth: level, at: part.offset) else { return nil }
            table = find(.key(part.name), in: table, at: part.offset)
            guard let found = table else { return nil }
            if level < parts.count - 1 {
                // `[a.b]` below `[[a]]` speaks of the last element of a.
                if nodes[found].elements > 0 {
                    table = find(.index(nodes[found].elements - 1), in: found, at: part.offset)
                }
            } else if isArray {
                nodes[found].elements += 1
                table = find(.index(nodes[found].elements - 1), in: found, at: start)
            } else {
                define(found, at: part.offset)
            }
        }
        scanner.skipLine()
        return table
    }

    private mutating func readPair(in table: Int?, depth: Int) {
        let parts = scanner.dottedKey()
        var node = table
        for (level, part) in parts.enumerated() {
            guard enter(depth: depth + level, at: part.offset) else { return }
            node = find(.key(part.name), in: node, at: part.offset)
        }
        scanner.skipSpace()
        guard let node, !parts.isEmpty, scanner.take(UInt8(ascii: "=")) else { return scanner.advance() }
        scanner.skipSpace()
        define(node, at: parts[parts.count - 1].offset)
        nodes[node].valueOffset = scanner.offset
        readValue(of: node, depth: depth + parts.count)
    }

    private mutating func readValue(of node: Int, depth: Int) {
        guard enter(depth: depth, at: scanner.offset) else { return }
        switch scanner.peek {
        case UInt8(ascii: "["): readArray(of: node, depth: depth)
        case UInt8(ascii: "{"): readInlineTable(of: node, depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): scanner.skipString()
        default: scanner.skipScalar()
        }
    }

    private mutating func readArray(of node: Int, depth: Int) {
        scanner.advance()
        var count = 0
        while tooDeep == nil {
            scanner.skipBlank()
            guard let byte = scanner.peek, !scanner.take(UInt8(ascii: "]")) else { return }
            if byte == UInt8(ascii: ",") {
                scanner.advance()
                continue
            }
            guard TOMLScanner.beginsValue(byte) else { return note(.noElement) }
            let element = add(.index(count), in: node, at: scanner.offset)
            count += 1
            readValue(of: element, depth: depth + 1)
        }
    }

    private mutating func readInlineTable(of node: Int, depth: Int) {
        scanner.advance()
        while tooDeep == nil {
            scanner.skipBlank()
            guard let byte = scanner.peek, !scanner.take(UInt8(ascii: "}")) else { return }
            if byte == UInt8(ascii: ",") {
                scanner.advance()
            } else {
                readPair(in: node, depth: depth + 1)
            }
        }
    }

    private mutating func note(_ kind: Fault) {
        if fault == nil { fault = (kind, scanner.offset) }
        scanner.advance()
    }

    private mutating func enter(depth: Int, at offset: Int) -> Bool {
        if depth >= Self.deepest, tooDeep == nil { tooDeep = offset }
        return tooDeep == nil
    }

    private mutating func define(_ node: Int, at offset: Int) {
        if nodes[node].isDefined, duplicate == nil { duplicate = (node, offset) }
        nodes[node].isDefined = true
    }

    private mutating func find(_ part: Part, in parent: Int?, at offset: Int) -> Int {
        let slot = Slot(parent: parent, part: part)
        if let known = slots[slot] { return known }
        let node = add(part, in: parent, at: offset)
        slots[slot] = node
        return node
    }

    private mutating func add(_ part: Part, in parent: Int?, at offset: Int) -> Int {
        nodes.append(Node(parent: parent, part: part, keyOffset: offset, valueOffset: offset))
        return nodes.count - 1
    }
}
