import ArgumentParser
import CommandKit
import ControlClient
import Maintenance

/// Options that every command accepts, before and after its name.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The control socket (default: $ADHAND_SOCKET, your own adhand's, or the system's).",
            valueName: "path"), completion: .file())
    var socket: String?

    @Flag(name: .long, help: "Print one JSON document instead of text.")
    var json = false

    var output: Output { Output(json: json) }

    /// The client of the adhand that the options select.
    var daemon: ControlClient { ControlClient(option: socket) }
}
