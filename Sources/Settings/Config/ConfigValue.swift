package import PrayerEngine
import TOML
package import Texts

/// A value as written in the file, before any check.
enum WrittenValue {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([WrittenValue])
    /// A table, with its content if it is written in braces.
    case table([String: WrittenValue]?)
    /// A date, a time or both, as written.
    case date(String)

    init(_ node: Int, in document: TOMLDocument) {
        self =
            switch document.nodes[node].value {
            case .flag(let flag): .flag(flag)
            case .integer(let integer): .integer(integer)
            case .number(let number): .number(number)
            case .text(let text): .text(text)
            case .list(let elements): .list(elements.map { WrittenValue($0, in: document) })
            case .table where document.nodes[node].isInlineTable: .table(Self.content(of: node, in: document))
            case .table, .invalid: .table(nil)
            case .date(let text): .date(text)
            }
    }

    private static func content(of table: Int, in document: TOMLDocument) -> [String: WrittenValue] {
        // The content follows it, and nothing is added later.
        var content: [String: WrittenValue] = [:]
        for index in (table + 1)..<document.nodes.count {
            guard let parent = document.nodes[index].parent, parent >= table else { break }
            guard parent == table, case .key(let name) = document.nodes[index].part else { continue }
            content[name] = WrittenValue(index, in: document)
        }
        return content
    }

    /// The value as a number, whole or not.
    var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The value in an error sentence, shortened when long.
    var description: String {
        switch self {
        case .flag(let flag): return "\(flag)"
        case .integer(let integer): return "\(integer)"
        case .number(let number): return number.isFinite ? "\(number)" : "\(number), which is not finite"
        case .text(let text):
            return TOMLEscapes.quote(text.count > 60 ? text.prefix(57) + "..." : text)
        case .list(let elements): return elements.isEmpty ? "an empty list" : "a list"
        case .table: return "a table"
        case .date: return "a date or time"
        }
    }
}

/// A value that its rule has accepted.
package enum ConfigValue: Equatable, Sendable {
    case flag(Bool)
    case integer(Int)
    case integers([Int])
    case number(Double)
    case text(String)
    case texts([String])
    /// Lists, one for each day in turn.
    case rotation([[String]])
    case duration(seconds: Double)
    case durations(seconds: [Double])
    case date(CivilDate)
    case moment(LocalMoment)
    /// The tables of a list, each by its fields.
    case tables([[String: ConfigValue]])
    /// A table with free names.
    case entries([String: ConfigValue])

    /// A list of one text as that text, if the key accepts that.
    var concise: ConfigValue {
        if case .texts(let texts) = self, texts.count == 1 { .text(texts[0]) } else { self }
    }

    /// The value in TOML.
    var toml: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .integer(let integer): "\(integer)"
        case .integers(let list): "[" + list.map { "\($0)" }.joined(separator: ", ") + "]"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): TOMLEscapes.quote(text)
        case .rotation(let entries):
            "{ \(RotatingSound.key) = ["
                + entries.map { ConfigValue.texts($0).concise.toml }.joined(separator: ", ") + "] }"
        case .texts(let texts): "[" + texts.map(TOMLEscapes.quote).joined(separator: ", ") + "]"
        case .duration(let seconds): "\"\(DurationText.formatExact(seconds))\""
        case .durations(let list):
            "[" + list.map { "\"\(DurationText.format($0))\"" }.joined(separator: ", ") + "]"
        case .date(let date): date.description
        case .moment(let moment): moment.description
        // A field's name has a dot only where it belongs to a nested table.
        case .tables(let tables): "[" + tables.map { Self.inline($0) }.joined(separator: ", ") + "]"
        case .entries(let entries):
            Self.inline(
                Dictionary(uniqueKeysWithValues: entries.map { (TOMLEscapes.key($0.key), $0.value) }))
        }
    }

    private static func inline(_ table: [String: ConfigValue]) -> String {
        let pairs = table.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.toml)" }
        return pairs.isEmpty ? "{}" : "{ \(pairs.joined(separator: ", ")) }"
    }
}
