import ArgumentParser
import CommandKit
import Console
import Protocol
import Texts

extension RemoteCommand {
    struct StatusCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Whether the page runs, where, and how many phones are paired.",
            usage: "adhanctl remote status [<options>]",
            discussion: "Exit status 69 when it does not answer.")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var options: Options

        /// The document of `remote status --json`.
        private struct Document: Encodable {
            let answers: Bool
            let urls: [String]
            let phones: Int
            /// The seconds for which a pairing window is still open.
            @Nullable var pairing: Int?
            /// Whether systemd-resolved announces the page by name.
            let announced: Bool
            /// The state of each installed unit, as systemd reports it.
            let units: [String: String]
        }

        func run() throws {
            let reply = try options.client.phones()
            let states = RemotePage.units.compactMap { unit in RemotePage.state(of: unit).map { (unit, $0) } }
            let document = Document(
                answers: true, urls: try RemotePage.addresses().urls, phones: reply.phones.count,
                pairing: reply.open, announced: RemotePage.isAnnounced,
                units: Dictionary(states, uniquingKeysWith: { first, _ in first }))
            try global.output.show(document) { Self.text(document, $0) }
        }

        private static func text(_ document: Document, _ style: Style) -> String {
            var table = TextTable([.left, .left])
            for (index, url) in document.urls.enumerated() {
                table.add([.init(index == 0 ? "Phone page" : ""), .init(url)])
            }
            table.add([.init("Phones"), .init("\(document.phones) paired")])
            if let seconds = document.pairing {
                table.add([.init("Pairing"), .init("a window is open for \(seconds) s")])
            }
            table.add([
                .init("Name"), .init(document.announced ? "announced on the network" : "not announced"),
            ])
            for (unit, state) in document.units.sorted(by: { $0.key < $1.key }) {
                table.add([.init(unit), .init(state, state == "failed" ? .alarm : .plain)])
            }
            return table.rendered(style)
        }
    }
}
