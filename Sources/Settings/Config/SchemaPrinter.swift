/// Writes settings as TOML, from the same table that reads them.
extension Schema {
    /// Valid TOML with these settings. Settings that the system decides are left out.
    package func printed(_ settings: Settings) -> String {
        parts.map { part in
            switch part {
            case .section(let section): printed(section, settings)
            case .family(let family): Self.printed(family, settings)
            }
        }.joined()
    }

    private func printed(_ section: Section, _ settings: Settings) -> String {
        // A one-line value is printed in the surrounding table.
        if section.shorthand != nil, isShort(section, settings) { return "" }
        var lines = section.keys.filter { !$0.rule.isCompound }.compactMap { key in
            key.get(settings).map { SchemaText.line(key.name, $0, key.meaning) }
        }
        for inner in inner(section) where isShort(inner, settings) {
            guard let key = inner.keys.first(where: { $0.name == inner.shorthand }),
                let value = key.get(settings), let name = inner.path.last
            else { continue }
            lines.append(SchemaText.line(name, value, ""))
        }
        let compound = section.keys.filter(\.rule.isCompound).compactMap { key in
            key.get(settings).map { SchemaText.compound(section.path + [key.name], key.rule, $0) }
        }
        return SchemaText.table(section.path, "", lines) + compound.joined()
    }

    private func inner(_ section: Section) -> [Section] {
        sections.filter { $0.shorthand != nil && $0.path.dropLast() == section.path[...] }
    }

    /// Whether the shorthand expresses everything.
    private func isShort(_ section: Section, _ settings: Settings) -> Bool {
        section.keys.allSatisfy { $0.name == section.shorthand || $0.get(settings) == nil }
    }

    /// Prints the family's own table with the values of most members, and one for each member with differences.
    private static func printed(_ family: SchemaFamily<Settings>, _ settings: Settings) -> String {
        let keys = family.keys
        let plain = family.members.filter { family.base[$0] == nil }
        let shared = keys.map { key in commonest(plain.map { key.get(settings, $0) }) }
        var text = SchemaText.table(
            [family.name], "",
            zip(keys, shared).compactMap { key, value in
                value.map { SchemaText.line(key.name, $0, key.meaning) }
            })
        for member in family.members {
            let base = family.base[member].map { base in keys.map { $0.get(settings, base) } } ?? shared
            let lines = zip(keys, base).compactMap { key, base in
                let value = key.get(settings, member)
                return value == base ? nil : value.map { SchemaText.line(key.name, $0, "") }
            }
            if !lines.isEmpty { text += SchemaText.table([family.name, member], "", lines) }
        }
        return text
    }

    /// The most common value. A key that has no value for some members has no common default: it could not be undone.
    private static func commonest(_ values: [ConfigValue?]) -> ConfigValue? {
        if values.contains(nil) { return nil }
        var best: (value: ConfigValue?, count: Int) = (nil, 0)
        for value in values {
            let count = values.count { $0 == value }
            if count > best.count { best = (value, count) }
        }
        return best.value
    }

    /// The default file: every key with its default and its meaning; keys without a default are commented out.
    package var defaultText: String {
        parts.map { part in
            switch part {
            case .section(let section): shown(section)
            case .family(let family): Self.shown(family)
            }
        }.joined()
    }

    private func shown(_ section: Section) -> String {
        // One of several equal tables suffices.
        if section.shorthand != nil, inner(around: section).first?.path != section.path { return "" }
        var lines = section.keys.filter { !$0.rule.isCompound }.map { key in
            if let value = key.get(initial) { return SchemaText.line(key.name, value, key.meaning) }
            return SchemaText.line("# " + key.name, key.example ?? .text(""), key.meaning)
        }
        for inner in inner(section).dropFirst() {
            let key = inner.keys.first { $0.name == inner.shorthand }
            lines.append(
                SchemaText.line("# " + (inner.path.last ?? ""), key?.example ?? .text(""), inner.meaning))
        }
        let isEmpty = section.keys.allSatisfy { $0.rule.isCompound || $0.get(initial) == nil }
        let compound = section.keys.filter(\.rule.isCompound).map {
            SchemaText.shown(section.path + [$0.name], $0.rule, $0.meaning)
        }
        return SchemaText.table(section.path, section.meaning, lines, commentedOut: isEmpty)
            + compound.joined()
    }

    private func inner(around section: Section) -> [Section] {
        sections.filter { $0.shorthand != nil && $0.path.dropLast() == section.path.dropLast() }
    }

    private static func shown(_ family: SchemaFamily<Settings>) -> String {
        let lines = family.keys.compactMap { key in
            key.initial.map { SchemaText.line(key.name, $0, key.meaning) }
        }
        let example = family.example.isEmpty ? "" : family.example + "\n\n"
        return SchemaText.table([family.name], family.meaning, lines) + example
    }
}

/// Lines and tables of a file.
private enum SchemaText {
    static func table(
        _ path: [String], _ meaning: String, _ lines: [String], commentedOut: Bool = false
    ) -> String {
        guard !lines.isEmpty else { return "" }
        let body = lines.joined(separator: "\n") + "\n\n"
        guard !path.isEmpty else { return body }
        return padded((commentedOut ? "# " : "") + "[\(path.joined(separator: "."))]", meaning) + "\n" + body
    }

    static func line(_ name: String, _ value: ConfigValue, _ meaning: String) -> String {
        padded("\(name) = \(value.toml)", meaning)
    }

    /// Tables with values.
    static func compound(_ path: [String], _ rule: ValueRule, _ value: ConfigValue) -> String {
        let name = path.joined(separator: ".")
        switch (rule, value) {
        case (.tables(let shape), .tables(let tables)):
            return tables.map { values in
                let lines = shape.fields.compactMap { field in
                    values[field.name].map { line(field.name, $0, "") }
                }
                return (["[[\(name)]]"] + lines).joined(separator: "\n") + "\n\n"
            }.joined()
        case (.entries, .entries(let entries)):
            return table(
                path, "",
                entries.sorted { $0.key < $1.key }.map { line(TOMLEscapes.quote($0.key), $0.value, "") })
        default: return ""
        }
    }

    /// Tables with examples, commented out.
    static func shown(_ path: [String], _ rule: ValueRule, _ meaning: String) -> String {
        let name = path.joined(separator: ".")
        switch rule {
        case .tables(let shape):
            let lines = shape.fields.filter { $0.example != nil || !$0.meaning.isEmpty }.map { field in
                line("# " + field.name, field.example ?? .text(""), field.meaning)
            }
            return ([padded("# [[\(name)]]", meaning)] + lines).joined(separator: "\n") + "\n\n"
        case .entries(let shape):
            let (name, value) = shape.example
            return table(
                path, meaning, [line("# " + TOMLEscapes.quote(name), value, "")], commentedOut: true)
        default: return ""
        }
    }

    /// Pads a line so that comments are aligned where the text leaves room.
    static func padded(_ text: String, _ comment: String) -> String {
        guard !comment.isEmpty else { return text }
        return text + String(repeating: " ", count: max(2, 34 - text.count)) + "# " + comment
    }
}

extension Config {
    /// The effective configuration.
    package func printed() -> String { ConfigSchema.schema.printed(self) }

    /// The embedded default as a file to start from.
    package static let defaultText =
        "# adhand's configuration. Every key is optional; what is left out is as shown here.\n\n"
        + ConfigSchema.schema.defaultText
}
