import AdhanCore
import ArgumentParser
import Glibc

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks that all is well, and says what to type where it is not.",
        discussion: """
            Makes no sound and changes nothing. Works without adhand and for every user; with sudo it sees more.

            Exit status: 0 when nothing is a problem (there may be warnings), 1 when something is.
            """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let document = Doctor.examine(Gathering.facts(global.daemon))
        try global.output.show(document) { DoctorText.render(document, $0) }
        if !document.ok { Glibc.exit(ExitStatus.failed.rawValue) }
    }
}
