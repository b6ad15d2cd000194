internal import Host
internal import PhoneRules
internal import Settings
internal import WebServer

/// `remote.toml` and its drop-ins on disk.
enum RemoteFile {
    /// Reads the configuration. A file named on the command line must exist; the default one may be missing.
    static func read(_ named: String?, in environment: Environment) throws(ServerError) -> RemoteConfig {
        let file = named ?? RemoteConfig.systemFile
        // A file that cannot be reached is an error: treating it as missing would silently ignore it.
        guard named != nil || ConfigFiles.exist(file, in: environment) || environment.isBlocked(file) else {
            return RemoteConfig()
        }
        let found: ConfigFiles
        do throws(FileError) {
            found = try ConfigFiles.read(file)
        } catch {
            throw ServerError(message: error.message, exitStatus: 65)
        }
        do throws(ConfigError) {
            return try RemoteConfig.schema.read(found.sources).settings
        } catch {
            throw ServerError(sentences: error.all.map(\.message), exitStatus: 65)
        }
    }
}
