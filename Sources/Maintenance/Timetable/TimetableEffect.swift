package import ControlClient
import Host
import Protocol

/// The effect on a running daemon of changing the timetable on disk.
package struct TimetableEffect {
    private let daemon: ControlClient
    private let stateDirectory: String

    /// Seconds to wait for an answer that is not essential.
    private static let patienceSeconds = 5.0

    package init(_ daemon: ControlClient, _ stateDirectory: String) {
        self.daemon = daemon
        self.stateDirectory = stateDirectory
    }

    /// Makes the daemon of this directory read the table; returns whether it uses it now, and a sentence about it.
    package func apply() -> (reloaded: Bool, message: String) {
        let status: StatusDocument
        do throws(CommandError) {
            status = try daemon.ask(.getStatus, patienceSeconds: Self.patienceSeconds)
                .status
        } catch {
            return (false, "adhand is not running; it loads this when it starts.")
        }
        guard let directory = status.stateDirectory, Directories.areSame(directory, stateDirectory) else {
            return (false, "The adhand that runs has another state directory, and does not load this.")
        }
        do throws(CommandError) {
            let reply = try daemon.ask(
                .reloadTimetable, patienceSeconds: Self.patienceSeconds)
            let sentences = ["adhand has loaded the timetable: \(reply.message)."] + (reply.problems ?? [])
            return (true, sentences.joined(separator: "\n"))
        } catch {
            return (false, "adhand has not read it yet (\(error.message)); run \"sudo adhanctl reload\".")
        }
    }
}
