package import Console
package import ControlClient
import Glibc
import Host
import Protocol
import Settings

/// adhand as a service of a user's session: whether to offer it, and its start.
package struct SessionService {
    private let environment = Environment.process
    private let forMachine: Bool

    /// - Parameter file: the configuration that was set up.
    package init(file: String) { forMachine = file == Paths.systemConfiguration }

    private static let folders = ["/usr/local/lib", "/usr/lib", "/etc"]

    static var isInstalled: Bool {
        folders.contains { Environment.process.exists("\($0)/systemd/user/adhand.service") }
    }

    package func offer(_ daemon: ControlClient) -> SessionOffer {
        var facts = SessionOffer.Facts()
        facts.hasUnit = Self.isInstalled
        facts.hasSystemService = environment.exists(Paths.systemSocket)
        if forMachine {
            (facts.soundServer, facts.owner) = anybodys
        } else {
            facts.soundServer = environment.absolutePath("XDG_RUNTIME_DIR").flatMap(server)
            facts.isRunning = (try? daemon.ask(.getStatus, patienceSeconds: 2)) != nil
        }
        return SessionOffer(facts, forMachine: forMachine)
    }

    /// The sound server that listens in a session's runtime directory.
    private func server(in directory: String) -> String? {
        if environment.exists("\(directory)/pipewire-0") { return "PipeWire" }
        return environment.exists("\(directory)/pulse/native") ? "PulseAudio" : nil
    }

    private var anybodys: (server: String?, owner: String?) {
        for user in (try? Directories.names(in: "/run/user")) ?? [] {
            if let server = server(in: "/run/user/\(user)") {
                return (server, UInt32(user).flatMap(Account.name))
            }
        }
        return (nil, nil)
    }

    /// Seconds for each command: adhand reads its sounds before it reports that it is ready.
    private static let patienceSeconds = 40.0

    /// Starts the service and reports the result.
    package func start() -> ReloadResult {
        let variables = environment.variables.map { "\($0.key)=\($0.value)" }
        func does(_ command: [String]) -> Bool {
            SystemTool.run(
                command[0], Array(command.dropFirst()), environment: variables, seconds: Self.patienceSeconds
            )?.status == 0
        }
        guard does(SessionOffer.enable) else {
            return ReloadResult(
                false, "adhand could not be started in your session.", fix: SessionOffer.typed)
        }
        guard does(SessionOffer.linger) else {
            return ReloadResult(
                true,
                "adhand runs in your session, but only while you are logged in: that it may stay was refused.",
                fix: "sudo loginctl enable-linger $USER")
        }
        return ReloadResult(true, "adhand runs in your session, and starts with the machine.")
    }
}
