internal import AdhanCore
internal import ArgumentParser
internal import DisplayProgramme
internal import Glibc
internal import Host
internal import PrayerEngine

@main
struct AdhanDisplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adhan-display",
        abstract: "Serves the prayer screen of a mosque or a home to browsers.",
        discussion: """
            Follows adhand and answers GET on a socket that systemd hands to it, or on 127.0.0.1:8787. Open that address in \
            any browser on this machine.
            """,
        version: "adhan-display \(adhandVersion)")

    @Option(
        help: ArgumentHelp(
            "Read this file (default: \(DisplayConfig.systemFile), where it is there).", valueName: "file"),
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
        help: ArgumentHelp("Take the page from here.", valueName: "directory"), completion: .directory)
    var pageDir: String?

    @Flag(help: "Obey ?now=, ?lang= and the like in the page's address, for previews.")
    var preview = false

    static func main() {
        StandardDescriptors.reserve()
        guard let arguments = CommandLineWords.arguments else {
            say(CommandLineWords.complaint)
            Glibc.exit(EXIT_FAILURE)
        }
        main(arguments)
    }

    mutating func run() throws {
        signal(SIGPIPE, SIG_IGN)
        beFrugal()
        let environment = Environment.process
        let folder = pageDir ?? Page.folder(in: environment)
        let page: Page
        do throws(FileError) {
            page = try Page(folder: folder)
        } catch {
            Self.say(error.message)
            throw ExitCode(65)
        }
        let follower = Follower(
            socket: Paths.clientSocket(option: socket, in: environment), zones: ZoneFiles(in: environment),
            page: page, config: try Self.settings(config, in: environment), preview: preview)
        do throws(ServerError) {
            let server = try Server(
                listeners: Listener.passedIn() ?? [Listener.own(listen ?? .standard)], page: page,
                follower: follower, preview: preview,
                zone: (try? ZoneFiles(in: environment).systemZone()) ?? .utc)
            follower.start { server.stateHasChanged() }
            Self.say("the screen is at \(server.address)")
            server.run()
        } catch {
            Self.say(error.message)
            throw ExitCode.failure
        }
    }

    /// The file that is named has to be there; the usual one need not.
    private static func settings(_ named: String?, in environment: Environment) throws -> DisplayConfig {
        let file = named ?? DisplayConfig.systemFile
        guard named != nil || ConfigFiles.exist(file, in: environment) else { return DisplayConfig() }
        do {
            return try DisplayConfig.schema.read(try ConfigFiles.read(file).sources).settings
        } catch let error as ConfigError {
            for mistake in error.all { say(mistake.message) }
        } catch let error as FileError {
            say(error.message)
        }
        throw ExitCode(65)
    }

    static func say(_ sentence: String) {
        let line = Array("adhan-display: \(PlainText.printable(sentence))\n".utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
