import TOML

/// The keys of the tables of a list such as `[[iqama.change]]`.
package struct TableShape: Sendable {
    package struct Field: Sendable {
        /// The field's name, with a dot if it belongs to a nested table: `prayer.style`.
        package let name: String
        let rule: ValueRule
        /// The meaning. Without a meaning and an example the default file does not show the field.
        let meaning: String
        let example: ConfigValue?
    }

    package let fields: [Field]
    /// Fields without which a table is invalid.
    let required: [String]
    /// Why a table with valid fields is contradictory: the faulty field, and a sentence.
    let fault: @Sendable ([String: ConfigValue]) -> (field: String, reason: String)?

    func rule(of name: String) -> ValueRule? { fields.first { $0.name == name }?.rule }

    /// Whether `name` is a nested table, such as `prayer` of `prayer.style`.
    func hasTable(_ name: String) -> Bool { fields.contains { $0.name.hasPrefix(name + ".") } }
}

/// The keys of a table such as `[hijri.month-start]`, in which the names are free.
package struct EntriesShape: Sendable {
    /// The form of names: completes "a name in [hijri.month-start] must be …".
    let names: TextKind
    let rule: ValueRule
    /// A name with its value, as an example.
    let example: (name: String, value: ConfigValue)
    let meaning: String
}

extension ConfigKey {
    /// A list of tables, `[[name]]`. `blank` is the empty value for a table's fields.
    package static func tables<Element: Sendable>(
        _ name: String, _ place: Place<[Element]>, of keys: [ConfigKey<Element>], blank: Element,
        required: [String] = [], _ meaning: String,
        fault: @escaping @Sendable ([String: ConfigValue]) -> (field: String, reason: String)? = { _ in nil }
    ) -> Self {
        let shape = TableShape(
            fields: keys.map {
                .init(name: $0.name, rule: $0.rule, meaning: $0.meaning, example: $0.example)
            },
            required: required, fault: fault)
        return Self(name: name, rule: .tables(shape), meaning: meaning) { root in
            .tables(
                root[keyPath: place].map { element in
                    var values: [String: ConfigValue] = [:]
                    for key in keys { values[key.name] = key.get(element) }
                    return values
                })
        } set: { root, value in
            guard case .tables(let tables) = value else { return }
            root[keyPath: place] = tables.map { values in
                var element = blank
                for key in keys {
                    if let value = values[key.name] { key.set(&element, value) }
                }
                return element
            }
        }
    }

    /// A table with free names, `[name]`, and a value by one rule for each.
    package static func entries(
        _ name: String, _ rule: ValueRule, names: TextKind, example: (name: String, value: ConfigValue),
        _ meaning: String, get: @escaping @Sendable (Root) -> [String: ConfigValue],
        set: @escaping @Sendable (inout Root, [String: ConfigValue]) -> Void
    ) -> Self {
        let shape = EntriesShape(names: names, rule: rule, example: example, meaning: meaning)
        return Self(name: name, rule: .entries(shape), meaning: meaning) {
            .entries(get($0))
        } set: { root, value in
            if case .entries(let entries) = value { set(&root, entries) }
        }
    }
}

extension ConfigText {
    /// The tables of a list, each checked field by field.
    func tables(_ index: Int, _ shape: TableShape, _ path: [String]) throws(ConfigError)
        -> [[String: ConfigValue]]
    {
        let name = path.joined(separator: ".")
        guard case .list(let elements) = document.nodes[index].value else {
            throw error(
                at: document.nodes[index].keyOffset, key: name,
                "\(name) must be a list of tables, each written [[\(name)]], not "
                    + WrittenValue(index, in: document).description)
        }
        guard elements.count <= ValueRule.mostTables else {
            throw error(
                at: document.nodes[index].keyOffset, key: name,
                "\(name) has \(elements.count) tables, allowed are \(ValueRule.mostTables)")
        }
        var tables: [[String: ConfigValue]] = []
        for element in elements { tables.append(try table(element, shape, path)) }
        return tables
    }

    private func table(_ element: Int, _ shape: TableShape, _ path: [String]) throws(ConfigError)
        -> [String: ConfigValue]
    {
        let name = path.joined(separator: ".")
        let start = document.nodes[element].keyOffset
        guard document.nodes[element].value == .table else {
            throw error(
                at: start, key: name,
                "\(name) must be a list of tables, each written [[\(name)]]; "
                    + "\(WrittenValue(element, in: document).description) is none")
        }
        var values: [String: ConfigValue] = [:]
        var places: [String: Int] = [:]
        var unreadable: Set<String> = []
        for (field, child) in fields(of: element, shape) {
            let node = document.nodes[child]
            if node.value == .invalid {
                // The document's own fault explains the problem.
                unreadable.insert(field)
                continue
            }
            let place = path + field.split(separator: ".").map(String.init)
            guard let rule = shape.rule(of: field) else { throw unknown(place, at: node.keyOffset) }
            values[field] = try check(WrittenValue(child, in: document), rule, place, child)
            places[field] = node.keyOffset
        }
        for field in shape.required where values[field] == nil && !unreadable.contains(field) {
            let allowed = shape.rule(of: field)?.allowed ?? ""
            throw error(
                at: start, key: "\(name).\(field)", "[[\(name)]] needs \(field) beside the rest: \(allowed)")
        }
        if unreadable.isEmpty, let (field, reason) = shape.fault(values) {
            throw error(at: places[field] ?? start, key: "\(name).\(field)", "\(name).\(field) \(reason)")
        }
        return values
    }

    /// The keys of a table, and of the nested tables that its shape knows.
    private func fields(of table: Int, _ shape: TableShape) -> [(name: String, node: Int)] {
        (children[table] ?? []).flatMap { child -> [(name: String, node: Int)] in
            let node = document.nodes[child]
            guard case .key(let name) = node.part else { return [] }
            guard node.value == .table, shape.hasTable(name) else { return [(name, child)] }
            return (children[child] ?? []).compactMap { inner in
                guard case .key(let field) = document.nodes[inner].part else { return nil }
                return ("\(name).\(field)", inner)
            }
        }
    }

    /// The node of a key in one of a list's tables, or the nearest node that exists.
    func place(of element: (index: Int, field: String)?, in list: Int) -> Int {
        guard let element, case .list(let tables) = document.nodes[list].value,
            tables.indices.contains(element.index)
        else { return list }
        let table = tables[element.index]
        return (children[table] ?? []).first { child in
            if case .key(element.field) = document.nodes[child].part { true } else { false }
        } ?? table
    }

    /// Checks a free name.
    func checkName(_ path: [String], _ shape: EntriesShape, at offset: Int) throws(ConfigError) {
        let name = path[path.count - 1]
        guard let fault = shape.names.fault(in: name) else { return }
        let table = path.dropLast().joined(separator: ".")
        var reason = "a name in [\(table)] must be \(shape.names.allowed), not \(TOMLEscapes.quote(name))"
        if let because = fault.because { reason += ": \(because)" }
        if let hint = fault.hint { reason += "; did you mean \(hint)?" }
        throw error(at: offset, key: path.map(TOMLEscapes.key).joined(separator: "."), reason)
    }
}
