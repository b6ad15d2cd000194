import CommandKit
import Glibc
import Host
package import Times

/// The strict table on disk: `timetable.csv`, and the table from before the last change.
package struct TimetableStore: ~Copyable {
    private let directory: StateDirectory
    private var path: String { directory.path }

    private static let current = TimetableFile.name
    private static let previous = TimetableFile.previous
    private static let broken = "timetable.broken.csv"
    private static let temporary = ".timetable.new"
    private static let otherTemporary = ".timetable.previous.new"

    /// Opens the store for a change; makes the directory if needed. Other programs wait with their changes until this value is
    /// released.
    package static func open(in place: StatePlace) throws(CommandError) -> TimetableStore {
        do throws(FileError) {
            return TimetableStore(directory: try place.toChange())
        } catch {
            throw CommandError(error)
        }
    }

    private init(directory: StateDirectory) {
        self.directory = directory
    }

    /// The commands to type if the timetable in force cannot be read.
    private static let wayOut =
        "; \"adhanctl timetable undo\" brings back the table before this one, \"adhanctl timetable remove\" sets it aside"

    private static func table(
        _ name: String, in directory: StateDirectory, advice: String = ""
    ) throws(CommandError) -> PublishedTimetable {
        do throws(TimetableFile.ReadError) {
            return try TimetableFile.read(name, in: directory)
        } catch {
            switch error {
            case .file(let error) where error.code == 0:
                throw CommandError(.invalidInput, error.message + advice)
            case .file(let error): throw CommandError(error)
            case .mistakes(let error):
                guard var first = error.mistakes.first else {
                    throw CommandError(.invalidInput, error.message + advice)
                }
                first.reason += advice
                throw CommandError(first)
            case .vanished, .cut: throw CommandError(.invalidInput, error.message)
            }
        }
    }

    /// Replaces the table in force and keeps the old one for ``undo()``, completely or not at all.
    package borrowing func change(_ edit: (inout PublishedTimetable) -> Void) throws(CommandError) {
        try lock()
        defer { flock(directory.raw, LOCK_UN) }
        // A table that has vanished cannot be kept, so the one before it remains for ``undo()``.
        let before = hasVanished ? nil : try Self.table(Self.current, in: directory, advice: Self.wayOut)
        var table = before ?? PublishedTimetable()
        edit(&table)
        try write(before.map { (Self.previous, $0) }, (Self.current, table))
    }

    /// Changes facts about the table in force. This is not an import, so ``undo()`` still restores the same earlier table.
    borrowing func amend(_ edit: (inout PublishedTimetable) -> Void) throws(CommandError) {
        try lock()
        defer { flock(directory.raw, LOCK_UN) }
        var table = try Self.table(Self.current, in: directory, advice: Self.wayOut)
        edit(&table)
        try write(nil, (Self.current, table))
    }

    /// The present files, for ``restore(_:)``.
    struct Snapshot {
        fileprivate var files: [(name: String, was: FileContent)]
    }

    borrowing func snapshot() -> Snapshot {
        Snapshot(
            files: [Self.current, Self.previous].map { name in
                (name, FileContent(name, in: directory, limit: PublishedTimetable.mostBytes))
            })
    }

    /// Restores the files if another part of the same command failed.
    borrowing func restore(_ snapshot: Snapshot) {
        guard (try? lock()) != nil else { return }
        defer { flock(directory.raw, LOCK_UN) }
        for (name, was) in snapshot.files {
            switch was {
            case .bytes(let bytes): try? write(bytes, to: name)
            case .none: _ = unsafe unlinkat(directory.raw, name, 0)
            case .unreadable: break
            }
        }
    }

    /// Replaces everything in force by `table`, and keeps the old table for ``undo()``. One that cannot be read is set aside.
    package borrowing func replace(with table: PublishedTimetable) throws(CommandError) {
        try lock()
        defer { flock(directory.raw, LOCK_UN) }
        let (before, damage) = readInForce()
        try write(before.map { (Self.previous, $0) }, (Self.current, table), settingAside: damage)
    }

    /// Removes the table; `nil` if the old one could not be read, in which case its file is set aside.
    package borrowing func clear() throws(CommandError) -> PublishedTimetable? {
        try lock()
        defer { flock(directory.raw, LOCK_UN) }
        let (before, damage) = readInForce()
        try write(
            before.map { (Self.previous, $0) }, (Self.current, PublishedTimetable()), settingAside: damage)
        return before
    }

    /// Restores the table from before the last change. Doing it twice changes nothing.
    package borrowing func undo() throws(CommandError) -> PublishedTimetable {
        try lock()
        defer { flock(directory.raw, LOCK_UN) }
        guard directory.holds(Self.previous) else {
            throw CommandError(.failed, "there is nothing to undo: no timetable was imported or removed")
        }
        let before = try Self.table(Self.previous, in: directory)
        let (current, damage) = readInForce()
        // If this is cut off between the two, the table before is in force, and the one that was undone is lost: not the other way
        // round.
        try write(
            current.map { _ in (Self.current, before) },
            current.map { (Self.previous, $0) } ?? (Self.current, before), settingAside: damage)
        return before
    }

    private var hasVanished: Bool {
        do throws(TimetableFile.ReadError) {
            _ = try TimetableFile.read(in: directory)
        } catch {
            if error.isLost { return true }
        }
        return false
    }

    private borrowing func lock() throws(CommandError) {
        do throws(FileError) { try StateDirectory.lock(directory.raw, path) } catch {
            throw CommandError(error)
        }
    }

    /// Reads the timetable in force. One that cannot be read must not block another, and is to be set aside.
    private borrowing func readInForce() -> (table: PublishedTimetable?, damage: TimetableFile.ReadError?) {
        do throws(TimetableFile.ReadError) {
            return (try TimetableFile.read(in: directory), nil)
        } catch {
            return (nil, error.isLost ? nil : error)
        }
    }

    /// Keeps the file that cannot be read, because it may still be wanted.
    private borrowing func setAside(_ damage: TimetableFile.ReadError) throws(FileError) {
        guard unsafe renameat(directory.raw, Self.current, directory.raw, Self.broken) == 0 else {
            throw FileError("set aside", "\(path)/\(Self.current)", code: errno)
        }
        StandardError.write("adhanctl: \(damage.message); it is kept as \"\(path)/\(Self.broken)\"")
    }

    private typealias Named = (name: String, table: PublishedTimetable)

    /// Puts tables into place, in this order. Both are on disk before the first is moved: a disk that is full changes nothing.
    private borrowing func write(
        _ first: Named?, _ last: Named, settingAside damage: TimetableFile.ReadError? = nil
    ) throws(CommandError) {
        do throws(FileError) {
            let draft = try draft(last.table.csv().utf8, of: last.name, as: Self.temporary)
            if let first {
                let other = try self.draft(first.table.csv().utf8, of: first.name, as: Self.otherTemporary)
                try move(other, to: first.name)
            }
            if let damage { try setAside(damage) }
            try move(draft, to: last.name)
            fsync(directory.raw)
        } catch {
            throw CommandError(error)
        }
    }

    private borrowing func write(_ bytes: [UInt8], to name: String) throws(FileError) {
        try move(try draft(bytes, of: name, as: Self.temporary), to: name)
    }

    private borrowing func draft(
        _ bytes: some Sequence<UInt8>, of name: String, as temporary: String
    ) throws(FileError) -> DirectoryDraft {
        // We hold the lock, so an existing draft was left by a killed program.
        _ = unsafe unlinkat(directory.raw, temporary, 0)
        let draft = try DirectoryDraft.create(
            temporary, in: directory.raw, owner: directory.owner, shown: "\(path)/\(name)")
        try draft.write(Array(bytes))
        try draft.sync()
        return draft
    }

    private borrowing func move(_ draft: borrowing DirectoryDraft, to name: String) throws(FileError) {
        try draft.move(to: name, in: directory.raw, shown: "\(path)/\(name)")
    }
}
