internal import Settings
internal import TOML
internal import Texts

/// A list of tables as TOML writes it. Each field keeps its own words, those too that no form here has.
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

        /// Plain words, quoted here; a field without a text is left out.
        package init(texts: [(String, String?)]) {
            self.init(texts.compactMap { name, text in text.map { (name, TOMLEscapes.quote($0)) } })
        }

        package subscript(_ name: String) -> String? {
            fields.first { $0.name == name }.map { PlainValue.text($0.toml) }
        }

        /// Distinguishes rows: what a request to remove one has to say.
        package var mark: String { String(SHA256.hex(Array(toml.utf8)).prefix(16)) }

        /// The same fields with the same values, in any order.
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

    /// - Parameter toml: empty for no list; `nil` comes of what is none.
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

/// Values as TOML writes them, in the plain words that a form shows and `adhanctl set` reads.
package enum PlainValue {
    /// A text without its quotes, and a list of one like that one; anything else as it is.
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

    /// The texts of a list, or of one that stands for it.
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
