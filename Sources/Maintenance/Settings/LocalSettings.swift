import ControlClient
import Host
import Protocol
package import Settings

/// The settings that override the files of a running adhand, or will override them at its next start.
package enum LocalSettings {
    /// The settings in force as the daemon reports them, one on each line.
    case reported(ConfigSource)
    /// The settings in the state directory.
    case kept(SettingsLayer)

    private static let patienceSeconds = 2.0

    /// - Returns: `nil` if the daemon is older, or has none.
    static func reported(by daemon: ControlClient) -> LocalSettings? {
        guard
            let reply = try? daemon.call(
                .getSettings, SettingsPrefixParameters(),
                patienceSeconds: patienceSeconds)
        else { return nil }
        // Leave out the display's settings, which only the screen uses.
        let inForce = reply.settings.filter {
            $0.state == .set && SettableKey($0.key)?.home == .adhand
        }
        guard !inForce.isEmpty else { return nil }
        let lines = inForce.map { "\($0.key) = \($0.value)\n" }
        return .reported(
            ConfigSource(file: LayeredConfig.sourceName, text: Array(lines.joined().utf8), isBound: true))
    }

    /// - Returns: `nil` if there are none, or this user may not read them.
    static func saved(in directory: String) -> LocalSettings? {
        guard
            let bytes = try? FileBytes.read(
                "\(directory)/\(SettingsLayer.fileName)", limit: SettingsLayer.longestFile),
            let layer = try? SettingsLayer(fileBytes: bytes)
        else { return nil }
        return .kept(layer)
    }

    /// The files with the settings applied; the files alone if the two conflict.
    func over(_ sources: [ConfigSource], _ files: EffectiveConfig) -> EffectiveConfig {
        switch self {
        case .reported(let source): (try? ConfigLoader.load(sources + [source])) ?? files
        case .kept(let layer): (try? LayeredConfig(sources, layer))?.effective ?? files
        }
    }
}
