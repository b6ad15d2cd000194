internal import Glibc
internal import Host

/// The files of the state directory: the queue, the open alerts, what `adhan-bridge status` shows, that a connection to a broker is young, and how much the fleet knows. Each is replaced as a whole.
struct StateFiles: Sendable {
    enum Name: String, Sendable {
        case queue = "queue.jsonl"
        case open = "open.json"
        case status = "status.json"
        case broker = "broker.json"
        case fleet = "fleet.json"
    }

    private static let mostBytes = 1 << 20
    static let usualFolder = "/var/lib/adhan-bridge"

    let folder: String

    init(_ folder: String) { self.folder = folder }

    func make() throws(FileError) {
        if !Directories.isDirectory(folder) { try Directories.make(folder, mode: 0o700) }
    }

    /// Held while the service runs, so that two of them never share a queue; `nil` where another one has it.
    func lock() throws(FileError) -> LockFile? { try LockFile.acquire("\(folder)/lock", patienceSeconds: 0) }

    /// Whether a service runs with this directory.
    func isLocked() throws(FileError) -> Bool {
        guard let lock = try lock() else { return true }
        lock.release()
        return false
    }

    /// Empty where there is none.
    func read(_ name: Name) throws(FileError) -> [UInt8] {
        do throws(FileError) {
            return try FileBytes.read("\(folder)/\(name.rawValue)", limit: Self.mostBytes, followsLink: false)
        } catch  where error.isMissing {
            return []
        }
    }

    func remove(_ name: Name) { unsafe unlink("\(folder)/\(name.rawValue)") }

    func write(_ bytes: [UInt8], to name: Name) throws(FileError) {
        try AtomicFile.replace("\(folder)/\(name.rawValue)", mode: 0o600) { draft throws(FileError) in
            try draft.write(bytes)
        }
    }
}
