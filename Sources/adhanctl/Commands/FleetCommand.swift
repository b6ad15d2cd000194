import ArgumentParser
import CommandKit
import Console
import ControlClient
import Host
import Maintenance
import Protocol
import Texts

struct FleetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "The fleet of this box: signed changes, by hand and without any network.",
        usage: """
            adhanctl fleet apply <file>
            adhanctl fleet status
            adhanctl fleet leave
            """,
        subcommands: [Apply.self, Status.self, Leave.self])

    struct Apply: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply",
            abstract: "Hands adhand an envelope that \"adhan-fleet sign\" made.",
            usage: "adhanctl fleet apply <file> [<options>]",
            discussion: """
                adhand checks the signature, the fleet, the time and the number. The change takes effect at once, or \
                when nothing sounds and no announcement is within ten minutes. A configuration or timetable is on trial \
                until an adhan was heard with it; otherwise the box goes back.
                """)

        @OptionGroup var global: GlobalOptions

        @Argument(help: "The envelope.", completion: .file())
        var file: String

        /// Seconds to wait: adhand answers a configuration after it has decoded the recordings and tried the next adhan.
        private static let patienceSeconds = 150.0
        /// One byte more than adhand accepts, so that its refusal is shown.
        private static let mostBytes = 49_153

        func run() throws {
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try FileBytes.read(file, limit: Self.mostBytes)
            } catch {
                throw CommandError(.failed, error.message)
            }
            guard let envelope = String(validating: bytes, as: UTF8.self) else {
                throw CommandError(
                    .invalidInput, "\"\(PlainText.visible(file))\" is no envelope: it is not UTF-8")
            }
            let reply = try global.daemon.ask(
                .applyEnvelope, EnvelopeParameters(envelope: envelope),
                patienceSeconds: Self.patienceSeconds)
            try global.output.show(reply) { _ in FleetText.applied(reply) }
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "The fleet of this box, and what became of its envelopes.",
            usage: "adhanctl fleet status [<options>]")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let reply = try global.daemon.ask(.getFleet)
            try global.output.show(reply) { FleetText.status(reply.fleet, $0) }
        }
    }

    struct Leave: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "leave",
            abstract: "Takes the box out of its fleet, and removes its way back into it.",
            usage: "adhanctl fleet leave [<options>]",
            discussion: """
                [fleet] is removed from the configuration. The configuration that the fleet brought goes with it, and \
                envelopes that wait have no effect any more. What other envelopes changed stays, such as the timetable.

                By root, adhan-bridge says farewell to the fleet and forgets its password, and the word of the card, the \
                certificate and the address of the fleet's broker are removed. The way back is a card with a \
                fleet.toml whose word is still open. Cut off anywhere, the same command goes the rest of the way.
                """)

        @OptionGroup var global: GlobalOptions

        @Option(
            help: ArgumentHelp("The configuration to write.", valueName: "file"), completion: .configurations)
        var config: String?

        func run() throws {
            let document = try FleetLeave(named: config, global.daemon).run()
            try global.output.show(document) { document.text($0) }
        }
    }
}
