package import Host
package import Protocol
package import Settings

/// Why `display.toml` cannot be used.
package enum DisplayFileError: Error, Sendable {
    /// It cannot be read.
    case file(FileError)
    /// Its text is wrong.
    case mistakes(ConfigError)

    /// A sentence each.
    package var sentences: [String] {
        switch self {
        case .file(let error): [error.message]
        case .mistakes(let error): error.all.map(\.message)
        }
    }
}

/// `display.toml` and its drop-ins on disk.
package struct DisplayFile: Sendable {
    package let config: DisplayConfig
    /// The files that were read; none where the usual one is not there.
    package let files: [String]
    package let keys: [ConfigSetting]
    /// Their texts, over which settings made by command go.
    package var texts: [ConfigSource] = []

    /// The settings of the files with those over them that adhand has in force by command; the files alone where the two do
    /// not go together, as when this screen was given another file than adhand reads.
    package func with(_ settings: [SettingDocument]) -> DisplayConfig {
        Self.config(config, texts, settings)
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

    /// The file that is named has to be there; the usual one need not.
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

    /// For a screen on a wall: a mistake in the usual file leaves no screen dark. The defaults replace it, and each
    /// problem comes beside them in a sentence. A file that was named by hand is refused.
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

    /// One that cannot be reached is not a missing one: it would be left out in silence.
    package static func isThere(_ file: String, _ environment: Environment) -> Bool {
        ConfigFiles.exist(file, in: environment) || environment.isBlocked(file)
    }
}
