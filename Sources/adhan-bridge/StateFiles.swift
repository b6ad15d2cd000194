internal import BridgePlan
internal import Glibc
internal import Host

/// The files of the state directory (``BridgeStateFile``). Each is replaced as a whole.
struct StateFiles: Sendable {
    private static let mostBytes = 1 << 20
    static let usualFolder = Paths.bridgeState

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
    func read(_ file: BridgeStateFile) throws(FileError) -> [UInt8] {
        do throws(FileError) {
            return try FileBytes.read(file.path(in: folder), limit: Self.mostBytes, followsLink: false)
        } catch  where error.isMissing {
            return []
        }
    }

    /// Whether an address was set on the phone page, be it readable or not.
    var hasPage: Bool { isThere(.page) }

    func isThere(_ file: BridgeStateFile) -> Bool { unsafe access(file.path(in: folder), F_OK) == 0 }

    /// The address of the phone page.
    /// - Throws: also for a file that is damaged, which is left as it is.
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
