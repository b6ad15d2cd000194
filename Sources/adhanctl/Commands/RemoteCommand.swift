import ArgumentParser
import CommandKit
import Console
import ControlClient
import Host
import Maintenance
import PhoneRules
import Protocol
import Texts

struct RemoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remote",
        abstract: "The phone page: on or off, its address, and the phones that are paired.",
        discussion: "The page is a program of its own, adhan-remote, in the package adhand-remote.",
        subcommands: [
            Enable.self, Disable.self, StatusCommand.self, URLCommand.self, Pair.self, Phones.self,
            Revoke.self, Reset.self,
        ])

    struct Options: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The page's pairing socket (default: \(Paths.pairingSocket)).", valueName: "path"),
            completion: .file())
        var pairingSocket: String?

        var client: PairingClient { PairingClient(option: pairingSocket) }
    }

    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Turns the page on, now and after every start.",
            usage: "adhanctl remote enable [<options>]",
            discussion: """
                Needs root. Opens port \(PhonePage.port) to the local network, where systemd-resolved announces it by name. Nobody may do \
                anything on it before a phone was paired in the room: "adhanctl remote pair".
                """)

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: Options

        func run() throws {
            let remark = try RemoteSwitch.enable()
            let addresses = try RemotePage.addresses().urls.joined(separator: ", ")
            try RemoteCommand.report(
                "the phone page is on, at \(addresses); pair a phone with \"adhanctl remote pair\"\(remark)",
                global.output)
        }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Turns the page off; phones stay paired.",
            usage: "adhanctl remote disable [<options>]")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: Options

        func run() throws {
            try RemoteSwitch.disable()
            try RemoteCommand.report("the phone page is off; the paired phones stay paired", global.output)
        }
    }

    struct URLCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "url", abstract: "The page's addresses, for a phone on the same network.",
            usage: "adhanctl remote url [<options>]",
            discussion: "By number first: not every phone knows names that end in .local.")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: Options

        private struct Document: Encodable {
            let urls: [String]
        }

        func run() throws {
            guard RemotePage.isInstalled else { throw RemotePage.notInstalled }
            guard RemotePage.state(of: RemotePage.units[0]) == "active" else { throw RemotePage.isOff }
            let urls = try RemotePage.addresses().urls
            try global.output.show(Document(urls: urls)) { _ in urls.joined(separator: "\n") + "\n" }
        }
    }

    struct Phones: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "phones", abstract: "The paired phones: name, role, and when each was used last.",
            usage: "adhanctl remote phones [<options>]")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: Options

        func run() throws {
            let reply = try options.client.phones()
            try global.output.show(reply) { PhonesText.list(reply, $0) }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Ends a phone's pairing at once.",
            usage: "adhanctl remote revoke <id> [<options>]")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: Options

        @Argument(help: "Its ID, as \"adhanctl remote phones\" shows it, or a name that only one phone has.")
        var id: String

        func run() throws {
            let client = options.client
            guard let phone = PhonesText.named(id, in: try client.phones().phones) else {
                throw CommandError(
                    .failed,
                    "no phone has the ID \"\(PlainText.visible(id))\", and not exactly one has it as its name; \"adhanctl remote phones\" lists them"
                )
            }
            try client.revoke(phone.id)
            try RemoteCommand.report("\(PhonesText.name(phone)) is not paired any more", global.output)
        }
    }

    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Ends every phone's pairing, and forgets who claimed the box.",
            usage: "adhanctl remote reset [<options>]",
            discussion: """
                Needs root. On a flashed box without a place the set-up opens again: the first phone that shows its code becomes \
                the keeper's. Place, settings and sounds stay.
                """)

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: Options

        func run() throws {
            let client = options.client
            try client.reset()
            // The window opens within seconds on a box without a place; on others it stays closed.
            let isWaiting =
                (try? global.daemon.call(.getStatus).status.awaiting) == .place
            try RemoteCommand.report(
                "no phone is paired any more; "
                    + (isWaiting
                        ? "a box without a place can be set up by phone again"
                        : "pair the first one with \"sudo adhanctl remote pair --role keeper\""),
                global.output)
        }
    }

    static func report(_ sentence: String, _ output: Output) throws(CommandError) {
        try output.show(ChangeReply(sentence)) { _ in sentence + "\n" }
    }
}
