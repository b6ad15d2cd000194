import CLinux
import Glibc
package import Host
import Protocol

/// The added sounds on disk: `NAME/adhan.mp3`, `NAME/fajr.mp3` and their measurements.
///
/// Works on open directories and follows no link in them: root writes here into a directory of the daemon's user,
/// who must not be able to redirect it. New files belong to that directory's owner.
package struct SoundStore: ~Copyable {
    let path: String
    package let directory: OwnedDescriptor
    /// The owner of the sounds.
    let owner: StateDirectory.Owner

    /// Opens the directory; makes it if necessary.
    package static func open(in place: StatePlace) throws(CommandError) -> SoundStore {
        do throws(FileError) {
            let state = try place.toChange()
            let path = state.path + "/sounds"
            let isNew = unsafe mkdirat(state.raw, "sounds", 0o755) == 0
            if !isNew, errno != EEXIST { throw FileError("create", path, code: errno) }
            let directory = try StateDirectory.open("sounds", in: state.raw, follow: false, shown: path)
            if isNew {
                try StateDirectory.setOwner(of: directory.raw, to: state.owner, mode: 0o755, path)
            }
            let owner = try StateDirectory.owner(of: directory.raw, path)
            return SoundStore(path: path, directory: directory, owner: owner)
        } catch {
            throw CommandError(error)
        }
    }

    private init(path: String, directory: consuming OwnedDescriptor, owner: StateDirectory.Owner) {
        self.path = path
        self.directory = directory
        self.owner = owner
    }

    /// Whether a file of this name exists: `NAME/adhan.mp3` or `NAME.mp3`.
    borrowing func holds(_ file: String) -> Bool {
        unsafe faccessat(directory.raw, file, F_OK, 0) == 0
    }

    /// Makes a new temporary file, after removing those that killed runs left.
    borrowing func draft() throws(FileError) -> SoundDraft {
        try locked { () throws(FileError) in
            try removeStale()
            return try newDraft(Self.temporaryPrefix + "\(getpid())-\(UInt32.random(in: 0 ... .max))")
        }
    }

    private static let temporaryPrefix = ".adding-"

    /// Moves a finished draft to its place with its measurement; on failure the earlier ones stay.
    borrowing func keep(
        _ draft: borrowing SoundDraft, as file: SoundFilePlace, _ measured: SoundMeasurement,
        unless isTaken: () -> CommandError?
    ) throws(CommandError) {
        var refusal: CommandError?
        do throws(FileError) {
            try locked { () throws(FileError) in
                refusal = isTaken()
                if refusal == nil { try put(draft, file, measured) }
            }
        } catch {
            throw CommandError(error)
        }
        if let refusal { throw refusal }
    }

    private borrowing func put(
        _ draft: borrowing SoundDraft, _ file: SoundFilePlace, _ measured: SoundMeasurement
    ) throws(FileError) {
        let side = try newDraft(draft.name + "-measured")
        guard let bytes = try? measured.fileBytes() else {
            throw FileError("write to", path, reason: "the measurement has no text form")
        }
        try side.write(bytes)
        try side.sync()
        let made = unsafe mkdirat(directory.raw, file.name, 0o755) == 0
        if !made, errno != EEXIST { throw FileError("create", "\(path)/\(file.name)", code: errno) }
        do throws(FileError) {
            let folder = try StateDirectory.open(
                file.name, in: directory.raw, follow: false, shown: "\(path)/\(file.name)")
            if made {
                try StateDirectory.setOwner(of: folder.raw, to: owner, mode: 0o755, "\(path)/\(file.name)")
            }
            let sidecar = SoundMeasurement.path(of: file.file)
            // The earlier measurement waits aside until the recording is replaced, and returns if that fails.
            let earlier = draft.name + "-earlier"
            let hasEarlier = unsafe renameat(folder.raw, sidecar, directory.raw, earlier) == 0
            do throws(FileError) {
                // Write the measurement first, because it is ignored beside an older recording.
                try side.move(to: sidecar, in: folder.raw)
                try draft.move(to: file.file, in: folder.raw)
            } catch {
                _ = unsafe unlinkat(folder.raw, sidecar, 0)
                if hasEarlier { _ = unsafe renameat(directory.raw, earlier, folder.raw, sidecar) }
                throw error
            }
            if hasEarlier { _ = unsafe unlinkat(directory.raw, earlier, 0) }
            for descriptor in [folder.raw, directory.raw] { fsync(descriptor) }
        } catch {
            if made { _ = unsafe unlinkat(directory.raw, file.name, AT_REMOVEDIR) }
            throw error
        }
    }

    /// Removes files with their measurements, and folders that become empty. `files`: `NAME/fajr.mp3` or `NAME.mp3`.
    borrowing func remove(_ files: [String]) throws(CommandError) {
        do throws(FileError) {
            try locked { () throws(FileError) in
                for file in files { try remove(file) }
                fsync(directory.raw)
            }
        } catch {
            throw CommandError(error)
        }
    }

    private borrowing func remove(_ file: String) throws(FileError) {
        let parts = file.split(separator: "/").map(String.init)
        let shown = "\(path)/\(file)"
        guard let name = parts.last, parts.count <= 2 else {
            throw FileError("remove", shown, reason: "it lies too deep; remove it by hand")
        }
        let folder = try StateDirectory.open(
            parts.count == 2 ? parts[0] : ".", in: directory.raw, follow: false, shown: shown)
        guard unsafe unlinkat(folder.raw, name, 0) == 0 || errno == ENOENT else {
            throw FileError("remove", shown, code: errno)
        }
        _ = unsafe unlinkat(folder.raw, SoundMeasurement.path(of: name), 0)
        fsync(folder.raw)
        if parts.count == 2 { _ = unsafe unlinkat(directory.raw, parts[0], AT_REMOVEDIR) }
    }

    private borrowing func newDraft(_ name: String) throws(FileError) -> SoundDraft {
        Interruption.began(name)
        do throws(FileError) {
            let draft = SoundDraft(
                try DirectoryDraft.create(
                    name, in: directory.raw, owner: owner, shown: path, verb: "write to"),
                place: path)
            // Hold the lock until the program ends: it distinguishes a file that is being written from one that was left.
            flock(draft.raw, LOCK_EX | LOCK_NB)
            return draft
        } catch {
            Interruption.finished(name)
            throw error
        }
    }

    private borrowing func removeStale() throws(FileError) {
        // List the open directory, whatever its path refers to now.
        let names = try Directories.names(in: "/proc/self/fd/\(directory.raw)")
        for name in names where name.hasPrefix(Self.temporaryPrefix) {
            let raw = unsafe openat(directory.raw, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard raw >= 0 else { continue }
            let file = OwnedDescriptor(raw)
            if flock(file.raw, LOCK_EX | LOCK_NB) == 0 { _ = unsafe unlinkat(directory.raw, name, 0) }
        }
    }

    private borrowing func locked<Value: ~Copyable>(
        _ work: () throws(FileError) -> Value
    ) throws(FileError) -> Value {
        try StateDirectory.lock(directory.raw, path)
        defer { flock(directory.raw, LOCK_UN) }
        return try work()
    }
}
