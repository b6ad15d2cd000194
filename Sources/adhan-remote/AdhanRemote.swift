internal import ArgumentParser
internal import CommandKit
internal import Glibc
internal import Host
internal import PhoneRules
internal import Texts
internal import WebServer

/// Runs adhan-remote, which shares an executable file with other programs.
package func runAdhanRemote() { AdhanRemote.main() }

struct AdhanRemote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adhan-remote",
        abstract: "Serves the phone page: phones that were paired in the room may mute, stop and set adhand.",
        discussion: """
            Answers on sockets that systemd hands to it, or on \(ListenAddress.standard). Phones are paired with a code, which \
            OpenPairing of org.adhand.Remote on the pairing socket answers.

            Exit status: 0 done, 1 failed, 64 wrong usage, 65 remote.toml is not valid.
            """,
        version: "adhan-remote \(adhandVersion)")

    @Option(
        help: ArgumentHelp(
            "Read this file (default: \(RemoteConfig.systemFile), where it is there).", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    @Option(help: ArgumentHelp("Talk to adhand on this socket.", valueName: "path"), completion: .file())
    var socket: String?

    @Option(
        help: ArgumentHelp(
            "Listen here; a socket passed by systemd goes before it. Default: \(ListenAddress.standard).",
            valueName: "address:port"))
    var listen: ListenAddress?

    @Option(
        help: ArgumentHelp(
            "Keep the paired phones here. Default: \(Self.stateDirectory).", valueName: "directory"),
        completion: .directory)
    var stateDir: String?

    @Option(
        help: ArgumentHelp(
            "Open and close pairing windows by this socket; one passed by systemd goes before it.",
            valueName: "path"), completion: .file())
    var pairingSocket: String?

    @Option(
        help: ArgumentHelp(
            "Send uploads to this socket. Default: \(Self.intakeSocket).", valueName: "path"),
        completion: .file())
    var intakeSocket: String?

    @Option(
        help: ArgumentHelp(
            "Ask for the address for messages on this socket. Default: \(Paths.messagesSocket).",
            valueName: "path"),
        completion: .file())
    var messagesSocket: String?

    @Flag(
        help:
            "On a flashed box: let the first phone that shows a code claim the box, while no place is known.")
    var setUp = false

    private static let stateDirectory = "/var/lib/adhan-remote"
    private static let intakeSocket = "/run/adhand/intake.sock"

    static func main() {
        StandardDescriptors.reserve()
        guard let arguments = CommandLineWords.arguments else {
            log(CommandLineWords.complaint)
            Glibc.exit(EXIT_FAILURE)
        }
        main(arguments)
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        // Files that this program writes are readable by its own user alone.
        umask(0o077)
        Memory.beFrugal()
        let environment = Environment.process
        do throws(ServerError) {
            let config = try RemoteFile.read(config, in: environment)
            let sockets = try Sockets.all(listen: listen, pairing: pairingSocket, in: environment)
            let folder = stateDir ?? environment.value("STATE_DIRECTORY") ?? Self.stateDirectory
            let gatekeeper = try Gatekeeper(
                file: try PhonesFile(folder: folder), limits: config.pairing,
                setUp: setUp ? SetUpCredentials(in: environment).rules : nil, reports: Self.log)
            let memory = RemoteMemory(HandFile(folder: folder, report: Self.log))
            let server = try RemoteServer(
                sockets.pages, config: config, gatekeeper: gatekeeper,
                adhand: Adhand(socket: Paths.clientSocket(option: socket, in: environment)),
                memory: memory,
                intake: intakeSocket ?? Self.intakeSocket,
                messages: MessagesSocket(path: messagesSocket ?? Paths.messagesSocket))
            memory.pairingAddress = server.pairingAddress
            try PairingService.start(on: sockets.pairing, gatekeeper, url: server.pairingAddress)
            Self.log("the phone page is at \(server.address)")
            server.run()
        } catch {
            for line in error.sentences { Self.log(line) }
            throw ExitCode(error.exitStatus)
        }
    }

    static func log(_ sentence: String) {
        StandardError.write("adhan-remote: \(sentence)")
    }
}

extension ListenAddress: ExpressibleByArgument {
    /// The default: only this machine can connect.
    static let standard = ListenAddress(host: "127.0.0.1", port: PhonePage.port)
}
