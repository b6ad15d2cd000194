internal import AdhanCore
internal import CLinux
internal import Glibc
internal import Host
internal import PrayerEngine

/// `state.json`, and the lock that keeps a second adhand away from it.
struct StateStore: ~Copyable {
    let directory: String
    private var lock: OpenFile?
    private var path: String { directory + "/state.json" }
    private var configurationPath: String { directory + "/" + KeptConfiguration.fileName }

    /// More than a state with all the ids that are kept ever takes.
    private static let mostBytes = 4 << 20

    init(directory: String) {
        self.directory = directory
    }

    /// Makes the directory if need be and takes its lock. `secondInstance` when another adhand has it;
    /// anything else means that nothing can be kept there for now.
    mutating func open() throws(ShellError) {
        do {
            try Directories.make(directory)
        } catch {
            throw .file(error)
        }
        let file = try OpenFile(directory + "/adhand.lock", O_RDWR | O_CREAT, to: "open")
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

    /// The state as it was last kept; `nil` at the first start of all. What cannot be read is set aside, and
    /// said so.
    func load(now: Instant, complain: (String) -> Void) -> SavedState? {
        let reason: String
        do {
            return try SavedState(fileBytes: try FileBytes.read(path, limit: Self.mostBytes))
        } catch let error as FileError {
            if error.isMissing {
                if wasHereBefore {
                    complain(
                        "\"\(path)\" is gone, although adhand ran here before: mutes, switches, skipped prayers, times set by hand and "
                            + "decided months are forgotten; set them again")
                }
                return nil
            }
            reason = error.message
        } catch {
            reason = "\"\(path)\" is damaged"
        }
        complain(
            "\(reason); \(setAside(now: now)), starting with nothing muted and every prayer as configured")
        return nil
    }

    /// Whether something is left of an earlier run.
    private var wasHereBefore: Bool {
        [configurationPath, directory + "/history.jsonl"].contains { FileAccess.of($0) != .missing }
    }

    /// The configuration that was last in force, if one is kept that can be read.
    borrowing func keptConfiguration() -> KeptConfiguration? {
        Self.keptConfiguration(in: directory)
    }

    static func keptConfiguration(in directory: String) -> KeptConfiguration? {
        let path = directory + "/" + KeptConfiguration.fileName
        guard let bytes = try? FileBytes.read(path, limit: Self.mostConfigurationBytes) else { return nil }
        return try? KeptConfiguration(fileBytes: bytes)
    }

    /// More than the texts of a configuration and its drop-ins ever take.
    private static let mostConfigurationBytes = 16 << 20

    /// Only while the lock is held: another adhand's configuration is none of ours.
    mutating func keep(_ configuration: KeptConfiguration) throws(ShellError) {
        if lock == nil { try open() }
        guard let bytes = try? configuration.fileBytes() else {
            throw .file(FileError("write", configurationPath, reason: "the configuration has no text form"))
        }
        try OpenFile.replace(configurationPath, mode: 0o600, with: bytes)
    }

    private func setAside(now: Instant) -> String {
        OpenFile.setAside(path, now: now).map { "set aside as \"\($0)\"" } ?? "it could not be set aside"
    }

    /// Nothing is kept before the lock is held: should the directory have come to be usable since the start,
    /// it is taken now.
    mutating func save(_ state: SavedState) throws(ShellError) {
        if lock == nil { try open() }
        guard let bytes = try? state.fileBytes() else {
            throw .file(FileError("write", path, reason: "the state has no text form"))
        }
        try OpenFile.replace(path, mode: 0o600, with: bytes)
    }
}
