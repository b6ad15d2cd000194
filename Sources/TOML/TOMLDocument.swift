/// A TOML 1.0 text as values and the bytes that they were written in.
///
/// Every text is read to its end: its mistakes are in ``faults``, and everything else is in ``nodes``.
package struct TOMLDocument: Sendable {
    package enum Part: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    package enum Value: Sendable, Equatable {
        case text(String)
        case integer(Int)
        case number(Double)
        case flag(Bool)
        /// A date, a time or both, as written.
        case date(String)
        /// The nodes of its elements.
        case list([Int])
        /// In braces, by a header or by dotted keys.
        case table
        /// At fault.
        case invalid
    }

    /// A key, a table or an element of a list, where it first appears.
    package struct Node: Sendable {
        /// `nil` at the top.
        package let parent: Int?
        package let part: Part
        /// Offset of the key, or of the element.
        package let keyOffset: Int
        /// The bytes of the value; empty, at the key, for a table that a header or dotted keys make.
        package internal(set) var range: Range<Int>
        package internal(set) var value: Value
        var form: Form

        /// Whether it is written in braces.
        package var isInlineTable: Bool { form == .inlineTable }
    }

    /// The origin of a node, which decides about additions to it.
    enum Form: Sendable {
        case value, inlineTable
        /// By the header of a table inside it.
        case implicit
        case header
        case dotted
        case tables
        /// Below a faulty header: the owner of its keys is unknown.
        case detached
    }

    /// The line that begins a table.
    package struct Header: Sendable {
        package let path: [String]
        /// Offset of `[`, and of the end of its line without the line's end.
        package let start: Int
        package let end: Int
    }

    /// A key with its value.
    package struct Pair: Sendable {
        /// From the top.
        package let path: [String]
        package let keyStart: Int
        package let node: Int
        /// The header below which it stands; `nil` before the first.
        package let header: Int?
        /// Whether it stands inside `{ }`.
        package let isInline: Bool
    }

    /// Parents come before their children, and otherwise the order is that of the text.
    package internal(set) var nodes: [Node] = []
    package internal(set) var headers: [Header] = []
    /// Those inside of lists are not among them.
    package internal(set) var pairs: [Pair] = []
    /// In the order of the text.
    package internal(set) var faults: [TOMLError] = []
    var slots: [Slot: Int] = [:]

    struct Slot: Hashable, Sendable {
        let parent: Int?
        let part: Part
    }

    /// Levels of tables and lists.
    package static let deepest = 32
    /// Faults that are looked for.
    package static let mostFaults = 50
    /// Some editors put it before UTF-8; it is no part of the text.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    package init(_ bytes: [UInt8]) {
        if let offset = UTF8Check.firstInvalid(bytes) {
            faults = [TOMLError(.notUTF8(bytes[offset]), at: offset)]
            return
        }
        var parser = TOMLParser(bytes)
        parser.parse()
        self = parser.document
    }

    init() {}

    /// The node of a path of keys, if the text has it.
    package func node(_ path: [String]) -> Int? {
        var node: Int?
        for key in path {
            guard let next = slots[Slot(parent: node, part: .key(key))] else { return nil }
            node = next
        }
        return node
    }

    /// The path of a node under keys alone; `nil` for a node inside a list, or without a parent.
    package func path(of node: Int) -> [String]? {
        var path: [String] = []
        var current: Int? = node
        while let index = current {
            guard case .key(let name) = nodes[index].part, nodes[index].form != .detached else { return nil }
            path.append(name)
            current = nodes[index].parent
        }
        return path.reversed()
    }
}

enum UTF8Check {
    /// The offset of the first byte that is not UTF-8.
    static func firstInvalid(_ bytes: [UInt8]) -> Int? {
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var offset = 0
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while case .scalarValue(let scalar) = decoder.decode(&iterator) { offset += UTF8.width(scalar) }
        return min(offset, bytes.count - 1)
    }
}
