import ArgumentParser
import CommandKit
import Console
import Glibc
import Maintenance
import Protocol

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks that all is well, and says what to type where it is not.",
        discussion: """
            Makes no sound and changes nothing. Works without adhand and for every user; with sudo it sees more.

            Exit status: 0 when nothing is a problem (there may be warnings), 1 when something is. An adhan that was not \
            played is a problem for as long as --days looks back.
            """)

    @OptionGroup var global: GlobalOptions

    @Option(
        name: .long,
        help: ArgumentHelp("How many days back no adhan may have been missed, 1 to 3660.", valueName: "n"))
    var days = Doctor.usualDays

    func validate() throws {
        guard HistoryDocument.possibleDays.contains(days) else {
            throw ValidationError("--days must be a whole number from 1 to 3660, not \(days)")
        }
    }

    func run() throws {
        let document = Doctor.examine(DoctorCollector.facts(global.daemon, days: days))
        try global.output.show(document) { DoctorText.render(document, $0) }
        if !document.ok { Glibc.exit(ExitStatus.failed.rawValue) }
    }
}
