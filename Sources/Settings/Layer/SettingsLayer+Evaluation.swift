/// Whether a setting is in force.
public enum SettingState: String, Codable, Sendable, CaseIterable {
    case set
    /// A file prevents commands from changing the key.
    case pinned
    /// The files have changed since the setting was made.
    case superseded
    /// The configuration could not be used with its change.
    case invalid
    /// This version does not know the key, or does not understand the value.
    case unknown
}

/// A setting with its state.
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

    /// Whether both have the same state, whatever the reason's wording.
    package func isSame(as other: Self) -> Bool {
        (entry, state, place) == (other.entry, other.state, other.place)
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
            let found = unit.map { Self.evaluated($0, files) }
            let wanted = found.filter { $0.state == .set }.map(\.entry)
            let excess = wanted.lazy.compactMap { Self.excess($0, files) }.first
            let reason = wanted.isEmpty ? nil : excess ?? fault(accepted + wanted)
            if reason == nil { accepted += wanted }
            evaluated += found.map {
                reason != nil && $0.state == .set ? EvaluatedSetting($0.entry, .invalid, reason) : $0
            }
        }
        return evaluated
    }

    private static func evaluated(_ entry: Entry, _ files: LayerFiles) -> EvaluatedSetting {
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
        let setting = files.settings[entry.key]
        guard setting?.value == entry.over else {
            return EvaluatedSetting(
                entry, .superseded, "the files were changed after it was set",
                at: setting.map { .init(file: $0.file, line: $0.line) })
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
