internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host
internal import Signature
internal import Texts

/// `enrol/` below the fleet's folder: the invitation, the boxes that came by it, and those that wait. Beside it `passwords`, the
/// broker's file, which this program changes in place: the broker and the units have it open by its name and its inode.
struct EnrolFolder: Sendable {
    let path: String
    let passwords: String

    /// The user with whose word boxes ask.
    static let user = "enrol"

    init(_ folder: FleetFolder) { (path, passwords) = (folder.path + "/enrol", folder.path + "/passwords") }

    private static let mostBytes = 64 << 20
    private static let patienceSeconds = 10.0

    func make() throws(FleetError) {
        if unsafe mkdir(path, 0o755) != 0, errno != EEXIST {
            throw FleetError(.failed, FileError("create", path, code: errno).message)
        }
    }

    var isThere: Bool { unsafe access(path, F_OK) == 0 }

    /// Files are read and written again while nobody else does so.
    func edit<Result>(_ work: () throws(FileError) -> Result) throws(FileError) -> Result {
        guard let lock = try LockFile.acquire(path + "/edit.lock", patienceSeconds: Self.patienceSeconds)
        else {
            throw FileError("lock", path, reason: "another program has been changing it for long")
        }
        defer { lock.release() }
        try finishPasswords()
        return try work()
    }

    // MARK: The desk

    private var state: String { path + "/state.json" }

    func read() throws(FileError) -> EnrolDesk {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try FileBytes.read(state, limit: Self.mostBytes) } catch {
            guard error.isMissing else { throw error }
            return EnrolDesk()
        }
        guard let desk = try? JSON.decode(EnrolDesk.self, from: bytes) else {
            throw FileError("read", state, reason: "it is damaged, or of another version")
        }
        return desk
    }

    func save(_ desk: EnrolDesk) throws(FileError) {
        let bytes: [UInt8]
        do { bytes = try JSON.encode(desk) } catch {
            throw FileError("write", state, reason: "it has no form as JSON")
        }
        try AtomicFile.write(bytes, to: state, like: state)
    }

    // MARK: The broker's file

    /// One line for each user, `NAME:HASH`; those of others stay as they are.
    /// - Parameter hashes: `nil` takes a user out.
    func change(_ hashes: [String: String?]) throws(FileError) {
        let old = try lines()
        var new = old.filter { line in
            line.prefix { $0 != ":" }.isEmpty || hashes[String(line.prefix { $0 != ":" })] == nil
        }
        for (user, hash) in hashes.sorted(by: { $0.key < $1.key }) {
            if let hash { new.append("\(user):\(hash)") }
        }
        guard new != old else { return }
        let bytes = Array(new.map { $0 + "\n" }.joined().utf8)
        // The new content stands on the disk before the file is touched: a power cut in between is made good by the next change.
        try AtomicFile.replace(draft, mode: 0o600) { draft throws(FileError) in try draft.write(bytes) }
        try finishPasswords()
    }

    func users() throws(FileError) -> Set<String> {
        Set(try lines().map { line in String(line.prefix { $0 != ":" }) })
    }

    private func lines() throws(FileError) -> [String] {
        do throws(FileError) {
            let bytes = try FileBytes.read(passwords, limit: Self.mostBytes)
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        } catch {
            guard error.isMissing else { throw error }
            return []
        }
    }

    private var draft: String { path + "/passwords.new" }

    private func finishPasswords() throws(FileError) {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try FileBytes.read(draft, limit: Self.mostBytes) } catch {
            guard error.isMissing else { throw error }
            return
        }
        let raw = unsafe open(passwords, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard raw >= 0 else { throw FileError("write", passwords, code: errno) }
        let file = OwnedDescriptor(raw)
        guard ftruncate(file.raw, 0) == 0 else { throw FileError("write", passwords, code: errno) }
        if let code = OwnedDescriptor.write(bytes, to: file.raw) {
            throw FileError("write", passwords, code: code)
        }
        guard fsync(file.raw) == 0 else { throw FileError("write", passwords, code: errno) }
        unsafe unlink(draft)
    }
}
