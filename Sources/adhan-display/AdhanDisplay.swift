internal import ArgumentParser
internal import CommandKit
internal import ControlClient
internal import DisplayFeed
internal import Glibc
internal import Host
internal import Languages
internal import PrayerEngine
import Protocol
internal import ScreenPlan
import Settings
internal import Texts
internal import WebServer

/// Runs adhan-display, which shares an executable file with other programs.
package func runAdhanDisplay() { AdhanDisplay.main() }

struct AdhanDisplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adhan-display",
        abstract: "Serves the prayer screen of a mosque or a home to browsers.",
        usage: """
            adhan-display [<options>]
            adhan-display --render <time> [--size <WxH>] [--locale <code>] [--view <name>] <picture.png>
            adhan-display --check [--json]
            """,
        discussion: """
            Follows adhand and answers GET on a socket that systemd hands to it, or on \(ListenAddress.standard). Open that address in \
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

    @Option(
        help: ArgumentHelp(
            "Where accepted pictures of announcements are (default: \(Paths.acceptedPictures)).",
            valueName: "directory"), completion: .directory)
    var slidesDir: String?

    @Flag(help: "Obey ?now=, ?lang= and the like in the page's address, for previews.")
    var preview = false

    @Option(
        help: ArgumentHelp(
            "Draw the screen of this time (now, 18:00, 2026-11-20T18:00:00Z) with a browser that is installed.",
            valueName: "time"))
    var render: String?

    @Option(help: ArgumentHelp("How large it is drawn.", valueName: "WxH"))
    var size = PictureSize(argument: "1920x1080")!

    @Option(
        help: ArgumentHelp("In these languages (ar or de,ar) instead of the configured.", valueName: "code"))
    var locale: String?

    @Option(help: ArgumentHelp("Of this view; default: \(View.wall).", valueName: "name"))
    var view: String?

    @Flag(help: "Say whether the configuration is right and its slides can be read, and end.")
    var check = false

    @Flag(help: "Say it as one JSON document.")
    var json = false

    @Argument(
        help: ArgumentHelp("Where --render puts the picture.", valueName: "picture.png"), completion: .file())
    var picture: String?

    static func main() {
        StandardDescriptors.reserve()
        guard let arguments = CommandLineWords.arguments else {
            log(CommandLineWords.complaint)
            Glibc.exit(EXIT_FAILURE)
        }
        main(arguments)
    }

    func validate() throws {
        guard (render == nil) == (picture == nil) else {
            throw ValidationError("--render and the file for the picture go together")
        }
        if json, !check { throw ValidationError("--json goes with --check") }
        for code in locale?.split(separator: ",").map(String.init) ?? [] where !Language.codes.contains(code)
        {
            throw ValidationError(
                "--locale must be of \(Language.codes.joined(separator: ", ")), not \"\(code)\"")
        }
    }

    mutating func run() throws {
        signal(SIGPIPE, SIG_IGN)
        Memory.beFrugal()
        let environment = Environment.process
        if check { return try examine(in: environment) }
        do throws(ServerError) {
            if let render, let picture { return try draw(render, to: picture, in: environment) }
            let parts = try parts(in: environment, preview: preview)
            let server = try server(
                parts,
                try Listener.all(
                    own: listen, standard: .standard, unit: "adhan-display.socket", in: environment),
                preview: preview, in: environment)
            parts.poller.start { server.stateHasChanged() }
            Self.log("the screen is at \(server.address)")
            server.run()
        } catch {
            for line in error.sentences { Self.log(line) }
            throw ExitCode(error.exitStatus)
        }
    }

    /// The parts that every mode needs: the page, the settings and the poller of adhand.
    private struct Parts {
        let page: Page
        let config: DisplayConfig
        let poller: DaemonPoller
    }

    private func parts(in environment: Environment, preview: Bool) throws(ServerError) -> Parts {
        let page: Page
        var found: (file: DisplayFile, complaints: [String])
        do throws(FileError) {
            page = try Page(folder: pageDir ?? Page.folder(in: environment))
        } catch {
            throw ServerError(message: error.message, exitStatus: 65)
        }
        do throws(DisplayFileError) {
            found = try DisplayFile.readForScreen(self.config, in: environment)
        } catch {
            throw ServerError(sentences: error.sentences, exitStatus: 65)
        }
        if let slidesDir { found.file.pictureFolder = slidesDir }
        for complaint in found.complaints { Self.log(complaint) }
        let poller = DaemonPoller(
            socket: Paths.clientSocket(option: socket, in: environment), zones: ZoneFiles(in: environment),
            page: page, file: found.file, isConfigWrong: !found.complaints.isEmpty, preview: preview)
        return Parts(page: page, config: found.file.config, poller: poller)
    }

    private func server(
        _ parts: Parts, _ listeners: [Listener], preview: Bool, in environment: Environment
    ) throws(ServerError) -> Server {
        try Server(
            listeners: listeners, page: parts.page, poller: parts.poller, preview: preview,
            config: parts.config, zone: (try? ZoneFiles(in: environment).systemZone()) ?? .utc)
    }

    // MARK: Without serving

    private func draw(
        _ time: String, to file: String, in environment: Environment
    ) throws(ServerError) {
        let client = ControlClient(socket: Paths.clientSocket(option: socket, in: environment))
        let zone: Zone
        do throws(ControlClientError) {
            zone = try DaemonAnswers.zone(asking: client, zones: ZoneFiles(in: environment))
        } catch {
            throw ServerError(message: "\(error.message); a picture shows what adhand says", exitStatus: 69)
        }
        guard let now = MomentText.read(time, now: WallClock.now(), in: zone) else {
            throw ServerError(
                message: "--render must be \(MomentText.allowed), not \"\(time)\"", exitStatus: 64)
        }
        let parts = try parts(in: environment, preview: true)
        if let view, !parts.config.viewNames.contains(view) {
            throw ServerError(
                message: "there is no view \"\(PlainText.visible(view))\"; there are: "
                    + parts.config.viewNames.joined(separator: ", "), exitStatus: 64)
        }
        let server = try server(
            parts, [Listener(.own(ListenAddress(host: "127.0.0.1", port: 0)))], preview: true, in: environment
        )
        // The time ends in Z, because a plus sign in an address means a space.
        let picture = Picture(
            address: server.address, now: InstantText.rfc3339(now, in: .utc).replacing("+00:00", with: "Z"),
            size: size, languages: locale, view: view)
        try picture.draw(to: Directories.absolute(file), in: environment)
    }

    private func examine(in environment: Environment) throws {
        let check = DisplayCheck(config, view: .own, user: Account.ownNameOrNumber, in: environment)
        if json {
            Self.write((try? JSON.encode(check)) ?? [], to: STDOUT_FILENO)
        } else {
            Self.write(Array(DisplayCheckText.render(check, Style(colour: false)).utf8), to: STDOUT_FILENO)
            for problem in check.problems { Self.log(CheckText.sentence(problem)) }
        }
        if check.exitStatus != 0 { throw ExitCode(check.exitStatus) }
    }

    static func log(_ sentence: String) {
        StandardError.write("adhan-display: \(sentence)")
    }

    /// Ignores errors, because no caller could handle them.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        _ = OwnedDescriptor.write(bytes, to: descriptor)
    }
}
