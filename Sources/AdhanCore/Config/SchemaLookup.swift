/// Finding keys in the table by their path.
extension ConfigSchema {
    /// What stands at a path.
    enum Entry {
        case table
        case key(ValueRule)
    }

    static let entries: [[String]: Entry] = {
        var entries: [[String]: Entry] = [[adhanTable]: .table]
        for section in sections {
            if !section.path.isEmpty { entries[section.path] = .table }
            for key in section.keys { entries[section.path + [key.name]] = .key(key.rule) }
        }
        for key in adhan { entries[[adhanTable, key.name]] = .key(key.rule) }
        for prayer in Prayer.allCases {
            entries[[adhanTable, prayer.rawValue]] = .table
            for key in adhan { entries[[adhanTable, prayer.rawValue, key.name]] = .key(key.rule) }
        }
        return entries
    }()

    /// A key's value as a file would have it.
    static func toml(_ value: ConfigValue, at path: [String]) -> String {
        if case .key(let rule) = entries[path], rule.takesOne { return value.concise.toml }
        return value.toml
    }

    /// Every key's path, in the order in which a file shows them.
    static let paths: [[String]] = sections.flatMap { section in
        (section.path == followsAdhan ? adhanPaths : []) + section.keys.map { section.path + [$0.name] }
    }

    private static let adhanPaths: [[String]] =
        adhan.map { [adhanTable, $0.name] }
        + Prayer.allCases.flatMap { prayer in adhan.map { [adhanTable, prayer.rawValue, $0.name] } }

    /// The names allowed in a table, in the table's order.
    static func names(in path: [String]) -> [String] {
        var names: [String] = []
        if path.first == adhanTable {
            names = adhan.map(\.name)
            if path.count == 1 { names += Prayer.allCases.map(\.rawValue) }
        }
        for section in sections {
            if section.path == path { names += section.keys.map(\.name) }
            if section.path.dropLast() == path[...], let name = section.path.last {
                // [adhan] is a section of another kind; people look for it before the devices.
                if section.path == followsAdhan { names.append(adhanTable) }
                names.append(name)
            }
        }
        return names
    }

    /// The table in which `name` is a key, when there is exactly one.
    static func home(of name: String) -> [String]? {
        let homes = sections.filter { section in section.keys.contains { $0.name == name } }.map(\.path)
        if adhan.contains(where: { $0.name == name }) { return homes.isEmpty ? [adhanTable] : nil }
        return homes.count == 1 ? homes[0] : nil
    }
}
