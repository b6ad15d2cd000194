import Protocol
import Testing

/// An interface's description as a Varlink client reads it: its types, and the fields of its methods' answers and errors.
struct InterfaceDescription {
    indirect enum Kind: Equatable {
        case plain(String)
        case list(Kind)
        case map(Kind)
        case optional(Kind)
        case choice([String])
        case object([Field])
    }

    struct Field: Equatable {
        let name: String
        let kind: Kind
    }

    private(set) var types: [String: Kind] = [:]
    private(set) var answers: [String: [Field]] = [:]
    private(set) var parameters: [String: [Field]] = [:]
    private(set) var errors: [String: [Field]] = [:]

    private var rest: Substring

    init(_ text: String) throws {
        let plain = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
        rest = Substring(plain.joined(separator: " "))
        try expect("interface")
        _ = word()
        while let kind = word() {
            let name = try #require(word())
            switch kind {
            case "type":
                try #require(types.updateValue(list(), forKey: name) == nil, "two types are named \(name)")
            case "error": errors[name] = try fields(of: list())
            case "method":
                parameters[name] = try fields(of: list())
                try expect("->")
                answers[name] = try fields(of: list())
            default: Issue.record("what is \(kind) \(name)?")
            }
        }
    }

    private func fields(of kind: Kind) throws -> [Field] {
        switch kind {
        case .object(let fields): return fields
        default:
            try #require(kind == .choice([]))
            return []
        }
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == " " } }

    private mutating func accept(_ text: String) -> Bool {
        skipBlanks()
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    private mutating func expect(_ text: String) throws {
        try #require(accept(text), "\"\(text)\" before \(rest.prefix(60))")
    }

    private mutating func word() -> String? {
        skipBlanks()
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." }
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(word)
    }

    /// `(a: string, b: ?int)` or `(a, b)`
    private mutating func list() throws -> Kind {
        try expect("(")
        var (words, fields): ([String], [Field]) = ([], [])
        while let name = word() {
            if accept(":") { fields.append(Field(name: name, kind: try kind())) } else { words.append(name) }
            if !accept(",") { break }
        }
        try expect(")")
        try #require(words.isEmpty || fields.isEmpty)
        return fields.isEmpty ? .choice(words) : .object(fields)
    }

    private mutating func kind() throws -> Kind {
        if accept("?") { return .optional(try kind()) }
        if accept("[]") { return .list(try kind()) }
        if accept("[string]") { return .map(try kind()) }
        skipBlanks()
        return rest.hasPrefix("(") ? try list() : .plain(try #require(word()))
    }

    /// The differences between fields and their description, one line each.
    func differences(_ fields: [JSONShape.Field], from described: [Field], in place: String) -> [String] {
        var found: [String] = []
        let kinds = Dictionary(described.map { ($0.name, $0.kind) }) { first, _ in first }
        for name in Set(kinds.keys).subtracting(fields.map(\.name)).sorted() {
            found.append("\(place).\(name) is described, and does not exist")
        }
        for field in fields {
            let here = "\(place).\(field.name)"
            guard var kind = kinds[field.name] else {
                found.append("\(here) is not described")
                continue
            }
            var isOptional = false
            if case .optional(let inner) = kind { (isOptional, kind) = (true, inner) }
            if isOptional != field.isOptional {
                found.append(
                    "\(here) is \(field.isOptional ? "optional, and described as required" : "required, and described as optional")"
                )
            }
            found += differences(field.shape, from: kind, in: here)
        }
        return found
    }

    private func differences(_ shape: JSONShape, from kind: Kind, in place: String) -> [String] {
        switch (shape, kind) {
        case (_, .plain(let name)) where types[name] != nil:
            return types[name].map { differences(shape, from: $0, in: "\(place)(\(name))") } ?? []
        case (.bool, .plain("bool")), (.int, .plain("int")), (.float, .plain("float")),
            (.string, .plain("string")),
            (.choice, .plain("string")):
            return []
        case (.choice(let words), .choice(let described)):
            return Set(words) == Set(described)
                ? [] : ["\(place) is one of \(words), and described as \(described)"]
        case (.list(let element), .list(let described)), (.map(let element), .map(let described)),
            (.nullable(let element), .optional(let described)):
            return differences(element, from: described, in: place)
        case (.object(_, let fields), .object(let described)):
            return differences(fields, from: described, in: place)
        default: return ["\(place) is \(shape), and described as \(kind)"]
        }
    }
}
