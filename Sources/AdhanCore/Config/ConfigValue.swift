import TOMLKit

/// A value as the file has it, before anything is asked of it.
enum WrittenValue {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([WrittenValue])
    case table
    case date

    init(_ value: any TOMLValueConvertible) {
        self =
            switch value.type {
            case .bool: .flag(value.bool ?? false)
            case .int: .integer(value.int ?? 0)
            case .double: .number(value.double ?? .nan)
            case .string: .text(value.string ?? "")
            case .array: .list(value.array.map { $0.map { WrittenValue($0) } } ?? [])
            case .table: .table
            case .date, .time, .dateTime: .date
            }
    }

    /// As an error sentence names it, shortened when long.
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

/// A value that has passed its rule.
enum ConfigValue: Equatable, Sendable {
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case texts([String])
    /// In seconds.
    case duration(Double)
    /// In seconds.
    case durations([Double])

    /// A list of one text as that text, which a key of several accepts.
    var concise: ConfigValue {
        if case .texts(let texts) = self, texts.count == 1 { .text(texts[0]) } else { self }
    }

    /// As TOML writes it.
    var toml: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .integer(let integer): "\(integer)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): TOMLEscapes.quote(text)
        case .texts(let texts): "[" + texts.map(TOMLEscapes.quote).joined(separator: ", ") + "]"
        case .duration(let seconds): "\"\(DurationText.format(seconds))\""
        case .durations(let list):
            "[" + list.map { "\"\(DurationText.format($0))\"" }.joined(separator: ", ") + "]"
        }
    }
}
