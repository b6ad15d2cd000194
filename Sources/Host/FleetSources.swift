package import Settings

/// The files of a box with a fleet's configuration between the first one and its drop-ins. `pinned` and `loudest` of the files
/// bind the fleet like commands: a value that they forbid counts as if the fleet had not set it.
package struct FleetSources: Sendable, Equatable {
    /// A fleet's value that the files forbid.
    package struct Conflict: Sendable, Equatable {
        package let key: String
        /// The rule and its place.
        package let reason: String

        /// The refusal of an arriving change.
        package var refusal: String { "the fleet cannot change \(key): \(reason)" }
    }

    package let sources: [ConfigSource]
    package let conflicts: [Conflict]

    /// - Parameter main: the path of the first file, whether or not it exists.
    package init(_ toml: String, among files: [ConfigSource], after main: String) {
        let own = files.prefix { $0.file == main }
        var fleet = ConfigSource(file: ConfigFiles.fleetName, text: Array(toml.utf8), isBound: true)
        let whole = ConfigLoader.unchecked(own + [fleet] + files.dropFirst(own.count))
        let bounds = LayerFiles(whole)
        conflicts = whole.settings.compactMap { setting in
            Self.reason(against: setting, in: whole.config, bounds).map {
                Conflict(key: setting.key, reason: $0)
            }
        }
        fleet.ignoredKeys = Set(conflicts.map(\.key))
        sources = own + [fleet] + files.dropFirst(own.count)
    }

    /// The problem of a change in force whose key was forbidden since; `nil` where there is none.
    package var problem: String? {
        guard !conflicts.isEmpty else { return nil }
        return "the fleet's configuration has no effect on "
            + conflicts.map { "\($0.key) (\($0.reason))" }.joined(separator: ", ")
    }

    private static func reason(
        against setting: ConfigSetting, in config: Config, _ bounds: LayerFiles
    ) -> String? {
        let isInForce = setting.file == ConfigFiles.fleetName
        guard isInForce || setting.overridden.contains(where: { $0.file == ConfigFiles.fleetName }) else {
            return nil
        }
        if let pin = bounds.pin(of: setting.key) {
            return "[control] pinned names \(pin.name) in \(pin.place.file), line \(pin.place.line)"
        }
        // A volume that a drop-in overrides has no effect.
        guard isInForce, let volume = volume(of: setting, in: config), volume > bounds.loudest else {
            return nil
        }
        let place = bounds.settings["control.loudest"].map { " in \($0.file), line \($0.line)" } ?? ""
        return "\(volume) is above \(bounds.loudest), which [control] loudest allows\(place)"
    }

    /// The volume that a key sets, the loudest of several; upper limits are not volumes.
    private static func volume(of setting: ConfigSetting, in config: Config) -> Int? {
        if setting.key == "output" {
            return config.outputs.flatMap { [$0.volumePercent].compactMap(\.self) + $0.prayerVolumes.values }
                .max()
        }
        return setting.key.hasSuffix(".volume") ? Int(setting.value) : nil
    }
}
