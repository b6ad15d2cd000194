import TOML
package import Texts

/// Keys that a command sets: parsed, and tried with the whole configuration before anything is written.
package struct ConfigChange: Sendable {
    /// One key, with its value before and after.
    package struct Step: Codable, Sendable, Equatable {
        package let key: String
        /// The value in TOML.
        package let value: String
        /// The old value if the file has one; otherwise `null`.
        @Nullable package var before: String?
        /// For `unset`: the key that is in force instead, such as `adhan.sound`; `default` where none is.
        package var instead: String?

        package init(key: String, value: String, before: String? = nil, instead: String? = nil) {
            self.key = key
            self.value = value
            self.before = before
            self.instead = instead
        }
    }

    package let steps: [Step]
    /// The file's future text, and the resulting configuration.
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
    /// - Throws: why the change is impossible, in one sentence. Nothing has been changed then.
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
            // Custom angles may not be combined with another method.
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

    /// Removes keys from the file, so that the underlying value is in force again.
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

    /// The position of a key in a text, present or future: short forms stay short.
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

    static func load(
        _ sources: [ConfigSource], hint: String?
    ) throws(ConfigRefusal) -> EffectiveConfig {
        do throws(ConfigError) {
            return try ConfigLoader.load(sources)
        } catch {
            throw ConfigRefusal(.text, error.summary + (hint.map { "; \($0)" } ?? ""))
        }
    }

    /// The value in this text alone.
    private static func value(of key: String, in source: ConfigSource) -> String? {
        (try? ConfigLoader.load([source]))?.settings.first { $0.key == key }?.value
    }
}
