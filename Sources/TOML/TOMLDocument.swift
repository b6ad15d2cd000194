/// A TOML 1.0 text as values, with the bytes in which they were written.
///
/// Every text is read to its end: its mistakes are in ``faults``, everything else is in ``nodes``.
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
        /// The nodes of the list's elements.
        case list([Int])
        /// A table in braces, by a header or by dotted keys.
        case table
        /// A value with a mistake.
        case invalid
    }

    /// A key, a table or an element of a list, where it first appears.
    package struct Node: Sendable {
        /// The containing node; `nil` at the top level.
        package let parent: Int?
        package let part: Part
        /// The offset of the key, or of the element.
        package let keyOffset: Int
        /// The bytes of the value; for a table made by a header or dotted keys, empty and at the key.
        package internal(set) var range: Range<Int>
        package internal(set) var value: Value
        var form: Form

        /// Whether the table is written in braces.
        package var isInlineTable: Bool { form == .inlineTable }
    }

    /// The way in which a node was written, which determines where keys can be added.
    enum Form: Sendable {
        case value, inlineTable
        /// A table made by the header of a table inside it.
        case implicit
        case header
        case dotted
        case tables
        /// A table below a faulty header, so that the owner of its keys is unknown.
        case detached
    }

    /// The line that begins a table.
    package struct Header: Sendable {
        package let path: [String]
        /// The offset of `[`, and of the end of its line without the line break.
        package let start: Int
        package let end: Int
    }

    /// A key with its value.
    package struct Pair: Sendable {
        /// The keys from the top level.
        package let path: [String]
        package let keyStart: Int
        package let node: Int
        /// The header that precedes the pair; `nil` before the first one.
        package let header: Int?
        /// Whether the pair is inside `{ }`.
        package let isInline: Bool
    }

    /// The nodes; parents come before their children, otherwise in the order of the text.
    package internal(set) var nodes: [Node] = []
    package internal(set) var headers: [Header] = []
    /// The pairs, without those inside lists.
    package internal(set) var pairs: [Pair] = []
    /// The faults in the order of the text.
    package internal(set) var faults: [TOMLError] = []
    var slots: [Slot: Int] = [:]

    struct Slot: Hashable, Sendable {
        let parent: Int?
        let part: Part
    }

    /// The most levels of tables and lists.
    package static let deepest = 32
    /// The most faults that are collected.
    package static let mostFaults = 50
    /// The mark that some editors write before UTF-8; it is not part of the text.
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

    /// The path of a node that is below keys only; `nil` for a node inside a list, or without a parent.
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

/// Finds bytes that are no UTF-8.
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
