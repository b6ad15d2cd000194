import AdhanCore
import Glibc
import Host

/// The strict table on disk: `timetable.csv`, and what was there before the last change.
struct TimetableStore: ~Copyable {
    let path: String
    private let directory: OwnedDescriptor
    private let owner: (user: uid_t, group: gid_t)

    private static let current = TimetableFile.name
    private static let previous = "timetable.previous.csv"
    private static let temporary = ".timetable.new"

    /// To change it; makes the directory if need be. Other programs that change it wait until this value goes.
    static func open(in stateDirectory: String) throws(CommandError) -> TimetableStore {
        do throws(FileError) {
            if !Directories.isDirectory(stateDirectory) { try Directories.make(stateDirectory) }
            let directory = try StateDirectory.open(
                stateDirectory, in: AT_FDCWD, follow: true, shown: stateDirectory)
            let owner = try StateDirectory.owner(of: directory.raw, stateDirectory)
            // A descriptor of its own: the lock goes with it.
            return TimetableStore(path: stateDirectory, directory: directory, owner: owner)
        } catch {
            throw CommandError(sounds: error)
        }
    }

    private init(path: String, directory: consuming OwnedDescriptor, owner: (user: uid_t, group: gid_t)) {
        self.path = path
        self.directory = directory
        self.owner = owner
    }

    /// What is in force; empty where there is none.
    static func read(in stateDirectory: String) throws(CommandError) -> PublishedTable {
        try table(current, in: stateDirectory)
    }

    private static func table(_ name: String, in directory: String) throws(CommandError) -> PublishedTable {
        do throws(TimetableFile.Fault) {
            return try TimetableFile.read(name, in: directory)
        } catch {
            switch error {
            case .file(let error): throw CommandError(sounds: error)
            case .mistakes(let error):
                guard let first = error.mistakes.first else {
                    throw CommandError(.invalidInput, error.message)
                }
                throw CommandError(first)
            }
        }
    }

    /// Changes what is in force and keeps what was, for ``undo()``: whole or not at all.
    borrowing func change(_ edit: (inout PublishedTable) -> Void) throws(CommandError) {
        do throws(FileError) { try StateDirectory.lock(directory.raw, path) } catch {
            throw CommandError(sounds: error)
        }
        defer { flock(directory.raw, LOCK_UN) }
        var table = try Self.read(in: path)
        let before = table
        edit(&table)
        try write([(Self.previous, before), (Self.current, table)])
    }

    /// Puts back what was before the last change. Done twice, nothing has changed.
    borrowing func undo() throws(CommandError) -> PublishedTable {
        do throws(FileError) { try StateDirectory.lock(directory.raw, path) } catch {
            throw CommandError(sounds: error)
        }
        defer { flock(directory.raw, LOCK_UN) }
        guard Environment.process.exists("\(path)/\(Self.previous)") else {
            throw CommandError(.failed, "there is nothing to undo: no timetable was imported or removed")
        }
        let before = try Self.table(Self.previous, in: path)
        let current = try Self.read(in: path)
        try write([(Self.previous, current), (Self.current, before)])
        return before
    }

    private borrowing func write(_ tables: [(String, PublishedTable)]) throws(CommandError) {
        do throws(FileError) {
            for (name, table) in tables { try write(Array(table.csv().utf8), to: name) }
            fsync(directory.raw)
        } catch {
            throw CommandError(sounds: error)
        }
    }

    private borrowing func write(_ bytes: [UInt8], to name: String) throws(FileError) {
        // Under the lock, one that is there was left by a program that was killed.
        _ = unsafe unlinkat(directory.raw, Self.temporary, 0)
        let raw = unsafe openat(
            directory.raw, Self.temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        let shown = "\(path)/\(name)"
        guard raw >= 0 else { throw FileError("write", shown, code: errno) }
        let file = OwnedDescriptor(raw)
        do throws(FileError) {
            try StateDirectory.give(file.raw, to: owner, mode: 0o644, shown)
            if let code = OwnedDescriptor.write(bytes, to: file.raw) {
                throw FileError("write", shown, code: code)
            }
            guard fsync(file.raw) == 0 || errno == EINVAL || errno == EROFS else {
                throw FileError("write", shown, code: errno)
            }
            guard unsafe renameat(directory.raw, Self.temporary, directory.raw, name) == 0 else {
                throw FileError("replace", shown, code: errno)
            }
        } catch {
            _ = unsafe unlinkat(directory.raw, Self.temporary, 0)
            throw error
        }
    }
}
