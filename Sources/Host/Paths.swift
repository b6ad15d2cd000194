import Settings

/// The locations of adhand's files, and the rules for them.
package struct Paths: Sendable, Equatable {
    /// The file that is read as configuration.
    package enum Configuration: Sendable, Equatable {
        /// The file exists, or drop-ins beside it do (``ConfigFiles``).
        case file(String)
        /// None of these exists, so the embedded default applies.
        case embedded(lookedFor: [String])
    }

    /// The paths from the command line; each overrides every rule.
    package struct Options: Sendable {
        package var configuration: String?
        package var audioDirectory: String?
        package var stateDirectory: String?
        package var socket: String?

        package init(
            configuration: String? = nil, audioDirectory: String? = nil, stateDirectory: String? = nil,
            socket: String? = nil
        ) {
            self.configuration = configuration
            self.audioDirectory = audioDirectory
            self.stateDirectory = stateDirectory
            self.socket = socket
        }
    }

    package let configuration: Configuration
    /// The shipped sounds.
    package let audioDirectory: String
    /// The directory of state, history and added sounds.
    package let stateDirectory: String
    /// The control socket.
    package let socket: String
    /// Whether systemd started us as the system's service, and made the directories.
    package let isSystemService: Bool

    package static let systemConfiguration = "/etc/adhand/adhand.toml"
    package static let systemSocket = "/run/adhand/control.sock"
    package static let systemState = "/var/lib/adhand"
    /// The directory of accepted pictures from phones.
    package static let acceptedPictures = DisplayConfig.acceptedPictures
    /// The socket that opens pairing windows of the phone page.
    package static let pairingSocket = "/run/adhan-remote/pairing.sock"
    /// The socket on which the phone page and `fleet leave` ask adhan-bridge about its files.
    package static let messagesSocket = "/run/adhan-messages.sock"
    /// The state directory of adhan-bridge.
    package static let bridgeState = "/var/lib/adhan-bridge"
    package static let systemAudio = "/usr/share/adhand/audio"

    package init(_ options: Options, in environment: Environment) {
        isSystemService = Self.isSystemService(environment)
        configuration = Self.configuration(options, environment)
        audioDirectory = options.audioDirectory ?? Self.audio(isSystemService, environment)
        if isSystemService {
            stateDirectory =
                options.stateDirectory ?? Self.first(environment, "STATE_DIRECTORY")
                ?? Self.systemState
            socket =
                options.socket
                ?? Self.first(environment, "RUNTIME_DIRECTORY").map { $0 + "/control.sock" }
                ?? Self.systemSocket
        } else {
            stateDirectory = options.stateDirectory ?? Self.userState(environment)
            socket = options.socket ?? Self.userSocket(environment)
        }
    }

    /// The socket to which adhanctl connects: the option's, else that of the user's own daemon where there is one, else the
    /// system's. In /tmp another user may have created the user's socket: one of another user is not used.
    package static func clientSocket(option: String?, in environment: Environment) -> String {
        if let named = option ?? environment.value("ADHAND_SOCKET") { return named }
        let own = userSocket(environment)
        return environment.exists(own) && environment.owns(own) ? own : systemSocket
    }

    /// The state directory for adhanctl when no daemon answers: that of the user's own daemon, unless only the system's exists.
    /// $ADHAND_SOCKET, if it names another socket than the system's, selects another daemon.
    package static func clientState(option: String?, in environment: Environment) -> String {
        if let named = option ?? first(environment, "STATE_DIRECTORY") { return named }
        let isOwn =
            environment.value("ADHAND_SOCKET").map { $0 != systemSocket }
            ?? environment.exists(userSocket(environment))
        let isSystem = environment.exists(systemState) || environment.exists(systemAudio)
        return isSystem && !isOwn ? systemState : userState(environment)
    }

    /// The configuration file of a user, whether it exists or not: `setup` writes it.
    package static func userConfiguration(_ environment: Environment) -> String {
        inHome(environment, "XDG_CONFIG_HOME", ".config") + "/adhand/adhand.toml"
    }

    /// A person's own files, independent of any daemon: the log of the companion.
    package static func userData(_ environment: Environment) -> String {
        inHome(environment, "XDG_DATA_HOME", ".local/share") + "/adhand"
    }

    /// The paths of a configuration in the order of search; the first that exists is used.
    package static func candidates(_ options: Options, in environment: Environment) -> [String] {
        if let named = options.configuration { return [named] }
        return isSystemService(environment)
            ? [systemConfiguration] : [userConfiguration(environment), systemConfiguration]
    }

    private static func isSystemService(_ environment: Environment) -> Bool {
        environment.value("STATE_DIRECTORY") != nil || environment.value("RUNTIME_DIRECTORY") != nil
    }

    private static func configuration(
        _ options: Options, _ environment: Environment
    ) -> Configuration {
        if let named = options.configuration {
            return ConfigFiles.exist(named, in: environment) || environment.isBlocked(named)
                ? .file(named) : .embedded(lookedFor: [named])
        }
        let candidates = candidates(options, in: environment)
        return candidates.first { isThere($0, environment) }.map { .file($0) }
            ?? .embedded(lookedFor: candidates)
    }

    /// Whether a configuration exists. An unreachable one is not missing: the default instead would have another place's times.
    /// Only paths in another user's closed home are skipped (`sudo -u` keeps HOME).
    private static func isThere(_ file: String, _ environment: Environment) -> Bool {
        if ConfigFiles.exist(file, in: environment) { return true }
        return environment.isBlocked(file) && (file == systemConfiguration || environment.owns(file))
    }

    /// The directory of the shipped sounds: an installed program uses those installed with it, a program in a checkout those of
    /// the checkout.
    private static func audio(_ isSystemService: Bool, _ environment: Environment) -> String {
        var folder = Directories.parent(of: environment.executable)
        var own = folder.utf8.count > 1 ? environment.underPrefix("share/adhand/audio") : []
        while folder.utf8.count > 1 {
            own.append(folder + "/Resources/audio")
            folder = Directories.parent(of: folder)
        }
        let candidates = isSystemService ? [systemAudio] + own : own + [systemAudio]
        return candidates.first(where: environment.exists) ?? systemAudio
    }

    private static func userState(_ environment: Environment) -> String {
        inHome(environment, "XDG_STATE_HOME", ".local/state") + "/adhand"
    }

    private static func userSocket(_ environment: Environment) -> String {
        if let runtime = environment.absolutePath("XDG_RUNTIME_DIR") {
            return runtime + "/adhand/control.sock"
        }
        let runtime = "/run/user/\(environment.userID)"
        if environment.exists(runtime) { return runtime + "/adhand/control.sock" }
        return "/tmp/adhand-\(environment.userID)/control.sock"
    }

    private static func inHome(_ environment: Environment, _ variable: String, _ fallback: String) -> String {
        if let path = environment.absolutePath(variable) { return path }
        // A user without a home still gets a directory of their own.
        guard let home = environment.home, home != "/" else { return "/tmp/adhand-\(environment.userID)" }
        return home + "/" + fallback
    }

    /// systemd separates several directories with colons; ours comes first (systemd.exec(5)).
    private static func first(_ environment: Environment, _ variable: String) -> String? {
        environment.value(variable)?.split(separator: ":").first.map(String.init)
    }
}
