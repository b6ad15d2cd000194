import ArgumentParser
import CommandKit
import Console
import ControlClient
import Glibc
import Host
import Maintenance
import PrayerEngine
import Protocol
import Settings
import Texts

struct Diagnostics: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagnostics",
        abstract: "One text to attach to a bug report.",
        usage: "adhanctl diagnostics [--output <file>] [--exact-location]",
        discussion: """
            Versions, the configuration in force, what doctor finds, today's prayers, timers, and the last 200 \
            events. Coordinates in it are rounded to a tenth of a degree, some ten kilometres; the place's name is \
            as you wrote it. The names of this machine and of its users, home directories and network addresses \
            are left out.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(
        name: .long, help: ArgumentHelp("Write it to a file instead.", valueName: "file"), completion: .file()
    )
    var output: String?

    @Flag(name: .long, help: "Leave the coordinates as they are.")
    var exactLocation = false

    func run() throws {
        let (text, refusal) = DiagnosticsReport(daemon: global.daemon, exactLocation: exactLocation)
            .text(DoctorCollector.facts(global.daemon))
        try write(text)
        if let refusal { throw refusal }
    }

    private func write(_ text: String) throws(CommandError) {
        guard let path = output else {
            return try global.output.show(DiagnosticsReply(text: text)) { _ in text }
        }
        do throws(FileError) {
            try OutputFile.write(Array(text.utf8), to: path)
        } catch {
            throw CommandError(.failed, error.message)
        }
        if global.json {
            try global.output.write(document: ["file": path])
        } else {
            StandardError.write("wrote \"\(path)\"")
        }
    }
}

/// The report about this machine's adhand, without anything that would reveal whose machine it is.
struct DiagnosticsReport {
    let daemon: ControlClient
    let exactLocation: Bool

    /// The text, and why adhand did not contribute to it, if it did not.
    func text(_ facts: DoctorFacts) -> (text: String, refusal: CommandError?) {
        var parts = DiagnosticsText.Parts(versions: versions(facts), doctor: Doctor.examine(facts))
        var refusal: CommandError?
        do throws(CommandError) {
            parts.daemon = try daemon.ask(
                .getDiagnostics, DiagnosticsParameters(exactLocation: exactLocation ? true : nil)
            ).text
        } catch {
            // Continue without the daemon: the report is most useful when it does not run.
            parts.silence = error.message
            parts.configuration = configuration(facts)
            parts.journal = facts.isSystem ? Self.journal : []
            refusal = error
        }
        let coordinates = exactLocation ? [] : Self.coordinates(facts)
        let redaction = Identity.redaction(.process, coordinates: coordinates, rounding: !exactLocation)
        return (redaction.applied(to: DiagnosticsText.render(parts, exact: exactLocation)), refusal)
    }

    private func versions(_ facts: DoctorFacts) -> [String] {
        let system = OperatingSystem.current
        return [
            "adhanctl \(adhandVersion)",
            facts.status.map { "adhand \($0.version)" } ?? "adhand does not answer",
            "\(system.name), Linux \(system.kernel) \(system.machine)",
        ] + OperatingSystem.libraries
    }

    private func configuration(_ facts: DoctorFacts) -> [String] {
        guard let config = facts.config else { return ["\(facts.configuration.file) cannot be used"] }
        let printed = exactLocation ? config : config.withRoundedLocation
        let source =
            facts.configuration.state == .embedded ? "embedded default" : facts.configuration.file
        return [source] + printed.printed().split(separator: "\n").map(String.init)
    }

    static func coordinates(_ facts: DoctorFacts) -> [Double] {
        let configured = facts.config?.location.map { [$0.latitude, $0.longitude] } ?? []
        return configured + (facts.locationFacts.map { [$0.place.latitude, $0.place.longitude] } ?? [])
    }

    /// The last journal lines of a service that does not run.
    private static var journal: [String] {
        let arguments = ["-u", "adhand", "-n", "200", "--no-pager", "--no-hostname", "-o", "short-iso"]
        return SystemTool.output("journalctl", arguments)?.split(separator: "\n").map(String.init) ?? []
    }
}
