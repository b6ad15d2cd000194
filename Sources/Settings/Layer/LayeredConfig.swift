/// The files with the settings over them as one configuration.
package struct LayeredConfig: Sendable, Equatable {
    /// adhand's files alone.
    package let files: EffectiveConfig
    /// The configuration with the settings over the files.
    package let effective: EffectiveConfig
    /// The display's files alone; empty where they cannot be used, as on the screen itself.
    package let displayFiles: EffectiveDisplay
    package let display: EffectiveDisplay
    /// The texts of the display's files, over which a change of settings is tried.
    package let displayTexts: [ConfigSource]
    package let settings: [EvaluatedSetting]

    /// The name of the settings among the files that set keys.
    package static let sourceName = "settings"

    /// Makes a configuration of files without any setting over them.
    package init(files: EffectiveConfig) {
        (self.files, effective, settings) = (files, files, [])
        (displayFiles, display, displayTexts) = (EffectiveDisplay(), EffectiveDisplay(), [])
    }

    /// - Parameters:
    ///   - display: the texts of the display's file.
    ///   - unusable: why a valid configuration cannot be used here, such as a zone that the machine lacks.
    /// - Throws: what is wrong with adhand's files; never with the settings or the display's files.
    package init(
        _ sources: [ConfigSource], _ layer: SettingsLayer, display: [ConfigSource] = [],
        unusable: (Config) -> String? = { _ in nil }
    ) throws(ConfigError) {
        displayTexts = display
        let base = SchemaReading(ConfigSchema.schema, sources)
        let files = EffectiveConfig(try ConfigSchema.schema.finish(base))
        var screen = SchemaReading(DisplayConfig.schema, display)
        if (try? DisplayConfig.schema.finish(screen)) == nil { screen = SchemaReading(DisplayConfig.schema) }
        let ofScreen =
            (try? DisplayConfig.schema.finish(screen)).map { EffectiveDisplay($0) } ?? EffectiveDisplay()
        var (best, bestOfScreen) = (files, ofScreen)
        (self.files, displayFiles) = (files, ofScreen)
        settings = layer.evaluated(over: LayerFiles(files, display: ofScreen.settings)) { entries in
            do throws(ConfigError) {
                var reading = base
                reading.add(Self.source(entries, of: .adhand))
                let whole = EffectiveConfig(try ConfigSchema.schema.finish(reading))
                if let reason = unusable(whole.config) { return reason }
                var readingOfScreen = screen
                readingOfScreen.add(Self.source(entries, of: .display))
                let wholeOfScreen = EffectiveDisplay(try DisplayConfig.schema.finish(readingOfScreen))
                (best, bestOfScreen) = (whole, wholeOfScreen)
                return nil
            } catch {
                return error.reason
            }
        }
        effective = EffectiveConfig(config: best.config, settings: best.settings.map { layer.signed($0) })
        self.display = bestOfScreen
    }

    /// The limits that the files set for settings.
    package var layerFiles: LayerFiles { LayerFiles(files, display: displayFiles.settings) }

    /// The value of a key in force, in TOML; empty where there is none.
    package func inForce(_ key: SettableKey) -> String {
        let (settings, name) =
            switch key.home {
            case .adhand: (effective.settings, key.key)
            case .display: (display.settings, key.path.joined(separator: "."))
            }
        return settings.first { $0.key == name }?.value ?? key.value(in: effective.config, display.config)
    }

    /// The settings that a machine cannot use, and why, in a sentence each.
    package var complaints: [(setting: EvaluatedSetting, sentence: String)] {
        settings.filter { $0.state != .set }.map { setting in
            let entry = setting.entry
            let place = setting.place.map { " (\($0.file), line \($0.line))" } ?? ""
            return (
                setting,
                "\(entry.key) = \(entry.value), set by \(entry.author.name), is not in force: "
                    + "\(setting.reason ?? setting.state.rawValue)\(place)"
            )
        }
    }

    /// The settings of one file as a text of their own, one in a line.
    package static func source(
        _ entries: [SettingsLayer.Entry], of home: SettableKey.Home = .adhand
    ) -> ConfigSource {
        let lines = entries.compactMap { entry -> String? in
            guard let key = SettableKey(entry.key), key.home == home else { return nil }
            return "\(key.path.map { TOMLEscapes.key($0) }.joined(separator: ".")) = \(entry.value)\n"
        }
        return ConfigSource(file: sourceName, text: Array(lines.joined().utf8), isBound: true)
    }

    /// Why a draft with this result is refused: one of its keys is not in force, or something else no longer is.
    package func refusal(of draft: SettingsDraft, since before: LayeredConfig) -> SettingsRefusal? {
        if let half = halfOfPlace(draft) { return half }
        func first(_ states: [EvaluatedSetting]) -> SettingsRefusal? {
            states.first.map {
                .invalid(key: $0.entry.key, value: $0.entry.value, reason: $0.reason ?? "")
            }
        }
        let bad = settings.filter { $0.state != .set }
        // An undone change may restore values that the files have superseded since; that is kept and shown, as before.
        let isUndo = draft.change?.undoes != nil
        if let own = first(
            bad.filter { draft.keys.contains($0.entry.key) && !(isUndo && $0.state == .superseded) })
        {
            return own
        }
        let held = Set(before.settings.filter { $0.state == .set }.map(\.entry.key))
        let broken = bad.filter { held.contains($0.entry.key) && !draft.keys.contains($0.entry.key) }
        // Settings of one change are accepted or refused together: the reported one is from the table that was changed.
        let tables = Set(draft.keys.map(Self.table))
        guard let lost = broken.first(where: { tables.contains(Self.table($0.entry.key)) }) ?? broken.first
        else { return nil }
        let entry = lost.entry
        return .invalid(
            key: entry.key, value: entry.value,
            reason: "\(entry.key), set by \(entry.author.name), could not stay in force: \(lost.reason ?? "")"
        )
    }

    /// The refusal of a change that would leave one coordinate of the place set by command, and the other from the files.
    private func halfOfPlace(_ draft: SettingsDraft) -> SettingsRefusal? {
        let pair = ["location.latitude", "location.longitude"]
        guard draft.change?.undoes == nil,
            let step = draft.change?.steps.first(where: { pair.contains($0.key) && $0.after == nil }),
            let other = pair.first(where: { $0 != step.key }),
            draft.layer.entries.contains(where: { $0.key == other })
        else { return nil }
        let reason = "\(other) was set by command as well; take away both, or neither"
        return .invalid(key: step.key, value: "", reason: reason)
    }

    private static func table(_ key: String) -> Substring { key.prefix { $0 != "." } }
}
