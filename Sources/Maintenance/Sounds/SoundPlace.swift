package import ControlClient
package import Host
package import Protocol
package import Texts

/// The sounds of the daemon that adhanctl talks to. Works without the daemon, too.
package struct SoundPlace {
    package let state: StatePlace
    package let folders: SoundFolders
    /// The configuration that names the sounds. An unreadable one does not keep a sound from being added.
    let configuration: Result<LocalConfiguration, CommandError>

    var stateDirectory: String { state.directory }
    /// The daemon's own status, when it runs.
    var status: StatusDocument? { state.status }
    private let daemon: ControlClient

    /// Seconds that the daemon has to answer: it can be done without.
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
        // The sound in force is the one that the daemon reads; without it, the one that it would read.
        let file =
            named.configuration
            ?? status?.configurationFile.flatMap {
                ConfigFiles.exist($0, in: environment) ? $0 : nil
            }
        // Settings made by command play sounds as well.
        let set = state.settings
        let fleet = named.configuration == nil ? state.fleet : nil
        configuration = Result { () throws(CommandError) in
            try LocalConfiguration(file: file, over: set, fleet: fleet)
        }
        if named.configuration != nil { _ = try configuration.get() }
    }

    /// Asks again: ``status`` is that of the beginning.
    func statusNow() -> StatusDocument? {
        try? daemon.call(.getStatus, patienceSeconds: Self.patienceSeconds).status
    }

    /// The places in the configuration that play this file.
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

    /// The file to write a sound's name into, whether it exists yet or not.
    package var configurationFile: String {
        if case .success(let configuration) = configuration, configuration.isFile {
            return configuration.source
        }
        if let file = status?.configuration, file.hasPrefix("/") { return file }
        return stateDirectory == Paths.systemState
            ? Paths.systemConfiguration : Paths.userConfiguration(.process)
    }
}
