import TOML
import Texts

/// Keys and values as people type them.
extension ConfigChange {
    /// One key and the words of its new value.
    package struct KeyChange: Sendable, Equatable {
        package let key: String
        package let words: [String]

        package init(key: String, words: [String]) {
            self.key = key
            self.words = words
        }

        /// Reads a command line: `KEY VALUE…`, or `KEY=VALUE` any number of times.
        package static func read(_ arguments: [String]) -> [KeyChange]? {
            guard let first = arguments.first, !first.isEmpty else { return nil }
            if arguments.count > 1, !first.contains("=") {
                return [KeyChange(key: first, words: Array(arguments.dropFirst()))]
            }
            var keyChanges: [KeyChange] = []
            for argument in arguments {
                guard let mark = argument.firstIndex(of: "=") else { return nil }
                let value = String(argument[argument.index(after: mark)...])
                keyChanges.append(KeyChange(key: String(argument[..<mark]), words: [value]))
            }
            return keyChanges
        }
    }

    /// Returns a key with the value of the words in TOML.
    package static func understood(_ keyChange: KeyChange) throws(ConfigRefusal) -> (
        key: String, value: String
    ) {
        let words = keyChange.words.joined(separator: " ")
        if case (.display, let path)? = SettableKey.place(keyChange.key),
            let rule = DisplayConfig.schema.index.rule(at: path)
        {
            if rule.isCompound { return (keyChange.key, words) }
            let meant = try value(keyChange, keyChange.key, rule)
            return (keyChange.key, DisplayConfig.schema.index.toml(meant, at: path))
        }
        let path = SettableKey.canonical(keyChange.key) ?? []
        if ConfigSchema.index.rule(at: path)?.isCompound == true {
            return (path.joined(separator: "."), words)
        }
        let (typed, rule) = try key(keyChange.key)
        let key = canonical(typed).joined(separator: ".")
        return (key, ConfigSchema.index.toml(try value(understood(keyChange, key), key, rule), at: typed))
    }

    /// Every key, for completions.
    package static let keys = ConfigSchema.index.paths.compactMap { path in
        ConfigSchema.index.rule(at: path)?.isCompound == false ? path.joined(separator: ".") : nil
    }

    /// Expands a key that is written as its table: `iqama.fajr` is `iqama.fajr.at`.
    static func canonical(_ path: [String]) -> [String] {
        if case .shorthand(_, let target) = ConfigSchema.index[path] { target } else { path }
    }

    static func key(_ text: String) throws(ConfigRefusal) -> ([String], ValueRule) {
        let document = TOMLDocument(Array("\(text) = 0".utf8))
        guard document.faults.isEmpty, document.pairs.count == 1, let path = document.pairs.first?.path else {
            throw ConfigRefusal(
                .word, "\(TOMLEscapes.quote(text)) is not a key; keys are such as adhan.fajr.volume")
        }
        switch ConfigSchema.index[path] {
        case .key(let rule) where rule.isCompound:
            throw ConfigRefusal(.word, "\(text) is made of tables; write it into the file by hand")
        case .key(let rule), .shorthand(let rule, for: _): return (path, rule)
        case .table:
            let names = ConfigSchema.index.names(in: path).joined(separator: ", ")
            throw ConfigRefusal(.word, "\(text) is a table; set one of its keys: \(names)")
        case nil where SettableKey.isKnown(text):
            throw ConfigRefusal(
                .word,
                "\(text) is a key of \(DisplayConfig.systemFile): write \(path.dropFirst().joined(separator: ".")) into that file by hand"
            )
        case nil:
            throw ConfigRefusal(
                .word,
                ConfigText(ConfigSource(file: "", text: []), ConfigSchema.index).unknown(path, at: 0).reason)
        }
    }

    /// Understands a congregation's time as people write it: `1:30pm`, and `1:30` for Dhuhr, are 13:30; `+15` is fifteen minutes
    /// after the adhan.
    static func understood(_ keyChange: KeyChange, _ key: String) -> KeyChange {
        guard let prayer = congregation(key),
            let reading = try? IqamaReading(keyChange.words.joined(separator: " "), for: prayer)
        else { return keyChange }
        return KeyChange(key: keyChange.key, words: [reading.time.text])
    }

    /// The prayer whose congregation a key sets or limits.
    private static func congregation(_ key: String) -> Prayer? {
        let path = key.split(separator: ".")
        guard path.count == 3 else { return nil }
        if path[0] == "ramadan", path[1] == "iqama" { return Prayer(rawValue: String(path[2])) }
        guard path[0] == "iqama", ["at", "not-before", "not-after"].contains(path[2]) else { return nil }
        return Prayer(rawValue: String(path[1]))
    }

    /// Returns a value in the file's form, from its own or common words.
    static func value(_ keyChange: KeyChange, _ key: String, _ rule: ValueRule) throws(ConfigRefusal)
        -> ConfigValue
    {
        let words = keyChange.words
        let joined = words.joined(separator: " ")
        var readings: [WrittenValue] = []
        let document = TOMLDocument(Array("x = \(joined)".utf8))
        let own = document.pairs.filter { !$0.isInline }
        if document.faults.isEmpty, own.count == 1, let node = own.first?.node {
            readings.append(WrittenValue(node, in: document))
        }
        // A rotation, right or wrong, is not a name.
        if case .table? = readings.first, rule.acceptsRotation {
            do throws(ValueRule.ValueError) { return try rule.check(readings[0]) } catch {
                throw ConfigRefusal(.word, error.sentence(key, rule))
            }
        }
        if rule.isList {
            let isParted = words.count == 1 && rule.hasCommas
            let parts = isParted ? words[0].split(separator: ",").map { String($0) } : words
            if parts.count > 1 || !rule.acceptsOne { readings.append(.list(parts.map { .text($0) })) }
        }
        if words.count == 1 { readings.append(.text(joined)) }
        if let meant = rule.commonSpelling(of: joined) { readings.append(.text(meant)) }
        for reading in readings {
            if let value = try? rule.check(reading) { return value }
        }
        do throws(ValueRule.ValueError) {
            // 15 is a number, by which people mean minutes after the adhan.
            if congregation(key) != nil { return try rule.check(.text(joined)) }
            return try rule.check(readings.first ?? .text(joined))
        } catch {
            throw ConfigRefusal(.word, error.sentence(key, rule))
        }
    }
}
