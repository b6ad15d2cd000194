import Glibc
import Host
import Protocol
import Texts

/// The folder in which uploaded files wait for their check. One program works in it at a time, and removes the files that
/// a killed program left.
struct IntakeSpool: ~Copyable {
    private let directory: OwnedDescriptor
    private let owner: StateDirectory.Owner
    private let path: String

    private static let upload = "upload"
    private static let table = "timetable"
    private static let pending = "timetable.json"

    /// - Returns: `nil` while another file is being received.
    static func open(in place: StatePlace) throws(FileError) -> IntakeSpool? {
        let state = try place.toChange()
        let path = state.path + "/intake"
        guard unsafe mkdirat(state.raw, "intake", 0o700) == 0 || errno == EEXIST else {
            throw FileError("create", path, code: errno)
        }
        let directory = try StateDirectory.open("intake", in: state.raw, follow: false, shown: path)
        guard flock(directory.raw, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw FileError("lock", path, code: errno) }
            return nil
        }
        let owner = try StateDirectory.owner(of: directory.raw, path)
        for name in [upload, pending + ".new"] { _ = unsafe unlinkat(directory.raw, name, 0) }
        return IntakeSpool(directory: directory, owner: owner, path: path)
    }

    private init(directory: consuming OwnedDescriptor, owner: StateDirectory.Owner, path: String) {
        self.directory = directory
        self.owner = owner
        self.path = path
    }

    /// Receives the caller's file; it is removed with the draft.
    borrowing func receive(
        _ request: IntakeRequest, from connection: inout IntakeConnection
    ) throws(IntakeError) -> DirectoryDraft {
        let draft = try draft(Self.upload)
        try connection.file(of: request) { part throws(FileError) in try draft.write(part) }
        return draft
    }

    /// The full path of a draft, for code that opens files by name.
    borrowing func path(of draft: borrowing DirectoryDraft) -> String { "\(path)/\(draft.name)" }

    private borrowing func draft(_ name: String) throws(IntakeError) -> DirectoryDraft {
        do throws(FileError) {
            return try DirectoryDraft.create(name, in: directory.raw, owner: owner, shown: path)
        } catch {
            throw IntakeError(error)
        }
    }

    // MARK: - The timetable with open questions

    /// Keeps the file until it is imported or another one arrives.
    borrowing func keep(_ draft: borrowing DirectoryDraft, _ request: IntakeRequest) throws(IntakeError) {
        try move(draft, to: Self.table)
        try keep(request)
    }

    borrowing func keep(_ request: IntakeRequest) throws(IntakeError) {
        let side = try draft(Self.pending + ".new")
        do throws(FileError) {
            guard let bytes = try? JSON.encode(request) else { return }
            try side.write(bytes)
        } catch {
            throw IntakeError(error)
        }
        try move(side, to: Self.pending)
    }

    private borrowing func move(_ draft: borrowing DirectoryDraft, to name: String) throws(IntakeError) {
        do throws(FileError) {
            try draft.sync()
            try draft.move(to: name, in: directory.raw, shown: "\(path)/\(name)")
        } catch {
            throw IntakeError(error)
        }
    }

    /// The kept file, and the answers up to now.
    borrowing func pending() throws(IntakeError) -> (bytes: [UInt8], request: IntakeRequest) {
        do throws(FileError) {
            let bytes = try FileBytes.read(
                "\(path)/\(Self.table)", limit: IntakeRequest.Act.timetable.mostBytes)
            let head = try FileBytes.read("\(path)/\(Self.pending)", limit: IntakeRequest.mostHeadBytes)
            if let request = try? JSON.decode(IntakeRequest.self, from: head) { return (bytes, request) }
        } catch {
            guard error.code == ENOENT else { throw IntakeError(error) }
        }
        throw IntakeError(
            IntakeReply("there is no timetable to decide about; send it again", error: .refused))
    }

    borrowing func forget() {
        for name in [Self.table, Self.pending] { _ = unsafe unlinkat(directory.raw, name, 0) }
    }
}
