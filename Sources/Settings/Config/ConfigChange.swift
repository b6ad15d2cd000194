import TOML
package import Texts

/// Keys that a command sets: understood, and tried with the whole configuration before anything is written.
package struct ConfigChange: Sendable {
    /// One key and the words that it is set to.
    package struct KeyChange: Sendable, Equatable {
        package let key: String
        package let words: [String]

        package init(key: String, words: [String]) {
            self.key = key
            self.words = words
        }

        /// From a command line: `KEY VALUE…`, or `KEY=VALUE` any number of times.
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

    /// One key, with its value before and after.
    package struct Step: Codable, Sendable, Equatable {
        package let key: String
        /// As TOML writes it.
        package let value: String
        /// The value before, when the file says so; `null` when it does not.
        @Nullable package var before: String?
        /// `unset`: the key that is in force instead of it, such as `adhan.sound`; `default` where none is.
        package var instead: String?

        package init(key: String, value: String, before: String? = nil, instead: String? = nil) {
            self.key = key
            self.value = value
            self.before = before
            self.instead = instead
        }
    }

    package let steps: [Step]
    /// The file's future text, and the configuration that results.
    package let text: [UInt8]
    package let effective: EffectiveConfig
    /// The result of the whole configuration before.
    package let before: EffectiveConfig
    package var isEmpty: Bool {
        steps.allSatisfy { $0.instead == nil ? $0.before == $0.value : $0.before == nil }
    }

    /// - Parameters:
    ///   - main: the file to write; `nil` when there is none yet.
    ///   - dropIns: the texts that are read after it.
    /// - Throws: why it cannot be, in one sentence. Nothing has been changed then.
    package init(
        _ keyChanges: [KeyChange], in main: [UInt8]?, file: String, dropIns: [ConfigSource]
    ) throws(ConfigRefusal) {
        let old = ConfigSource(file: file, text: main ?? Array(Self.head.utf8))
        let before = try Self.load([old] + dropIns, hint: "fix it first")
        var edit = ConfigEdit(old.text)
        var steps: [Step] = []
        var paths: [[String]] = []
        for keyChange in keyChanges {
            let (path, rule) = try Self.key(keyChange.key)
            let key = Self.canonical(path).joined(separator: ".")
            if let setting = before.settings.first(where: { $0.key == key }), setting.file != file {
                throw ConfigRefusal(.drop, setting.refusal(toWriteIn: file))
            }
            let value = ConfigSchema.index.toml(
                try Self.value(Self.understood(keyChange, key), key, rule), at: path)
            steps.append(Step(key: key, value: value, before: Self.value(of: key, in: old)))
            paths.append(path)
            edit.set(Self.place(path, in: edit.bytes), .toml(value))
            // Angles of one's own may not stand beside another method.
            if path == Self.method, value != TOMLEscapes.quote(CalculationSettings.custom) {
                edit.commentOut(table: ["calculation", "angles"])
            }
        }
        self.steps = steps
        self.before = before
        text = edit.bytes
        effective = try Self.load([ConfigSource(file: file, text: edit.bytes)] + dropIns, hint: nil)
        for step in steps {
            let now = effective.settings.first { $0.key == step.key }
            guard now?.value == step.value else {
                throw ConfigRefusal(.text, "\(file) has no room for \(step.key); write it by hand")
            }
        }
    }

    /// Takes the box out of its fleet: every key of `[fleet]` goes.
    package init(
        leavingFleet main: [UInt8]?, file: String, dropIns: [ConfigSource]
    ) throws(ConfigRefusal) {
        let sources = [ConfigSource(file: file, text: main ?? [])] + dropIns
        let keys = try Self.load(sources, hint: "fix it first").settings.map(\.key).filter {
            $0.hasPrefix("fleet.")
        }
        guard !keys.isEmpty else {
            throw ConfigRefusal(.word, "the configuration names no fleet, so there is none to leave")
        }
        try self.init(unsetting: keys, in: main, file: file, dropIns: dropIns)
    }

    /// The drop-ins that have keys of a fleet, without them, and what was removed. A word stays, so that their loss is meant.
    package static func leavingFleet(_ dropIns: [ConfigSource]) -> (texts: [ConfigSource], steps: [Step]) {
        var (texts, steps): ([ConfigSource], [Step]) = ([], [])
        for source in dropIns {
            let keys = ((try? ConfigLoader.load([source]))?.settings ?? []).filter {
                $0.key.hasPrefix("fleet.")
            }
            guard !keys.isEmpty else { continue }
            var edit = ConfigEdit(Array("# This box has left its fleet.\n".utf8) + source.text)
            for setting in keys {
                edit.remove(setting.key.split(separator: ".").map(String.init))
                steps.append(Step(key: setting.key, value: "", before: setting.value, instead: "default"))
            }
            texts.append(ConfigSource(file: source.file, text: edit.bytes))
        }
        return (texts, steps)
    }

    /// Removes keys from the file, so that the value below them is in force again.
    package init(
        unsetting keys: [String], in main: [UInt8]?, file: String, dropIns: [ConfigSource]
    ) throws(ConfigRefusal) {
        let old = ConfigSource(file: file, text: main ?? [])
        before = try Self.load([old] + dropIns, hint: "fix it first")
        var edit = ConfigEdit(old.text)
        var removed: [(path: [String], before: String?)] = []
        for name in keys {
            let path = Self.canonical(try Self.key(name).0)
            let key = path.joined(separator: ".")
            if let setting = before.settings.first(where: { $0.key == key }), setting.file != file {
                throw ConfigRefusal(.drop, setting.refusal(toWriteIn: file))
            }
            removed.append((path, Self.value(of: key, in: old)))
            edit.remove(Self.place(path, in: edit.bytes))
        }
        text = edit.bytes
        let after = try Self.load([ConfigSource(file: file, text: edit.bytes)] + dropIns, hint: nil)
        effective = after
        steps = removed.map { path, before in
            let key = path.joined(separator: ".")
            let value = ConfigSchema.schema.value(at: path, in: after.config)
            let base = path.count == 3 ? [path[0], path[2]].joined(separator: ".") : ""
            let instead = after.settings.contains { $0.key == base } ? base : "default"
            return Step(key: key, value: value?.toml ?? "", before: before, instead: instead)
        }
        for step in steps where after.settings.contains(where: { $0.key == step.key }) {
            throw ConfigRefusal(.text, "\(step.key) cannot be taken out of \(file); remove it by hand")
        }
    }

    /// A key with the value that the words mean, as TOML writes it.
    package static func understood(_ keyChange: KeyChange) throws(ConfigRefusal) -> (
        key: String, value: String
    ) {
        if case (.display, let path)? = SettableKey.place(keyChange.key),
            let rule = DisplayConfig.schema.index.rule(at: path)
        {
            let words = keyChange.words.joined(separator: " ")
            return (
                keyChange.key,
                rule.isCompound
                    ? words
                    : DisplayConfig.schema.index.toml(try value(keyChange, keyChange.key, rule), at: path)
            )
        }
        let path = SettableKey.canonical(keyChange.key) ?? []
        if ConfigSchema.index.rule(at: path)?.isCompound == true {
            return (path.joined(separator: "."), keyChange.words.joined(separator: " "))
        }
        let (typed, rule) = try key(keyChange.key)
        let key = canonical(typed).joined(separator: ".")
        return (key, ConfigSchema.index.toml(try value(understood(keyChange, key), key, rule), at: typed))
    }

    /// Every key there is, for completions.
    package static let keys = ConfigSchema.index.paths.compactMap { path in
        ConfigSchema.index.rule(at: path)?.isCompound == false ? path.joined(separator: ".") : nil
    }

    /// A key stands for its table: `iqama.fajr` is `iqama.fajr.at`.
    private static func canonical(_ path: [String]) -> [String] {
        if case .shorthand(_, let target) = ConfigSchema.index[path] { target } else { path }
    }

    /// The place of a key in a text, present or future: short forms stay short.
    private static func place(_ path: [String], in bytes: [UInt8]) -> [String] {
        let document = TOMLDocument(bytes)
        let (full, table) = (canonical(path), Array(canonical(path).dropLast()))
        guard case .shorthand(_, let target) = ConfigSchema.index[table], target == full else { return path }
        guard let node = document.node(table) else { return path }
        return document.nodes[node].value == .table ? full : table
    }

    private static let method = ["calculation", "method"]

    private static let head = """
        # adhand's configuration. Every key is explained in adhand.toml(5); "adhanctl check" tells whether a change is right.

        """

    private static func load(
        _ sources: [ConfigSource], hint: String?
    ) throws(ConfigRefusal) -> EffectiveConfig {
        do throws(ConfigError) {
            return try ConfigLoader.load(sources)
        } catch {
            throw ConfigRefusal(.text, error.summary + (hint.map { "; \($0)" } ?? ""))
        }
    }

    /// The text's own values.
    private static func value(of key: String, in source: ConfigSource) -> String? {
        (try? ConfigLoader.load([source]))?.settings.first { $0.key == key }?.value
    }

    private static func key(_ text: String) throws(ConfigRefusal) -> ([String], ValueRule) {
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

    /// A congregation's time as people say it: `1:30pm`, and `1:30` for Dhuhr, are 13:30; `+15` is fifteen minutes after the adhan.
    private static func understood(_ keyChange: KeyChange, _ key: String) -> KeyChange {
        guard let prayer = congregation(key),
            let reading = try? IqamaReading(keyChange.words.joined(separator: " "), for: prayer)
        else { return keyChange }
        return KeyChange(key: keyChange.key, words: [reading.time.text])
    }

    /// The prayer whose congregation a key sets, or bounds.
    private static func congregation(_ key: String) -> Prayer? {
        let path = key.split(separator: ".")
        guard path.count == 3 else { return nil }
        if path[0] == "ramadan", path[1] == "iqama" { return Prayer(rawValue: String(path[2])) }
        guard path[0] == "iqama", ["at", "not-before", "not-after"].contains(path[2]) else { return nil }
        return Prayer(rawValue: String(path[1]))
    }

    /// A value as the file would have it, or the words that it stands for.
    private static func value(_ keyChange: KeyChange, _ key: String, _ rule: ValueRule) throws(ConfigRefusal)
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
        // A rotation, right or wrong, is no name.
        if case .table? = readings.first, rule.takesRotation {
            do throws(ValueRule.ValueError) { return try rule.check(readings[0]) } catch {
                throw ConfigRefusal(.word, error.sentence(key, rule))
            }
        }
        if rule.isList {
            let isParted = words.count == 1 && rule.hasCommas
            let parts = isParted ? words[0].split(separator: ",").map { String($0) } : words
            if parts.count > 1 || !rule.takesOne { readings.append(.list(parts.map { .text($0) })) }
        }
        if words.count == 1 { readings.append(.text(joined)) }
        if let meant = rule.commonSpelling(of: joined) { readings.append(.text(meant)) }
        for reading in readings {
            if let value = try? rule.check(reading) { return value }
        }
        do throws(ValueRule.ValueError) {
            // 15 is a number; people mean minutes after the adhan.
            if congregation(key) != nil { return try rule.check(.text(joined)) }
            return try rule.check(readings.first ?? .text(joined))
        } catch {
            throw ConfigRefusal(.word, error.sentence(key, rule))
        }
    }
}

/// Why a key is not set.
package struct ConfigRefusal: Error, Sendable, Equatable {
    package enum Kind: Sendable {
        /// The typed words.
        case word
        /// The content of the files, present or future.
        case text
        /// A drop-in overrides it.
        case drop
    }

    package let kind: Kind
    package let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
