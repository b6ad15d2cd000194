import ArgumentParser
import CommandKit
import ControlClient
import Glibc
import Host
import Maintenance

/// The phone page's service that reads files: systemd starts one process for each connection.
struct IntakeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "intake",
        abstract: "Takes recordings, timetables and pictures from a socket.",
        usage: "adhanctl intake [--serve <path>] [<options>]",
        discussion: "For adhan-intake.socket, which hands over one connection as standard input.",
        shouldDisplay: false)

    @OptionGroup var global: GlobalOptions

    @Option(
        help: ArgumentHelp("Make this socket and answer on it, for trials.", valueName: "path"),
        completion: .file())
    var serve: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where pictures go (default: /var/lib/adhand-slides).", valueName: "directory"),
        completion: .directory)
    var slidesDir: String?

    @OptionGroup var sounds: SoundPlaceOptions

    func run() throws {
        let intake = Intake(
            daemon: global.daemon, named: sounds.named, pictures: slidesDir ?? Paths.acceptedPictures)
        guard let serve else {
            guard LineConnection.isSocket(STDIN_FILENO) else {
                throw CommandError(
                    .usage,
                    "standard input is no socket; adhan-intake.socket starts this, or give --serve <path>")
            }
            return intake.serve(STDIN_FILENO)
        }
        let listener = try IntakeListener(serve)
        while true {
            let connection = try listener.accept()
            // systemd starts these processes concurrently; the spool admits one at a time.
            guard
                BackgroundThread.start({
                    intake.serve(connection)
                    close(connection)
                })
            else {
                close(connection)
                continue
            }
        }
    }
}
