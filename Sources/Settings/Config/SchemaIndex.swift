/// Finds keys by their path, whatever settings they belong to.
struct SchemaIndex: Sendable {
    /// The entry at a path.
    enum Entry: Sendable {
        case table
        case key(ValueRule)
        /// A table, or the value of one of its keys.
        case shorthand(ValueRule, for: [String])
    }

    private var known: [[String]: Entry] = [:]
    /// Every key's path, in the order in which a file shows them.
    private(set) var paths: [[String]] = []
    /// The names allowed in a table, in the table's order.
    private var namesByTable: [[String]: [String]] = [:]
    private var homes: [String: Set<[String]>] = [:]
    private var families: Set<[String]> = []

    init<Settings>(_ parts: [Schema<Settings>.Part]) {
        for part in parts {
            switch part {
            case .section(let section): add(section)
            case .family(let family): add(family)
            }
        }
    }

    private mutating func add<Settings>(_ section: Schema<Settings>.Section) {
        for depth in 0..<section.path.count { addTable(Array(section.path[...depth])) }
        for key in section.keys { add(key.name, key.rule, in: section.path, isHome: true) }
        guard let shorthand = section.shorthand else { return }
        let path = section.path + [shorthand]
        if case .key(let rule) = known[path] { known[section.path] = .shorthand(rule, for: path) }
    }

    private mutating func add<Settings>(_ family: SchemaFamily<Settings>) {
        addTable([family.name])
        families.insert([family.name])
        for key in family.keys { add(key.name, key.rule, in: [family.name], isHome: true) }
        for member in family.members {
            addTable([family.name, member])
            for key in family.keys { add(key.name, key.rule, in: [family.name, member], isHome: false) }
        }
    }

    private mutating func addTable(_ path: [String]) {
        guard known[path] == nil else { return }
        known[path] = .table
        namesByTable[Array(path.dropLast()), default: []].append(path[path.count - 1])
    }

    private mutating func add(_ name: String, _ rule: ValueRule, in table: [String], isHome: Bool) {
        known[table + [name]] = .key(rule)
        paths.append(table + [name])
        namesByTable[table, default: []].append(name)
        if isHome { homes[name, default: []].insert(table) }
        guard case .tables(let shape) = rule else { return }
        for field in shape.fields {
            let parts = field.name.split(separator: ".").map(String.init)
            let inner = table + [name] + parts.dropLast()
            if parts.count > 1 { addTable(inner) }
            namesByTable[inner, default: []].append(parts[parts.count - 1])
        }
    }

    /// The entry at a path; `nil` for a name that no key has.
    subscript(path: [String]) -> Entry? {
        if let entry = known[path] { return entry }
        // The names in a table of entries are free.
        guard !path.isEmpty, case .key(.entries(let shape)) = known[Array(path.dropLast())] else {
            return nil
        }
        return .key(shape.rule)
    }

    func rule(at path: [String]) -> ValueRule? {
        switch self[path] {
        case .key(let rule), .shorthand(let rule, for: _): rule
        case .table, nil: nil
        }
    }

    /// All paths except those of entries.
    var all: [[String]: Entry] { known }

    func names(in path: [String]) -> [String] { namesByTable[path] ?? [] }

    /// The table in which `name` is a key: the only one, or the most probable one.
    func home(of name: String) -> [String]? {
        guard let tables = homes[name] else { return nil }
        return tables.count == 1 ? tables.first : tables.first(where: families.contains)
    }

    /// A key's value in a file's form.
    func toml(_ value: ConfigValue, at path: [String]) -> String {
        if let rule = rule(at: path), rule.acceptsOne { return value.concise.toml }
        return value.toml
    }
}
