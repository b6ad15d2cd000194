internal import ArgumentParser
internal import CommandKit
internal import Host
internal import Texts

/// Runs adhan-fleet, which shares an executable file with other programs.
package func runAdhanFleet() { AdhanFleet.main() }

struct AdhanFleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adhan-fleet",
        abstract:
            "Makes keys for a fleet of boxes, signs changes for it, and watches over it.",
        discussion: """
            keys, sign and verify need no network, and belong on a machine that has none; the others are for the fleet's server.

            --json, and --dir of the others, may also stand before the command.

            Exit status: 0 done, 1 failed, 3 the newest roll-out stopped itself, 64 wrong usage, 65 a file or a signature is not valid, \
            69 the broker, or the watch, cannot be reached.
            """,
        version: "adhan-fleet \(adhandVersion)",
        subcommands: [
            KeysCommand.self, SignCommand.self, VerifyCommand.self, InitCommand.self, PublishCommand.self,
            WithdrawCommand.self, WatchCommand.self, StatusCommand.self, RolloutCommand.self,
            EnrolCommand.self,
        ])

    static func main() {
        ServiceStart.run(AdhanFleet.self, failing: FleetError.self) { try LeadingOptions.moved($0) }
    }
}

typealias Output = CommandKit.Output<FleetError>

/// The reason why a command failed, with its exit status.
struct FleetError: StatusError {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}

extension Error {
    /// The sentence that describes an error of a file or of the fleet.
    var explanation: String {
        (self as? FileError)?.message ?? (self as? FleetError)?.message ?? "\(self)"
    }
}

/// Options of every command.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print one JSON document instead of text.")
    var json = false

    var output: Output { Output(json: json) }
}
