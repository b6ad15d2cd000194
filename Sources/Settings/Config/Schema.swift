/// Every key of a kind of file, with its meaning and the place of its value in `Settings`. Reading, error sentences and printing
/// all use this one table: `read` parses texts into settings or reports their mistakes.
package struct Schema<Settings: Sendable>: Sendable {
    /// A table of the file.
    package struct Section: Sendable {
        /// The table's path; empty at the top of the file.
        package let path: [String]
        /// The comment after its header.
        package let meaning: String
        package let keys: [ConfigKey<Settings>]
        /// The key for which the table may be abbreviated: `fajr = "+15m"` instead of a table with that `at`.
        let shorthand: String?

        package init(
            path: [String], meaning: String = "", keys: [ConfigKey<Settings>], shorthand: String? = nil
        ) {
            self.path = path
            self.meaning = meaning
            self.keys = keys
            self.shorthand = shorthand
        }
    }

    package enum Part: Sendable {
        case section(Section)
        case family(SchemaFamily<Settings>)
    }

    /// The settings of an empty file.
    package let initial: Settings
    /// The parts in the order in which a file shows them.
    package let parts: [Part]
    let index: SchemaIndex
    /// Rules that single keys cannot express: which of them need or exclude each other.
    let relations: @Sendable (SchemaFacts) -> [SchemaComplaint]
    /// Rules that need the whole settings, checked when everything else is valid.
    let check: @Sendable (Settings, SchemaFacts) -> [SchemaComplaint]
    /// The key whose value lists pinned keys and tables.
    let pins: [String]?

    package init(
        initial: Settings, parts: [Part], pins: [String]? = nil,
        relations: @escaping @Sendable (SchemaFacts) -> [SchemaComplaint] = { _ in [] },
        check: @escaping @Sendable (Settings, SchemaFacts) -> [SchemaComplaint] = { _, _ in [] }
    ) {
        self.initial = initial
        self.parts = parts
        self.relations = relations
        (self.check, self.pins) = (check, pins)
        index = SchemaIndex(parts)
    }

    var sections: [Section] {
        parts.compactMap { if case .section(let section) = $0 { section } else { nil } }
    }

    /// Reads several texts as one: if two texts set the same key, the later one wins. Each is valid TOML with valid values by
    /// itself; rules for several keys are checked over all of them. Every mistake is reported, in the order of the texts.
    package func read(_ sources: [ConfigSource]) throws(ConfigError) -> EffectiveSettings<Settings> {
        try finish(SchemaReading(self, sources))
    }

    /// Combines texts that were read separately.
    func finish(_ texts: SchemaReading<Settings>) throws(ConfigError) -> EffectiveSettings<Settings> {
        var reading = texts
        try ConfigError.refuse(reading.mistakes)
        reading.complain(relations(reading.facts))
        try ConfigError.refuse(reading.mistakes)
        let settings = reading.resolved()
        reading.complain(check(settings, reading.facts))
        try ConfigError.refuse(reading.mistakes)
        return EffectiveSettings(settings: settings, keys: reading.settings())
    }
}

/// The settings that result from the texts of a file.
package struct EffectiveSettings<Settings: Sendable>: Sendable {
    package let settings: Settings
    /// Every key that is set, with its value and its origin.
    package let keys: [ConfigSetting]
}

/// The values that the texts set, for rules over several keys.
package struct SchemaFacts: Sendable {
    let values: [[String]: ConfigValue]
    let tables: Set<[String]>

    package func has(_ path: [String]) -> Bool { values[path] != nil }

    package func value(_ path: [String]) -> ConfigValue? { values[path] }

    /// Whether any text has the table, even empty.
    package func hasTable(_ path: [String]) -> Bool { tables.contains(path) }
}

/// A sentence about a key or a table, to be reported at the last text that contains it.
package struct SchemaComplaint: Sendable {
    package let path: [String]
    /// The table of a list, and its key.
    let element: (index: Int, field: String)?
    package let reason: String

    package init(_ path: [String], _ reason: String) {
        self.path = path
        element = nil
        self.reason = reason
    }

    init(_ path: [String], element index: Int, _ field: String, _ reason: String) {
        self.path = path
        element = (index, field)
        self.reason = reason
    }
}

/// The same keys for several members: one table for all of them, and one for each member with its differences.
package struct SchemaFamily<Settings: Sendable>: Sendable {
    /// One key of every member, without the member's type.
    struct Key: Sendable {
        let name: String
        let rule: ValueRule
        let meaning: String
        let example: ConfigValue?
        let initial: ConfigValue?
        let get: @Sendable (Settings, String) -> ConfigValue?
    }

    /// The value at the first path, from which the key at the second path is made.
    typealias Lookup = ([String], [String]) -> ConfigValue?

    let name: String
    let meaning: String
    /// The lines after the table's keys in the default file, commented out.
    let example: String
    let members: [String]
    let keys: [Key]
    /// The member from which another inherits, unless it inherits from the common table.
    let base: [String: String]
    let resolve: @Sendable (inout Settings, Lookup) -> Void

    package init<Own: Sendable>(
        _ name: String, meaning: String, example: String = "", members: [String],
        base: [String: String] = [:],
        initial: Own, keys: [ConfigKey<Own>],
        get: @escaping @Sendable (Settings, String) -> Own,
        set: @escaping @Sendable (inout Settings, String, Own) -> Void
    ) {
        self.name = name
        self.meaning = meaning
        self.example = example
        self.members = members
        self.base = base
        self.keys = keys.map { key in
            Key(
                name: key.name, rule: key.rule, meaning: key.meaning, example: key.example,
                initial: key.get(initial)
            ) { settings, member in key.get(get(settings, member)) }
        }
        resolve = { settings, lookup in
            for member in members {
                var own = initial
                for table in [[name], base[member].map { [name, $0] }, [name, member]].compactMap(\.self) {
                    for key in keys {
                        let value = lookup(table + [key.name], [name, member, key.name])
                        if let value { key.set(&own, value) }
                    }
                }
                set(&settings, member, own)
            }
        }
    }
}
