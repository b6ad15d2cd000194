internal import BridgePlan
internal import Glibc
internal import Host

/// The files of the state directory (``BridgeStateFile``). Each write replaces a whole file.
struct StateFiles: Sendable {
    private static let mostBytes = 1 << 20
    static let usualFolder = Paths.bridgeState

    let folder: String

    init(_ folder: String) { self.folder = folder }

    func make() throws(FileError) {
        if !Directories.isDirectory(folder) { try Directories.make(folder, mode: 0o700) }
    }

    /// Locks the directory while the service runs, so that two services never share a queue; `nil` if another one holds the
    /// lock.
    func lock() throws(FileError) -> LockFile? { try LockFile.acquire("\(folder)/lock", patienceSeconds: 0) }

    /// Whether a service is running with this directory.
    func isLocked() throws(FileError) -> Bool {
        guard let lock = try lock() else { return true }
        lock.release()
        return false
    }

    /// The content of a file, which is empty if the file is missing.
    func read(_ file: BridgeStateFile) throws(FileError) -> [UInt8] {
        do throws(FileError) {
            return try FileBytes.read(file.path(in: folder), limit: Self.mostBytes, followsLink: false)
        } catch  where error.isMissing {
            return []
        }
    }

    /// Whether an address was set on the phone page, even if its file is unreadable.
    var hasPage: Bool { isThere(.page) }

    func isThere(_ file: BridgeStateFile) -> Bool { unsafe access(file.path(in: folder), F_OK) == 0 }

    /// The address set on the phone page.
    /// - Throws: also for a damaged file, which is left in place.
    func page() throws(FileError) -> PageAlert? {
        let bytes = try read(.page)
        guard !bytes.isEmpty else { return nil }
        guard let page = PageAlert(json: bytes) else {
            throw FileError(
                "use", BridgeStateFile.page.path(in: folder),
                reason: "it is damaged; set the address on the phone page again")
        }
        return page
    }

    func remove(_ file: BridgeStateFile) { unsafe unlink(file.path(in: folder)) }

    func write(_ bytes: [UInt8], to file: BridgeStateFile) throws(FileError) {
        try AtomicFile.replace(file.path(in: folder), mode: 0o600) { draft throws(FileError) in
            try draft.write(bytes)
        }
    }
}
