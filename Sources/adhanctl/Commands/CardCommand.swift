import ArgumentParser
import CommandKit
import Console
import ControlClient
import Glibc
import Host
import Maintenance

/// The commands of a flashed box for its card. The partition is mounted by their caller: box/card.sh.
struct CardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "card",
        abstract: "Takes over the files of a flashed box's card.",
        discussion: "For the box's own services.",
        shouldDisplay: false,
        subcommands: [Before.self, After.self, Report.self])

    struct Before: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Before adhand starts: network, keys, configuration, screen.",
            usage: "adhanctl card before [<options>]")

        @OptionGroup var card: CardOptions

        func run() throws {
            let taking = try card.taking()
            taking.store.beginBoot()
            taking.runBefore()
            taking.setZone()
        }
    }

    struct After: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "When it runs: recordings, timetable.",
            usage: "adhanctl card after [<options>]")

        @OptionGroup var card: CardOptions

        func run() throws { try card.taking().runAfter() }
    }

    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What came of each file: the bytes of adhand-report.txt.",
            usage: "adhanctl card report [<options>]")

        @OptionGroup var card: CardOptions

        func run() throws {
            if let code = OwnedDescriptor.write(try card.taking().report().file, to: STDOUT_FILENO) {
                throw CommandError(.failed, "cannot write to standard output: \(SystemError.text(code))")
            }
        }
    }
}

struct CardOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @OptionGroup var options: SoundPlaceOptions

    func taking() throws(CommandError) -> CardTaking {
        // A command for root alone says so itself.
        umask(0o022)
        let box = CardBox(.process)
        do throws(FileError) {
            try Directories.make(box.run, mode: 0o755)
            return CardTaking(
                box: box, store: try CardStore(box), daemon: global.daemon, named: options.named)
        } catch {
            throw CommandError(.failed, error.message)
        }
    }
}
