internal import CommandKit
internal import Envelope
internal import FleetPlan
internal import Glibc
internal import Host
internal import Signature
internal import Texts

/// `enrol/` in the fleet's folder: the invitation, the boxes that it admitted and those that wait, in two identical files.
/// `passwords` is the broker's file. This program changes it in place, because the broker and the units have it open by its
/// name and its inode.
struct EnrolFolder: Sendable {
    let path: String
    let passwords: String

    /// The broker user with whose password boxes ask to be admitted.
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

    /// Runs work that reads and rewrites the files under a lock.
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

    private static let stateName = "state.json"
    private static let asideMark = ".broken-"
    private static let goneEnd = ".gone"

    private var state: String { "\(path)/\(Self.stateName)" }
    private var copy: String { path + "/state.copy.json" }

    /// - Parameter wasThere: whether this program has already seen a list there.
    func read(wasThere: Bool = false) throws(FileError) -> EnrolRecord {
        EnrolRecord(
            file: try content(of: state), copy: try content(of: copy),
            wasThere: wasThere || !brokenFiles().isEmpty)
    }

    /// Reads a file of the folder without following links: the service owns the folder and root reads it, so a link could lead
    /// to a file that the service must not see.
    /// - Returns: `nil` where there is no such file.
    private func content(of file: String) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            return try FileBytes.read(file, limit: Self.mostBytes, followsLink: false)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// Writes both files before the broker learns of the decision. A damaged file is kept under another name.
    /// - Parameter record: the files as they were read before the change.
    func save(_ desk: EnrolDesk, over record: EnrolRecord) throws(FileError) {
        let bytes: [UInt8]
        do { bytes = try JSON.encode(desk) } catch {
            throw FileError("write", state, reason: "it has no form as JSON")
        }
        switch record.loss {
        case nil: break
        case .damaged: try setAside(state)
        case .gone:
            let note = "state.json was gone, and a new one took its place.\n"
            try AtomicFile.write(Array(note.utf8), to: state + Self.goneEnd, like: copy)
        }
        if record.isForgotten { try setAside(copy) }
        try AtomicFile.write(bytes, to: copy, like: copy)
        try AtomicFile.write(bytes, to: state, like: state)
    }

    /// Copies the file instead of moving it, so that its name exists until the new file replaces it.
    private func setAside(_ file: String) throws(FileError) {
        guard let bytes = try content(of: file) else { return }
        let names = (1...99).map { "\(file)\(Self.asideMark)\($0)" }
        guard let aside = names.first(where: { unsafe access($0, F_OK) != 0 }) else {
            throw FileError(
                "set aside", file, reason: "\(names.count) damaged ones are there already; remove them")
        }
        try AtomicFile.write(bytes, to: aside, like: file)
    }

    /// Copies of damaged lists and traces of lost ones, as names in the fleet's folder. A person removes them.
    func brokenFiles() -> [String] {
        guard let names = try? Directories.names(in: path) else { return [] }
        return names.filter { name in
            name.hasPrefix("state.") && !name.hasSuffix(".new")
                && (name.contains(Self.asideMark) || name.hasSuffix(Self.goneEnd))
        }.map { "enrol/\($0)" }
    }

    /// Describes a list that is damaged now and the traces of earlier damage.
    func complaints() -> [String] {
        let now = (try? read())?.complaint
        return [now].compactMap(\.self) + brokenFiles().map { FleetWatch.Damage.enrolment.sentence($0) }
    }

    /// The version of the list on disk, which changes with each save.
    func stamp() -> FileStamp? { FileStamp(state) }

    // MARK: The broker's file

    /// Sets or removes users' lines, `NAME:HASH`, and leaves the lines of other users alone.
    /// - Parameter hashes: `nil` removes a user.
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
        // The new content is on disk before the file is touched, so the next change completes one that a power cut interrupted.
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
        guard let bytes = try content(of: draft) else { return }
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

/// Identifies a version of a file without reading its content.
struct FileStamp: Equatable {
    private let inode: UInt64
    private let bytes: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// `nil` where there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        (inode, bytes) = (UInt64(status.st_ino), Int64(status.st_size))
        (seconds, nanoseconds) = (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
    }
}
