/// Whether a setting is in force.
public enum SettingState: String, Codable, Sendable, CaseIterable {
    case set
    /// A file lets no command change the key.
    case pinned
    /// The files have changed since the setting was made.
    case superseded
    /// With its change the configuration could not be used.
    case invalid
    /// This version does not know the key, or does not understand the value.
    case unknown
}

/// A setting with its outcome.
package struct EvaluatedSetting: Sendable, Equatable {
    package let entry: SettingsLayer.Entry
    package let state: SettingState
    /// Why it is not in force.
    package let reason: String?
    /// The place in a file that keeps it from being in force.
    package let place: ConfigSetting.Place?

    package init(
        _ entry: SettingsLayer.Entry, _ state: SettingState, _ reason: String? = nil,
        at place: ConfigSetting.Place? = nil
    ) {
        (self.entry, self.state, self.reason, self.place) = (entry, state, reason, place)
    }
}

extension SettingsLayer {
    /// Every setting with its state, in the order of ``entries``.
    /// - Parameter fault: why the files with these settings over them cannot be used; `nil` where they can.
    package func evaluated(
        over files: LayerFiles, fault: ([Entry]) -> String?
    ) -> [EvaluatedSetting] {
        var evaluated: [EvaluatedSetting] = []
        var accepted: [Entry] = []
        for unit in Dictionary(grouping: entries, by: \.unit).sorted(by: { $0.key < $1.key }).map(\.value) {
            let judged = unit.map { Self.judged($0, files) }
            let wanted = judged.filter { $0.state == .set }.map(\.entry)
            let excess = wanted.lazy.compactMap { Self.excess($0, files) }.first
            let reason = wanted.isEmpty ? nil : excess ?? fault(accepted + wanted)
            if reason == nil { accepted += wanted }
            evaluated += judged.map {
                reason != nil && $0.state == .set ? EvaluatedSetting($0.entry, .invalid, reason) : $0
            }
        }
        return evaluated
    }

    private static func judged(_ entry: Entry, _ files: LayerFiles) -> EvaluatedSetting {
        guard let key = SettableKey(entry.key), key.key == entry.key else {
            return EvaluatedSetting(entry, .unknown, "this version of adhand has no such setting")
        }
        guard (try? SettingValue(entry.value, of: key))?.toml == entry.value else {
            return EvaluatedSetting(entry, .unknown, "this version of adhand does not understand the value")
        }
        if let pin = files.pin(of: entry.key) {
            let reason = "[control] pinned names \(pin.name), so no command can change it"
            return EvaluatedSetting(entry, .pinned, reason, at: pin.place)
        }
        let said = files.said[entry.key]
        guard said?.value == entry.over else {
            return EvaluatedSetting(
                entry, .superseded, "the files were changed after it was set",
                at: said.map { .init(file: $0.file, line: $0.line) })
        }
        return EvaluatedSetting(entry, .set)
    }

    private static func excess(_ entry: Entry, _ files: LayerFiles) -> String? {
        guard let key = SettableKey(entry.key), let value = try? SettingValue(entry.value, of: key) else {
            return nil
        }
        return files.excess(value, of: key)
    }
}

/// The files and the settings over them as one configuration.
package struct LayeredConfig: Sendable, Equatable {
    /// The files alone.
    package let files: EffectiveConfig
    /// All of it.
    package let effective: EffectiveConfig
    package let settings: [EvaluatedSetting]

    /// The name under which the settings stand among the files that set keys.
    package static let sourceName = "settings"

    /// Files without any setting over them.
    package init(files: EffectiveConfig) {
        (self.files, effective, settings) = (files, files, [])
    }

    /// - Parameter misfit: why a configuration that is right by itself cannot be used here, such as a zone that the machine does not
    ///   have.
    /// - Throws: a mistake in the files, never one in the settings.
    package init(
        _ sources: [ConfigSource], _ layer: SettingsLayer, misfit: (Config) -> String? = { _ in nil }
    ) throws(ConfigError) {
        let base = SchemaReading(ConfigSchema.schema, sources)
        let files = EffectiveConfig(try ConfigSchema.schema.finish(base))
        var best = files
        self.files = files
        settings = layer.evaluated(over: LayerFiles(files)) { entries in
            do throws(ConfigError) {
                var reading = base
                reading.add(Self.source(entries))
                let whole = EffectiveConfig(try ConfigSchema.schema.finish(reading))
                if let reason = misfit(whole.config) { return reason }
                best = whole
                return nil
            } catch {
                return error.reason
            }
        }
        effective = EffectiveConfig(config: best.config, settings: best.settings.map { layer.signed($0) })
    }

    /// The value in force of a key as TOML writes it; empty where there is none.
    package func inForce(_ key: SettableKey) -> String {
        effective.settings.first { $0.key == key.key }?.value ?? key.value(in: effective.config)
    }

    /// The settings that a machine cannot use, and why, in a sentence each.
    package var complaints: [(entry: SettingsLayer.Entry, sentence: String)] {
        settings.filter { $0.state != .set }.map { setting in
            let entry = setting.entry
            let place = setting.place.map { " (\($0.file), line \($0.line))" } ?? ""
            return (
                entry,
                "\(entry.key) = \(entry.value), set by \(entry.author.name), is not in force: "
                    + "\(setting.reason ?? setting.state.rawValue)\(place)"
            )
        }
    }

    /// Settings as a text of their own, one in a line.
    package static func source(_ entries: [SettingsLayer.Entry]) -> ConfigSource {
        let lines = entries.map { entry in
            let key = entry.key.split(separator: ".").map { TOMLEscapes.key(String($0)) }
            return "\(key.joined(separator: ".")) = \(entry.value)\n"
        }
        return ConfigSource(file: sourceName, text: Array(lines.joined().utf8))
    }

    /// Why a draft is refused, of which this is the result: a key of it is not in force, or something else no longer is.
    package func refusal(of draft: SettingsDraft, since before: LayeredConfig) -> SettingsRefusal? {
        func first(_ states: [EvaluatedSetting]) -> SettingsRefusal? {
            states.first.map {
                .invalid(key: $0.entry.key, value: $0.entry.value, reason: $0.reason ?? "")
            }
        }
        let bad = settings.filter { $0.state != .set }
        // An undo may bring back a setting that the files have superseded since; it is kept and shown, as before.
        let isUndo = draft.change?.undoes != nil
        if let own = first(
            bad.filter { draft.keys.contains($0.entry.key) && !(isUndo && $0.state == .superseded) })
        {
            return own
        }
        let held = Set(before.settings.filter { $0.state == .set }.map(\.entry.key))
        guard
            let lost = bad.first(where: { held.contains($0.entry.key) && !draft.keys.contains($0.entry.key) })
        else { return nil }
        let entry = lost.entry
        return .invalid(
            key: entry.key, value: entry.value,
            reason: "\(entry.key), set by \(entry.author.name), could not stay in force: \(lost.reason ?? "")"
        )
    }
}
