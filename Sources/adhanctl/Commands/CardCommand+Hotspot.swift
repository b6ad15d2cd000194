import ArgumentParser
import BoxCard
import CommandKit
import Console
import Glibc
import Host
import Maintenance
import Protocol
import Texts

/// The box's own network: a person's requests, and the decisions that box/hotspot.sh and box/join.sh delegate.
extension CardCommand {
    struct HotspotCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hotspot",
            abstract: "Has the box make its own network, for ten minutes or until it is set up.",
            usage: "adhanctl card hotspot [<options>]",
            discussion: "Needs root. The networks that the box knows are tried for a minute before.")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            guard geteuid() == 0 else {
                throw CommandError(.notPermitted, "only root asks for it; type: sudo adhanctl card hotspot")
            }
            let box = CardBox(.process)
            let reply = box.askForHotspot()
            guard reply.outcome == .up || reply.outcome == .coming else {
                throw CommandError(.failed, reply.message)
            }
            let key = box.hotspotKey.key?.text ?? ""
            let sentence =
                (reply.outcome == .up ? "the box makes" : "within two minutes the box makes")
                + " the network \"\(reply.network)\" with the key \(key); then open http://\(Hotspot.address)"
            try global.output.show(ChangeReply(sentence)) { _ in sentence + "\n" }
        }
    }

    /// For adhan-box-hotspot-ask.socket: a program of the box makes a request by connecting; nothing is read from the connection.
    struct HotspotAsk: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hotspot-ask", abstract: "For the box's buttons and screen.",
            usage: "adhanctl card hotspot-ask", shouldDisplay: false)

        func run() throws {
            let reply = try JSON.encode(CardBox(.process).askForHotspot())
            try Output(json: false).write(String(decoding: reply, as: UTF8.self) + "\n")
        }
    }

    /// For hotspot.sh: wpa_supplicant's configuration of the box's own network.
    struct HotspotConfiguration: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hotspot-configuration", abstract: "For the box's own network.",
            usage: "adhanctl card hotspot-configuration --scan <file>", shouldDisplay: false)

        @Option(help: ArgumentHelp("What was seen around.", valueName: "file"))
        var scan: String

        func run() throws {
            let box = CardBox(.process)
            let key: HotspotKey
            do throws(FileError) { key = try box.hotspotKey.ensure() } catch {
                throw CommandError(.failed, error.message)
            }
            let network = HotspotNetwork(
                name: box.hotspotName, key: key.text, channel: ScanResults.channel(box.seen(in: scan)),
                country: box.country)
            try Output(json: false).write(network.configuration)
        }
    }

    /// For hotspot.sh: shows the screen that the network is up.
    struct HotspotName: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hotspot-name", abstract: "The name of the box's own network.",
            usage: "adhanctl card hotspot-name", shouldDisplay: false)

        func run() throws { try Output(json: false).write(CardBox(.process).hotspotName + "\n") }
    }

    /// For hotspot.sh and join.sh: the content of network.json.
    struct NetworkState: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "network-state", abstract: "For the phone page.",
            usage: "adhanctl card network-state (hotspot|joining|joined) [--scan <file>] [--last <reason>]",
            shouldDisplay: false)

        @Argument(help: "Where the box is.") var state: NetworkDocument.State

        @Option(help: ArgumentHelp("What was seen around.", valueName: "file")) var scan: String?

        @Option(help: ArgumentHelp("Why it did not join.", valueName: "reason")) var last:
            NetworkDocument.Failure?

        func run() throws {
            let box = CardBox(.process)
            var document = NetworkDocument(
                state: state, last: last, networks: scan.map { ScanResults.networks(box.seen(in: $0)) } ?? [])
            let asked = box.asked
            (document.name, document.country) = (asked?.name, asked?.country ?? box.country)
            // A box that makes its own network has not joined the one that it knows.
            if state == .hotspot, box.hasDerivedKey { document.hasDerivedKey = true }
            try Output(json: false).write(String(decoding: try JSON.encode(document), as: UTF8.self) + "\n")
        }
    }

    /// For join.sh: turns one line of JSON on standard input into a configuration that only root may read. 65: the line is
    /// invalid.
    struct Join: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join", abstract: "A network that a phone named.", usage: "adhanctl card join",
            shouldDisplay: false)

        func run() throws {
            var line = [UInt8](repeating: 0, count: JoinRequest.longest + 1)
            var count = 0
            while count < line.count, !line[..<count].contains(0x0A) {
                let read = unsafe line.withUnsafeMutableBytes {
                    unsafe Glibc.read(STDIN_FILENO, $0.baseAddress! + count, $0.count - count)
                }
                guard read > 0 else { break }
                count += read
            }
            guard let end = line[..<count].firstIndex(of: 0x0A),
                let request = try? JSON.decode(JoinRequest.self, from: Array(line[..<end])),
                request.isPossible
            else { throw CommandError(.invalidInput, "that is no network; nothing was changed") }
            do throws(FileError) {
                try CardBox(.process).keep(request)
            } catch {
                throw CommandError(.failed, error.message)
            }
        }
    }

    /// For join.sh: the reason why the box did not join, or nothing.
    struct Verdict: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join-verdict", abstract: "Why the box did not join.",
            usage: "adhanctl card join-verdict --log <file> [--scan <file>] [--address]",
            shouldDisplay: false)

        @Option(help: ArgumentHelp("The events of wpa_supplicant.", valueName: "file")) var log: String

        @Option(help: ArgumentHelp("What was seen around.", valueName: "file")) var scan: String?

        @Flag(help: "The network has given an address.") var address = false

        func run() throws {
            let bytes = (try? FileBytes.read(log, limit: 1 << 20)) ?? []
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let box = CardBox(.process)
            let failure = JoinVerdict.failure(
                lines, hasAddress: address, asked: box.asked, seen: scan.map { box.seen(in: $0) } ?? [])
            if let failure { try Output(json: false).write(failure.rawValue + "\n") }
        }
    }
}

extension NetworkDocument.State: ExpressibleByArgument {}
extension NetworkDocument.Failure: ExpressibleByArgument {}
