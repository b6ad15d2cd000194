package import ControlClient
package import Host
package import Protocol
package import Texts

/// The sounds of the daemon that adhanctl talks to. It works without the daemon as well.
package struct SoundPlace {
    package let state: StatePlace
    package let folders: SoundFolders
    /// The configuration that names the sounds. If it cannot be read, sounds can be added all the same.
    let configuration: Result<LocalConfiguration, CommandError>

    var stateDirectory: String { state.directory }
    /// The daemon's own status, if it runs.
    var status: StatusDocument? { state.status }
    private let daemon: ControlClient

    /// Seconds to wait for the daemon, whose answer is optional.
    private static let patienceSeconds = 2.0

    package init(_ named: NamedPlaces, _ daemon: ControlClient) throws(CommandError) {
        self.daemon = daemon
        let environment = Environment.process
        state = StatePlace(named: named.state, daemon)
        let status = state.status
        let shipped =
            named.audio ?? status?.audioDirectory
            ?? Paths(Paths.Options(), in: environment).audioDirectory
        folders = SoundFolders(stateDirectory: state.directory, audioDirectory: shipped)
        // Use the file that the daemon reads; without a daemon, the one that it would read.
        let file =
            named.configuration
            ?? status?.configurationFile.flatMap {
                ConfigFiles.exist($0, in: environment) ? $0 : nil
            }
        // Settings by command play sounds as well.
        let set = state.settings
        let fleet = named.configuration == nil ? state.fleet : nil
        configuration = Result { () throws(CommandError) in
            try LocalConfiguration(file: file, over: set, fleet: fleet)
        }
        if named.configuration != nil { _ = try configuration.get() }
    }

    /// The daemon's present status; ``status`` is from the beginning.
    func statusNow() -> StatusDocument? {
        try? daemon.call(.getStatus, patienceSeconds: Self.patienceSeconds).status
    }

    /// The places in the configuration that play a file.
    package func users(of file: String) -> [SoundUse] {
        guard case .success(let configuration) = configuration else { return [] }
        return SoundUse.all(in: configuration.config).filter {
            folders.find($0.sound, for: $0.prayer) == .file(file)
        }
    }

    /// Whether a name leads to a file.
    package func hasSound(_ name: String, for prayer: Prayer) -> Bool {
        if case .file = folders.find(name, for: prayer) { true } else { false }
    }

    /// The file in which to write a sound's name, whether it exists yet or not.
    package var configurationFile: String {
        if case .success(let configuration) = configuration, configuration.isFile {
            return configuration.source
        }
        if let file = status?.configuration, file.hasPrefix("/") { return file }
        return stateDirectory == Paths.systemState
            ? Paths.systemConfiguration : Paths.userConfiguration(.process)
    }
}
