internal import CLinux
internal import Daemon
internal import Envelope
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import StateFile
internal import Times

/// `state.json`, and the lock that keeps a second adhand away from it.
struct StateStore: ~Copyable {
    let directory: String
    private var lock: OpenFile?
    private var path: String { directory + "/" + DecidedRecord.fileName }
    private var copyPath: String { directory + "/\(DecidedRecord.copyName)" }
    /// The content of the copy of people's decisions; `nil` while there is no readable one.
    private var copied: SavedState?
    private var configurationPath: String { directory + "/" + KeptConfiguration.fileName }

    /// The most bytes, far beyond a state with all ids that are kept.
    private static let mostBytes = 4 << 20

    init(directory: String) {
        self.directory = directory
    }

    /// Makes the directory if need be and locks it. Throws `secondInstance` when another adhand holds the lock; any other error
    /// means that nothing can be saved there for now.
    mutating func open() throws(ShellError) {
        do {
            try Directories.make(directory)
        } catch {
            throw .file(error)
        }
        let file = try openLock()
        guard try file.lock() else {
            let owner = String(decoding: (try? file.read(20, at: 0)) ?? [], as: UTF8.self)
            let process = Int32(owner.filter(\.isNumber)).map { " (process \($0))" } ?? ""
            throw .secondInstance(
                "another adhand\(process) runs with the state directory \"\(directory)\"; "
                    + "stop it first, or give this one a --state-dir and a --socket of its own")
        }
        try file.truncate(to: 0)
        try file.write(Array("\(getpid())\n".utf8))
        lock = consume file
    }

    private func openLock() throws(ShellError) -> OpenFile {
        do throws(ShellError) {
            return try OpenFile(directory + "/adhand.lock", O_RDWR | O_CREAT, to: "open")
        } catch {
            // Another user's adhand may be running there, or another user started this one once.
            var status = stat()
            guard case .file(let file) = error, file.code == EACCES, unsafe stat(directory, &status) == 0,
                status.st_uid != geteuid()
            else { throw error }
            throw .file(
                FileError(
                    "use the state directory", directory,
                    reason:
                        "it belongs to the user \(Account.nameOrNumber(of: status.st_uid)), whose adhand may be running; "
                        + "give this one a --state-dir of its own, or stop it"))
        }
    }

    /// The state that was found at a start.
    struct Found {
        /// The state as last saved; `nil` at the very first start, and when it was lost.
        var state: SavedState?
        var loss: StateLoss?
        /// The content of the copy, where the state was lost.
        var decided: SavedState?

        /// The fleet's configuration, from either.
        var fleet: FleetConfiguration? { (state ?? decided)?.fleet.configurationInForce }
    }

    /// Reads the state. An unreadable one is set aside and reported; people's decisions are then restored from their copy.
    mutating func load(now: Instant, complain: (String) -> Void) -> Found {
        copied = try? SavedState(fileBytes: try FileBytes.read(copyPath, limit: Self.mostBytes))
        let isCopyBroken = copied == nil && FileAccess.of(copyPath) != .missing
        let (cause, reason): (StateLoss.Cause, String)
        do {
            return Found(state: try SavedState(fileBytes: try FileBytes.read(path, limit: Self.mostBytes)))
        } catch let error as FileError where error.isMissing {
            guard wasHereBefore else { return Found() }
            (cause, reason) = (.gone, "\"\(path)\" is gone, although adhand ran here before")
        } catch let error as FileError {
            (cause, reason) = (.unreadable, "\(error.message); \(setAside(path, now: now))")
        } catch {
            (cause, reason) = (.damaged, "\"\(path)\" is damaged; \(setAside(path, now: now))")
        }
        let outcome =
            copied == nil ? "are forgotten; set them again" : "are taken from \"\(copyPath)\""
        complain("\(reason); \(StateLoss.decisions) \(outcome)")
        if isCopyBroken { complain("\"\(copyPath)\" cannot be read either; \(setAside(copyPath, now: now))") }
        return Found(
            loss: StateLoss(cause, at: now, isRestored: copied != nil), decided: copied)
    }

    /// The fleet's record on disk, before the state directory is opened; `nil` where there is no readable one.
    static func fleet(in directory: String) -> FleetRecord? {
        for name in [DecidedRecord.fileName, DecidedRecord.copyName] {
            guard let bytes = try? FileBytes.read("\(directory)/\(name)", limit: mostBytes),
                let record = FleetRecord(inState: bytes)
            else { continue }
            return record
        }
        return nil
    }

    /// Whether an earlier run has left files.
    private var wasHereBefore: Bool {
        [configurationPath, copyPath, "\(directory)/\(HistoryEntry.fileName)"].contains {
            FileAccess.of($0) != .missing
        }
    }

    /// The configuration that was last in force, if a readable one is kept.
    borrowing func keptConfiguration() -> KeptConfiguration? {
        Self.keptConfiguration(in: directory)
    }

    static func keptConfiguration(in directory: String) -> KeptConfiguration? {
        try? KeptConfiguration.read(in: directory)
    }

    /// Keeps a configuration, only while the lock is held: another adhand's configuration is not ours. An unreadable one is set
    /// aside, which the returned sentence reports.
    mutating func keep(_ configuration: KeptConfiguration, now: Instant) throws(ShellError) -> String? {
        if lock == nil { try open() }
        guard let bytes = try? configuration.fileBytes() else {
            throw .file(FileError("write", configurationPath, reason: "the configuration has no text form"))
        }
        var complaint: String?
        do throws(FileError) {
            _ = try KeptConfiguration.read(in: directory)
        } catch {
            complaint = "\(error.message); \(setAside(configurationPath, now: now))"
        }
        try OpenFile.replace(configurationPath, mode: 0o600, with: bytes)
        return complaint
    }

    /// Saves the settings, only while the lock is held.
    mutating func saveSettings(_ layer: SettingsLayer) throws(ShellError) {
        if lock == nil { try open() }
        try SettingsStore(directory: directory).save(layer)
    }

    private func setAside(_ path: String, now: Instant) -> String {
        OpenFile.setAside(path, now: now).map { "set aside as \"\($0)\"" } ?? "it could not be set aside"
    }

    /// Saves the state. Nothing is saved without the lock: if the directory has become usable since the start, it is locked now.
    mutating func save(_ state: SavedState) throws(ShellError) {
        if lock == nil { try open() }
        guard let bytes = try? state.fileBytes() else {
            throw .file(FileError("write", path, reason: "the state has no text form"))
        }
        try OpenFile.replace(path, mode: 0o600, with: bytes)
    }

    /// Saves people's decisions in a second file. It is written when they change or the clock was set back, and therefore rarely
    /// together with the first: a power cut spares one of the two.
    mutating func keepDecisions(of state: SavedState) throws(ShellError) {
        if let copied, copied.isCurrentCopy(of: state) { return }
        let decisions = state.decisions
        guard let bytes = try? decisions.fileBytes() else {
            throw .file(FileError("write", copyPath, reason: "the state has no text form"))
        }
        try OpenFile.replace(copyPath, mode: 0o600, with: bytes)
        copied = decisions
    }
}
