internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Texts

/// `rollouts/` in the fleet's folder: for each roll-out one file with its progress, and its envelope beside it.
struct RolloutFolder: Sendable {
    let path: String

    init(_ folder: FleetFolder) { path = folder.path + "/rollouts" }

    private static let progressEnd = ".json"
    private static let envelopeEnd = ".envelope"
    /// The largest progress file: one of ten thousand boxes has 1.5 MB.
    private static let mostProgressBytes = 16 << 20
    private static let patienceSeconds = 10.0

    func make() throws(FleetError) {
        if unsafe mkdir(path, 0o755) != 0, errno != EEXIST {
            throw FleetError(.failed, FileError("create", path, code: errno).message)
        }
    }

    // MARK: Locks

    /// The lock of the watcher that carries out roll-outs: two watchers would deliver everything twice.
    func watchLock() throws(FileError) -> LockFile? {
        try LockFile.acquire(path + "/watch.lock", patienceSeconds: 0)
    }

    /// Whether a watcher carries out roll-outs.
    func isWatched() throws(FileError) -> Bool {
        guard let lock = try watchLock() else { return true }
        lock.release()
        return false
    }

    /// Locks the files while they are read and rewritten, because both the commands and the watcher change them.
    func edit<Result>(_ work: () throws(FileError) -> Result) throws(FileError) -> Result {
        guard let lock = try LockFile.acquire(path + "/edit.lock", patienceSeconds: Self.patienceSeconds)
        else {
            throw FileError("lock", path, reason: "another program has been changing it for long")
        }
        defer { lock.release() }
        return try work()
    }

    // MARK: Files

    private func progress(_ digest: String) -> String { "\(path)/\(digest)\(Self.progressEnd)" }

    private func envelopePath(_ digest: String) -> String { "\(path)/\(digest)\(Self.envelopeEnd)" }

    /// The digests of all roll-outs of envelopes; empty where there is no folder yet.
    func digests() -> [String] { names().filter(SHA256.isHex) }

    /// The versions of all roll-outs of packages.
    func versions() -> [String] { names().compactMap(PackageRollout.version) }

    private func names() -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var found: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.hasSuffix(Self.progressEnd) {
                found.append(String(name.dropLast(Self.progressEnd.count)))
            }
        }
        return found.sorted()
    }

    func read(_ digest: String) throws(FileError) -> FleetRollout {
        try read(FleetRollout.self, digest) { $0.digest == digest }
    }

    func read(version: String) throws(FileError) -> PackageRollout {
        try read(PackageRollout.self, PackageRollout.name(of: version)) { $0.version == version }
    }

    private func read<Progress: Decodable>(
        _ type: Progress.Type, _ name: String, where isMeant: (Progress) -> Bool
    ) throws(FileError) -> Progress {
        let file = progress(name)
        let bytes = try FileBytes.read(file, limit: Self.mostProgressBytes)
        guard let rollout = try? JSON.decode(type, from: bytes), isMeant(rollout) else {
            throw FileError("read", file, reason: "it is damaged, or of another version")
        }
        return rollout
    }

    func save(_ rollout: FleetRollout) throws(FileError) { try save(rollout, rollout.digest) }

    func save(_ rollout: PackageRollout) throws(FileError) { try save(rollout, rollout.name) }

    private func save(_ rollout: some Encodable, _ name: String) throws(FileError) {
        let file = progress(name)
        let bytes: [UInt8]
        do { bytes = try JSON.encode(rollout) } catch {
            throw FileError("write", file, reason: "it has no form as JSON")
        }
        try AtomicFile.write(bytes, to: file, like: file)
    }

    func envelope(_ digest: String) throws(FileError) -> [UInt8] {
        try FileBytes.read(envelopePath(digest), limit: SignedEnvelope.largestBytes)
    }

    func saveEnvelope(_ bytes: [UInt8], _ digest: String) throws(FileError) {
        try AtomicFile.write(bytes, to: envelopePath(digest), like: envelopePath(digest))
    }

    /// A roll-out with its envelope's label. The signature was valid at the start and is checked against the keys again.
    func entry(_ digest: String, _ content: FleetFolder.Content) throws -> RolloutBook.Entry {
        let rollout = try read(digest)
        let text = try envelope(digest)
        let label = try VerifyCommand.label(of: text, content)
        guard label.digest == digest else {
            throw FileError("read", envelopePath(digest), reason: "it is another envelope than its name says")
        }
        return RolloutBook.Entry(rollout, for: label.selector, expires: label.expires)
    }
}
