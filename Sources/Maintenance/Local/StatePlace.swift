import CommandKit
package import ControlClient
package import Envelope
import Glibc
import Host
package import Protocol
import Texts
import Times

/// The location of the state of the daemon that adhanctl talks to, and whether it may be changed.
package struct StatePlace {
    let directory: String
    /// The daemon's own status, if it runs.
    package let status: StatusDocument?
    /// The directory that the daemon reports, opened and verified to be an adhand's.
    private let opened: StateDirectory?
    /// Why nothing is written to the reported directory.
    private let refusal: FileError?
    /// The settings that override the files of the daemon's configuration.
    package private(set) var settings: LocalSettings?
    /// The configuration of a fleet between those files, if this user may read it.
    package private(set) var fleet: FleetConfiguration?

    /// Seconds to wait for the daemon, whose answer is optional.
    private static let patienceSeconds = 2.0

    /// - Parameter named: the directory given on the command line; it overrides all others.
    package init(named: String? = nil, _ daemon: ControlClient) {
        let answer = try? daemon.callReturningServerUser(
            .getStatus, patienceSeconds: Self.patienceSeconds)
        self.init(named: named, answer?.document.status, from: answer?.server, on: daemon.socket)
        settings =
            status == nil || named != nil
            ? LocalSettings.saved(in: directory) : LocalSettings.reported(by: daemon)
        fleet = Self.fleet(in: directory)
    }

    /// The most bytes of a state, far beyond any real one.
    private static let mostBytes = 4 << 20

    private static func fleet(in directory: String) -> FleetConfiguration? {
        let bytes = try? FileBytes.read("\(directory)/\(DecidedRecord.fileName)", limit: mostBytes)
        return bytes.flatMap { FleetRecord(inState: $0) }?.configurationInForce
    }

    /// The file that the daemon reads, if this machine has it.
    package var configuration: String? {
        status?.configurationFile.flatMap { Environment.process.exists($0) ? $0 : nil }
    }

    private init(named: String?, _ status: StatusDocument?, from server: uid_t?, on socket: String) {
        self.status = status
        let usual = Paths.clientState(option: nil, in: .process)
        guard named == nil, let reported = status?.stateDirectory else {
            (directory, opened, refusal) = (named.map(Directories.absolute) ?? usual, nil, nil)
            return
        }
        // The system's adhand is found without an answer. Root trusts no answer, because an impostor on the socket could then
        // choose where root writes.
        if geteuid() == 0, socket == Paths.systemSocket {
            (directory, opened, refusal) = (Paths.systemState, nil, nil)
            if !Directories.areSame(reported, Paths.systemState) {
                StandardError.write(
                    "adhanctl: adhand says that its state directory is \"\(PlainText.visible(reported))\"; "
                        + "\"\(Paths.systemState)\" is used. If you moved it, name it with --state-dir.")
            }
            return
        }
        do throws(FileError) {
            opened = try StateDirectory.open(reported: reported, by: server)
            (directory, refusal) = (reported, nil)
        } catch {
            // A directory that is closed to this user is the system's; the daemon reports its content.
            let isClosed = error.code == EACCES || error.code == EPERM
            (directory, opened, refusal) = (isClosed ? reported : usual, nil, error)
        }
    }

    /// Opens the directory for writing. It is made if missing, unless the daemon reported it.
    func toChange() throws(FileError) -> StateDirectory {
        if let refusal { throw refusal }
        if let opened { return opened }
        return try StateDirectory.open(directory)
    }

    /// The timetable in the directory.
    func timetable() throws(TimetableFile.ReadError) -> PublishedTimetable {
        if let opened { return try TimetableFile.read(in: opened) }
        return try TimetableFile.read(in: directory)
    }

    /// All overrides of a mosque in the directory.
    func decided() throws(TimetableFile.ReadError) -> MosqueOverrides {
        if let opened { return try OverridesFiles.read(in: opened) }
        return try OverridesFiles.read(in: directory)
    }
}
