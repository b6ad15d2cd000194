package import Host
package import Protocol
package import Settings

/// Why `display.toml` cannot be used.
package enum DisplayFileError: Error, Sendable {
    /// The file cannot be read.
    case file(FileError)
    /// The text is invalid.
    case mistakes(ConfigError)

    /// The messages, one sentence each.
    package var sentences: [String] {
        switch self {
        case .file(let error): [error.message]
        case .mistakes(let error): error.all.map(\.message)
        }
    }
}

/// `display.toml` and its drop-ins on disk.
package struct DisplayFile: Sendable {
    package private(set) var config: DisplayConfig
    package var pictureFolder: String {
        get { config.pictureFolder }
        set { config.pictureFolder = newValue }
    }
    /// The files that were read; none if the default one does not exist.
    package let files: [String]
    package let keys: [ConfigSetting]
    /// The texts of the files, which settings made by command override.
    package var texts: [ConfigSource] = []

    /// The configuration of the files with adhand's settings by command; the files alone if the two
    /// conflict, as when this screen uses another file than adhand reads.
    package func with(_ settings: [SettingDocument]) -> DisplayConfig {
        var layered = Self.config(config, texts, settings)
        layered.pictureFolder = config.pictureFolder
        return layered
    }

    package static func config(
        _ plain: DisplayConfig, _ texts: [ConfigSource], _ settings: [SettingDocument]
    ) -> DisplayConfig {
        let table = SettableKey.Home.displayTable + "."
        let lines = settings.filter { $0.state == .set && $0.key.hasPrefix(table) }
            .map { "\($0.key.dropFirst(table.count)) = \($0.value)\n" }
        guard !lines.isEmpty else { return plain }
        let source = ConfigSource(file: LayeredConfig.sourceName, text: Array(lines.joined().utf8))
        return (try? DisplayConfig.schema.read(texts + [source]))?.settings ?? plain
    }

    /// Reads a file. A file given by name must exist; the default one need not.
    package static func read(_ named: String?, in environment: Environment) throws(DisplayFileError)
        -> DisplayFile
    {
        let file = named ?? DisplayConfig.systemFile
        guard named != nil || isThere(file, environment) else {
            return DisplayFile(config: DisplayConfig(), files: [], keys: [])
        }
        let found: ConfigFiles
        do throws(FileError) {
            found = try ConfigFiles.read(file)
        } catch {
            throw .file(error)
        }
        do throws(ConfigError) {
            let read = try DisplayConfig.schema.read(found.sources)
            return DisplayFile(
                config: read.settings, files: found.sources.map(\.file), keys: read.keys, texts: found.sources
            )
        } catch {
            throw .mistakes(error)
        }
    }

    /// Reads the file for a screen on a wall: a mistake in the default file must not leave the screen dark, so the defaults
    /// replace it and each problem is returned as a sentence. A file given by name is refused.
    package static func readForScreen(
        _ named: String?, in environment: Environment
    ) throws(DisplayFileError) -> (file: DisplayFile, complaints: [String]) {
        do throws(DisplayFileError) {
            return (try read(named, in: environment), [])
        } catch {
            guard named == nil else { throw error }
            let none = DisplayFile(config: DisplayConfig(), files: [], keys: [])
            return (none, error.sentences + ["until that is fixed the usual settings apply"])
        }
    }

    /// Whether a file exists. One that cannot be reached counts, because it would otherwise be ignored silently.
    package static func isThere(_ file: String, _ environment: Environment) -> Bool {
        ConfigFiles.exist(file, in: environment) || environment.isBlocked(file)
    }
}
