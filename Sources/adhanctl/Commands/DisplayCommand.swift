import ArgumentParser
import CommandKit
import DisplayFeed
import Glibc
import Host
import Maintenance
import PrayerEngine
import ScreenPlan

struct DisplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "display",
        abstract: "The prayer screen: where it is, what it shows, and why.",
        discussion: "The screen is a program of its own, adhan-display, in the package adhand-display.",
        subcommands: [
            URLCommand.self, StatusCommand.self, SceneCommand.self, EnableCommand.self, DisableCommand.self,
        ])

    struct ServerOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The screen's port on this machine (default: that of its socket's unit, or \(ScreenPort.page)).",
                valueName: "number"))
        var port: UInt16?
    }

    struct URLCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "url", abstract: "The screen's address, for a browser.",
            discussion: "On the first line for this machine; for other machines, where they may look, below.")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: ServerOptions

        private struct Document: Encodable {
            let url: String
            let network: [String]
        }

        func run() throws {
            let server = ScreenServer(port: options.port)
            guard server.isInstalled else { throw ScreenServer.notInstalled }
            let document = Document(url: server.url, network: server.networkURLs)
            try global.output.show(document) { _ in
                ([document.url] + document.network).joined(separator: "\n") + "\n"
            }
        }
    }

    struct StatusCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Whether the screen runs, and what it shows now.",
            discussion: "Exit status 69 when it does not answer.")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: ServerOptions

        func run() throws {
            let server = ScreenServer(port: options.port)
            let document = ScreenDocument(server)
            guard document.answers else {
                guard server.isInstalled else { throw ScreenServer.notInstalled }
                if !global.json { try global.output.write(document.text(global.output.style)) }
                throw CommandError(
                    .unreachable,
                    "\(document.reason ?? "the screen does not answer"); start it with \"sudo systemctl start "
                        + "adhan-display\", or run adhan-display")
            }
            try global.output.show(document, as: document.text)
        }
    }

    struct SceneCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "scene", abstract: "Which scene is shown at a time, and why.",
            usage: "adhanctl display scene [--at <time>] [--view <name>] [--config <file>]",
            discussion: """
                Computed from what adhand says and from display.toml, as the screen does it; the screen need not run.
                """)

        @OptionGroup var global: GlobalOptions

        @Option(
            help: ArgumentHelp(
                "A time of the place: 18:00, \"tomorrow 18:00\", \"2026-11-20 18:00\", 2026-11-20T18:00:00Z.",
                valueName: "time"))
        var at: String?

        @Option(help: ArgumentHelp("Of this view; default: \(View.wall).", valueName: "name"))
        var view: String?

        @Option(
            help: ArgumentHelp(
                "Read this file (default: \(DisplayConfig.systemFile), where it is there).",
                valueName: "file"), completion: .configurations)
        var config: String?

        func run() throws {
            let document = try SceneDocument(at: at, view: view, config: config, daemon: global.daemon)
            try global.output.show(document, as: document.text)
        }
    }
}
