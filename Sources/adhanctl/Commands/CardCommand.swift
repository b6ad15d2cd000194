import ArgumentParser
import BoxCard
import CommandKit
import Console
import ControlClient
import Glibc
import Host
import Maintenance
import PhoneRules
import Texts

/// The commands with which a flashed box handles its card. Their caller, box/card.sh, mounts the partition.
struct CardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card",
        abstract: "Takes over the files of a flashed box's card.",
        discussion: "For the box's own services.",
        shouldDisplay: false,
        subcommands: [
            Before.self, After.self, Report.self, Health.self, Read.self, HotspotKeyCommand.self,
            HotspotCommand.self, HotspotAsk.self, HotspotConfiguration.self, HotspotName.self,
            NetworkState.self, Join.self, Verdict.self,
        ])

    struct Before: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "before",
            abstract: "Before adhand starts: network, keys, configuration, screen.",
            usage: "adhanctl card before [<options>]")

        @OptionGroup var card: CardOptions

        func run() throws {
            let cardImport = try card.cardImport()
            cardImport.store.beginBoot()
            cardImport.runBefore()
            cardImport.setZone()
        }
    }

    struct After: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "after",
            abstract: "When it runs: recordings, timetable.",
            usage: "adhanctl card after [<options>]")

        @OptionGroup var card: CardOptions

        func run() throws { try card.cardImport().runAfter() }
    }

    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report",
            abstract: "What came of each file: the bytes of adhand-report.txt.",
            usage: "adhanctl card report [<options>]")

        @OptionGroup var card: CardOptions

        func run() throws {
            if let code = OwnedDescriptor.write(
                try card.cardImport().report(phonePort: PhonePage.port).file, to: STDOUT_FILENO)
            {
                throw CommandError(.failed, "cannot write to standard output: \(SystemError.text(code))")
            }
        }
    }
}

extension CardCommand {
    /// For upgrade.sh. 0: adhand's health is as good as before; 1: it is worse; 69: it does not answer.
    struct Health: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "health",
            abstract: "The health that an upgrade is compared by, as JSON.",
            usage: "adhanctl card health [--before <file>] [<options>]")

        @Option(help: ArgumentHelp("Name what is worse than in this earlier answer.", valueName: "file"))
        var before: String?

        @OptionGroup var card: CardOptions

        func run() throws {
            guard let health = try card.cardImport().health() else {
                throw CommandError(.unreachable, "adhand does not answer")
            }
            guard let before else {
                return try Output(json: false).write(
                    String(decoding: try JSON.encode(health), as: UTF8.self) + "\n")
            }
            let earlier = (try? FileBytes.read(before, limit: 4096)).flatMap {
                try? JSON.decode(UpgradeHealth.self, from: $0)
            }
            let worse = health.worse(than: earlier)
            guard worse.isEmpty else {
                try Output(json: false).write(worse.joined(separator: " ") + "\n")
                Glibc.exit(ExitStatus.failed.rawValue)
            }
        }
    }
}

extension CardCommand {
    /// Only reads: it needs no daemon and no box, and nothing of the file is executed. 0: understood; 65: refused.
    struct Read: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "read",
            abstract: "What a box takes over from box.txt or a file of Raspberry Pi Imager.",
            usage: "adhanctl card read (network-config|user-data|box.txt) <file> [--json]",
            discussion: "With --json the answer has passwords and keys.")

        enum Kind: String, ExpressibleByArgument, CaseIterable {
            case networkConfig = "network-config"
            case userData = "user-data"
            case box = "box.txt"

            var imager: ImagerFile? { ImagerFile(rawValue: rawValue) }
        }

        @Argument(help: ArgumentHelp("Which of the files it is.", valueName: "kind"))
        var kind: Kind

        @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
        var file: String

        @OptionGroup var global: GlobalOptions

        func run() throws {
            guard let imager = kind.imager else {
                let settings = try CardSettings(path: file)
                return try global.output.show(settings) { Self.table(settings.summary, $0) }
            }
            let settings = try imager.read(path: file)
            try global.output.show(settings) { Self.table(settings.summary, $0) }
        }

        private static func table(_ rows: [(name: String, text: String)], _ style: Style) -> String {
            var table = TextTable([.left, .left])
            for (name, text) in rows { table.add([TextTable.Cell(name), TextTable.Cell(text)]) }
            return rows.isEmpty ? "A box takes nothing over from this file.\n" : table.rendered(style)
        }
    }
}

extension CardCommand {
    /// Prints the key for a label on the box.
    struct HotspotKeyCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hotspot-key", abstract: "The key of the box's own network, for a label.",
            usage: "adhanctl card hotspot-key [<options>]",
            discussion: "Needs root. The first call makes it, and it stays.")

        @OptionGroup var global: GlobalOptions

        private struct Document: Encodable {
            let key: String
        }

        func run() throws {
            let key: HotspotKey
            do throws(FileError) {
                key = try CardBox(.process).hotspotKey.ensure()
            } catch {
                throw geteuid() == 0
                    ? CommandError(.failed, error.message)
                    : CommandError(
                        .notPermitted, "only root reads the key; type: sudo adhanctl card hotspot-key")
            }
            try global.output.show(Document(key: key.text)) { _ in key.text + "\n" }
        }
    }
}

struct CardOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @OptionGroup var options: SoundPlaceOptions

    func cardImport() throws(CommandError) -> CardImport {
        // Commands for root alone set the mode of each file explicitly.
        umask(0o022)
        let box = CardBox(.process)
        do throws(FileError) {
            try Directories.make(box.run, mode: 0o755)
            return CardImport(
                box: box, store: try CardStore(box), daemon: global.daemon, named: options.named)
        } catch {
            throw CommandError(.failed, error.message)
        }
    }
}
