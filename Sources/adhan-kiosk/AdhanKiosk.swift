internal import ArgumentParser
internal import CommandKit
internal import Glibc
internal import Host
internal import ScreenPlan
import Texts

/// adhan-kiosk as one of the programs of an executable file.
package func runAdhanKiosk() { AdhanKiosk.main() }

struct AdhanKiosk: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adhan-kiosk",
        abstract: "Runs the browser of adhan-kiosk.service, which has this machine's display.",
        usage: "adhan-kiosk [<options>] [<compositor> ...]",
        discussion: """
            Starts a compositor for one window (cage) and a browser in it, and ends with status 1 when either has ended or the \
            page has been silent for a minute: systemd then starts it again.
            """,
        version: "adhan-kiosk \(adhandVersion)")

    @Option(help: ArgumentHelp("The screen's port on this machine.", valueName: "number"))
    var port = ScreenPort.page

    @Option(
        help: ArgumentHelp("The server's socket for this program.", valueName: "path"), completion: .file())
    var server = PageServer.usualPath

    @Option(help: ArgumentHelp("Where adhan-touch takes taps.", valueName: "path"), completion: .file())
    var touch = TouchGate.usualPath

    @Option(help: ArgumentHelp("The browser, of Chromium's family.", valueName: "program"))
    var browser = "chromium"

    @Option(
        help: ArgumentHelp("Read this file (default: /etc/adhand/display.toml).", valueName: "file"),
        completion: .file(extensions: ["toml"]))
    var config: String?

    @Argument(help: "The compositor, with its options (default: cage -d --).")
    var compositor: [String] = []

    static func main() {
        StandardDescriptors.reserve()
        guard let arguments = CommandLineWords.arguments else {
            log(CommandLineWords.complaint)
            Glibc.exit(EXIT_FAILURE)
        }
        main(arguments)
    }

    func run() throws {
        Memory.beFrugal()
        do throws(KioskError) {
            var session = try Session(
                server: PageServer(path: server, port: port), touchHelper: touch, config: config,
                browser: browser,
                compositor: compositor.isEmpty ? ["cage", "-d", "--"] : compositor, in: .process)
            try session.run()
        } catch {
            Self.log(error.message)
            throw ExitCode.failure
        }
    }

    static func log(_ sentence: String) {
        StandardError.write("adhan-kiosk: \(sentence)")
    }
}

/// A reason for which the display's session cannot go on.
struct KioskError: Error {
    let message: String
}
