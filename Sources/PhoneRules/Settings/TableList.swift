internal import Settings
internal import TOML
internal import Texts

/// A list of tables in TOML. Each field keeps its text, even if no form here contains it.
package struct TableList: Sendable, Equatable {
    package struct Field: Sendable, Equatable {
        package let name: String
        package let toml: String
    }

    package struct Row: Sendable, Equatable {
        package var fields: [Field]

        package init(_ fields: [(String, String)]) {
            self.fields = fields.map { Field(name: $0.0, toml: $0.1) }
        }

        /// Quotes plain texts, and omits fields without a text.
        package init(texts: [(String, String?)]) {
            self.init(texts.compactMap { name, text in text.map { (name, TOMLEscapes.quote($0)) } })
        }

        package subscript(_ name: String) -> String? {
            fields.first { $0.name == name }.map { PlainValue.text($0.toml) }
        }

        /// Identifies a row in a request to remove it.
        package var mark: String { String(SHA256.hex(Array(toml.utf8)).prefix(16)) }

        /// Whether both rows have equal fields, in any order.
        func isSame(_ other: Row) -> Bool {
            Dictionary(fields.map { ($0.name, $0.toml) }, uniquingKeysWith: { $1 })
                == Dictionary(other.fields.map { ($0.name, $0.toml) }, uniquingKeysWith: { $1 })
        }

        package mutating func set(_ name: String, toml: String) {
            let field = Field(name: name, toml: toml)
            if let index = fields.firstIndex(where: { $0.name == name }) {
                fields[index] = field
            } else {
                fields.append(field)
            }
        }

        var toml: String {
            "{ " + fields.map { "\(TOMLEscapes.key($0.name)) = \($0.toml)" }.joined(separator: ", ") + " }"
        }
    }

    package var rows: [Row]

    package init(rows: [Row] = []) { self.rows = rows }

    /// - Parameter toml: empty if there is no list. The result is `nil` if it is not a list.
    package init?(_ toml: String) {
        rows = []
        guard !toml.isEmpty else { return }
        let bytes = Array("x = \(toml)".utf8)
        let document = TOMLDocument(bytes)
        guard document.faults.isEmpty, let top = document.node(["x"]),
            case .list(let elements) = document.nodes[top].value
        else { return nil }
        for element in elements {
            guard document.nodes[element].value == .table else { return nil }
            var fields: [(String, String)] = []
            for node in document.nodes where node.parent == element {
                guard case .key(let name) = node.part else { return nil }
                fields.append((name, String(decoding: bytes[node.range], as: UTF8.self)))
            }
            rows.append(Row(fields))
        }
    }

    package var toml: String { "[" + rows.map(\.toml).joined(separator: ", ") + "]" }
}

/// Converts values in TOML to the plain text that a form shows and `adhanctl set` parses.
package enum PlainValue {
    /// A string, or a list of one string, without quotes; any other value unchanged.
    package static func text(_ toml: String) -> String {
        guard toml.hasPrefix("\"") || toml.hasPrefix("'") || toml.hasPrefix("[") else { return toml }
        let document = TOMLDocument(Array("x = \(toml)".utf8))
        guard document.faults.isEmpty, let top = document.node(["x"]) else { return toml }
        switch document.nodes[top].value {
        case .text(let text): return text
        case .list(let elements):
            guard elements.count == 1, case .text(let text) = document.nodes[elements[0]].value else {
                return elements.isEmpty ? "" : toml
            }
            return text
        default: return toml
        }
    }

    /// The strings of a list, or of a single string in place of one.
    package static func texts(_ toml: String) -> [String] {
        let document = TOMLDocument(Array("x = \(toml)".utf8))
        guard document.faults.isEmpty, let top = document.node(["x"]) else { return [] }
        switch document.nodes[top].value {
        case .text(let text): return [text]
        case .list(let elements):
            return elements.compactMap { index in
                if case .text(let text) = document.nodes[index].value { text } else { nil }
            }
        default: return []
        }
    }
}
