import ArgumentParser
import CommandKit
import Console
import ControlClient
import Maintenance
import Protocol

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "What is next, today's prayers, and whether all is well.")

    @OptionGroup var global: GlobalOptions

    @Flag(name: .long, help: "Stay, and show every change as it happens.")
    var follow = false

    func run() throws {
        let output = global.output
        guard follow else {
            let daemon = global.daemon
            let status = try Self.read(daemon)
            let upgrades = CardBox.upgrades(of: daemon)
            return try output.show(StatusAnswer(status, upgrades)) {
                StatusText.render(status, agenda: daemon.agenda(around: status), upgrades: upgrades, $0)
            }
        }
        try follow(output)
    }

    static func read(_ daemon: ControlClient) throws(CommandError) -> StatusDocument {
        try daemon.ask(.getStatus).status
    }

    private func follow(_ output: Output) throws(CommandError) -> Never {
        let daemon = global.daemon
        var isDue = true
        try daemon.monitor { update throws(CommandError) in
            // Several events often arrive together: show them once, after the last one.
            if case .event = update {
                isDue = true
                return 0.1
            }
            if case .connected = update { isDue = true }
            guard isDue || output.isTerminal else { return nil }
            isDue = false
            let status: StatusDocument
            do throws(CommandError) {
                status = try Self.read(daemon)
            } catch  where error.status == .unreachable {
                // adhand stopped between its event and the request; the monitor reports when it is back.
                return nil
            } catch {
                throw error
            }
            try Self.show(status, of: daemon, output)
            return output.isTerminal && !output.json ? Self.untilChange(status) : nil
        }
    }

    private static func show(
        _ status: StatusDocument, of daemon: ControlClient, _ output: Output
    ) throws(CommandError) {
        let upgrades = CardBox.upgrades(of: daemon)
        if output.json { return try output.write(document: StatusAnswer(status, upgrades), stream: true) }
        let text = StatusText.render(
            status, agenda: daemon.agenda(around: status), upgrades: upgrades, output.style)
        guard output.isTerminal else { return try output.write(text + "\n") }
        try output.redraw(text)
    }

    /// Seconds until the text changes by itself: one second while something plays, else until the number of minutes left
    /// decreases.
    private static func untilChange(_ status: StatusDocument) -> Double {
        guard status.playback.state == .idle, let next = status.next else { return 1 }
        guard next.inSeconds > 60 else { return 1 }
        return next.inSeconds.truncatingRemainder(dividingBy: 60) + 0.1
    }
}

struct Next: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next", abstract: "The next adhan, on one line.")

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, waybar
    }

    @OptionGroup var global: GlobalOptions

    @Option(name: .long, help: "waybar is a JSON object for the status bar Waybar.")
    var format = Format.text

    func run() throws {
        let output = global.output
        guard format == .waybar else {
            let status = try Status.read(global.daemon)
            return try output.show(status.next) { NextText.render(status, $0) }
        }
        // A status bar removes a program that fails, so print a line in any case.
        let document: WaybarDocument
        do throws(CommandError) {
            document = WaybarDocument(try Status.read(global.daemon))
        } catch {
            document = WaybarDocument(silence: error.message)
        }
        try output.write(document: document, stream: true)
    }
}
