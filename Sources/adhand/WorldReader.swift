internal import AdhanCore
internal import CLinux
internal import Glibc
internal import Host

/// Reads what the daemon knows of its surroundings: the configuration, the machine's zone, who may change
/// things.
struct WorldReader: Sendable {
    let configuration: Paths.Configuration
    let zones: ZoneFiles

    /// - Throws: what is wrong with the configuration, or with what it leaves to the machine.
    func read() throws(ConfigError) -> World {
        let (config, text) = try readConfig()
        let site: Site
        do throws(SiteError) {
            site = try SiteReader.site(for: config, zones)
        } catch {
            throw ConfigLoader.error(at: error.key, in: text, file: source, reason: error.message)
        }
        return World(
            config: config, configuration: source, site: site, user: geteuid(),
            controlGroup: Self.group(config.controlGroup))
    }

    /// The configuration alone, with the text it was read from.
    func readConfig() throws(ConfigError) -> (config: Config, text: [UInt8]) {
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
    var source: String {
        switch configuration {
        case .file(let path): path
        case .embedded: "embedded default"
        }
    }

    private static func group(_ name: String) -> UInt32? {
        guard let entry = unsafe getgrnam(name) else { return nil }
        return unsafe entry.pointee.gr_gid
    }
}
