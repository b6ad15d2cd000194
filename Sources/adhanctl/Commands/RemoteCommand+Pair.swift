import ArgumentParser
import CommandKit
import Console
import Host
import Maintenance
import PhoneRules
import Protocol
import QR
import Texts

extension RemoteCommand {
    enum PairedRole: String, ExpressibleByArgument, CaseIterable {
        case household, keeper
    }

    struct Pair: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pair", abstract: "Shows a code and a QR code with which one phone can be paired.",
            usage: "adhanctl remote pair [--role household|keeper] [<options>]",
            discussion: """
                Waits for the phone; Ctrl-C closes the window. A household phone mutes, stops and switches; a keeper's phone also \
                changes what the mosque decides. A phone that is paired already shows with a new code that it is in the room. \
                Exit status 1 when none came.
                """)

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: Options

        @Option(help: ArgumentHelp("What the phone may do.", valueName: "role"))
        var role = PairedRole.household

        @Option(
            help: ArgumentHelp("How long the window is open, at most 600.", valueName: "number"))
        var seconds = Access.usualSeconds

        func validate() throws {
            guard (1...Access.mostSeconds).contains(seconds) else {
                throw ValidationError("--seconds must be 1 to \(Access.mostSeconds)")
            }
        }

        private struct Opened: Encodable {
            let code: String
            let key: String
            let urls: [String]
            let role: String
            let expires: String
        }

        private struct Ended: Encodable {
            /// The phone; `null` if an already paired phone has shown the code.
            @Nullable var phone: PhonesReply.Phone?
        }

        func run() throws {
            let client = options.client
            let before = try client.phones().phones
            PairingWait.holdSignals()
            let opened = try client.open(role.rawValue, seconds: seconds)
            let address = PairingAddress(opened.url, numbers: NetworkAddresses.all)
            let output = global.output
            if output.json {
                let document = Opened(
                    code: opened.code, key: opened.key, urls: address.urls, role: role.rawValue,
                    expires: opened.expires)
                try output.write(document: document, stream: true)
            } else {
                try output.write(text(opened, address, output.style))
            }
            let wait = PairingWait(client: client, before: before, seconds: seconds)
            try end(try wait.outcome(), output)
        }

        private func text(_ opened: PairingReply, _ address: PairingAddress, _ style: Style) -> String {
            var text = "Open on the phone, in the same network:\n\n"
            for url in address.urls { text += "  \(url)\n" }
            text += "\nand enter the code " + style(opened.code, .heading)
            text += " (\(role.rawValue), for \(seconds) s), or scan:\n\n"
            if let code = QRCode(address.pairing(opened.key)) {
                let lines = code.text(isInverted: style.colour).split(separator: "\n")
                text += lines.map { "  \(style(String($0), .paper))\n" }.joined()
            }
            return text + "\nWaiting for the phone; Ctrl-C closes the window.\n"
        }

        private func end(_ outcome: PairingWait.Outcome, _ output: Output) throws(CommandError) {
            switch outcome {
            case .paired(let phone):
                if output.json { return try output.write(document: Ended(phone: phone), stream: true) }
                try output.write(
                    "\(PhonesText.name(phone)) is paired; undo it with \"adhanctl remote revoke \(phone.id)\"\n"
                )
            case .renewed:
                if output.json { return try output.write(document: Ended(), stream: true) }
                try output.write("a phone that was paired already has shown the code\n")
            case .expired:
                throw CommandError(
                    .failed,
                    "no phone was paired within \(seconds) s, and the window is closed; try again with \"adhanctl remote pair\""
                )
            case .interrupted:
                throw CommandError(.interrupted, "interrupted; the window is closed")
            }
        }
    }
}
