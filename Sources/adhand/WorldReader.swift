internal import AdhanCore
internal import CLinux
internal import Glibc
internal import Host

/// Reads what the daemon knows of its surroundings: the configuration, the machine's zone, who may change
/// things.
struct WorldReader: Sendable {
    /// Looked for anew at every reading: the file may have been written since the start.
    let find: @Sendable () -> Paths.Configuration
    let zones: ZoneFiles
    let stateDirectory: String
    let audioDirectory: String

    /// The same for another file.
    func reading(_ file: String) -> WorldReader {
        WorldReader(
            find: { .file(file) }, zones: zones, stateDirectory: stateDirectory,
            audioDirectory: audioDirectory)
    }

    /// The path that would be read now, or what stands in for it.
    var source: String { Self.source(find()) }

    private var folders: SoundFolders {
        SoundFolders(stateDirectory: stateDirectory, audioDirectory: audioDirectory)
    }

    /// - Parameter inForce: what is in force until now is called like that. A file that has been read does not give way to the
    ///   embedded default because it is gone for a moment, or for good: that would call other times without a word.
    /// - Throws: what is wrong with the configuration, or with what it leaves to the machine.
    func read(inForce: String? = nil) throws(ConfigError) -> World {
        let configuration = find()
        let source = Self.source(configuration)
        if case .embedded = configuration, let inForce, inForce != source {
            throw ConfigError(
                file: inForce, line: 1, column: 1, key: nil,
                reason: "the file is gone; restore it, or restart adhand to run on its embedded default")
        }
        let (config, text) = try Self.config(configuration)
        let site: Site
        do throws(SiteError) {
            site = try SiteReader.site(for: config, zones)
        } catch {
            throw ConfigLoader.error(at: error.key, in: text, file: source, reason: error.message)
        }
        return world(config, source, site)
    }

    /// The configuration in force on a machine whose zone may have changed. What else has been written to its file meanwhile
    /// waits for a reload, and a mistake in it does not keep the old zone.
    func renew(_ inForce: World) throws(SiteError) -> World {
        world(inForce.config, inForce.configuration, try SiteReader.site(for: inForce.config, zones))
    }

    private func world(_ config: Config, _ source: String, _ site: Site) -> World {
        World(
            config: config, configuration: source, site: site, user: geteuid(),
            controlGroup: Self.group(config.controlGroup), stateDirectory: stateDirectory,
            audioDirectory: audioDirectory, soundProblems: folders.problems(of: config))
    }

    /// The configuration alone, without the machine's part in it.
    func readConfig() throws(ConfigError) -> Config {
        try Self.config(find()).config
    }

    private static func config(
        _ configuration: Paths.Configuration
    ) throws(ConfigError) -> (config: Config, text: [UInt8]) {
        switch configuration {
        case .embedded: return (.default, [])
        case .file(let path):
            let text: [UInt8]
            do {
                text = try FileBytes.read(path, limit: ConfigLoader.longestFile)
            } catch {
                throw ConfigError(file: path, line: 1, column: 1, key: nil, reason: error.message)
            }
            return (try ConfigLoader.load(text: text, file: path), text)
        }
    }

    /// The path that is read, or what stands in for it.
    private static func source(_ configuration: Paths.Configuration) -> String {
        switch configuration {
        case .file(let path): path
        case .embedded(let lookedFor):
            "embedded default (there is no \(lookedFor.joined(separator: ", no ")))"
        }
    }

    private static func group(_ name: String) -> UInt32? {
        guard let entry = unsafe getgrnam(name) else { return nil }
        return unsafe entry.pointee.gr_gid
    }
}
