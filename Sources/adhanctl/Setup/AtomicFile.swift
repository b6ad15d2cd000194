import Glibc
import Host

/// Files that are there whole or not at all.
enum AtomicFile {
    /// Writes a new file beside `path` and renames it over it, each step down to the disk. Mode and owner are those of the
    /// file `model` where that exists, else readable for all.
    static func write(_ bytes: [UInt8], to path: String, like model: String) throws(FileError) {
        let temporary = "\(path).new-\(getpid())"
        do throws(FileError) {
            try fill(temporary, bytes, like: model)
            guard unsafe rename(temporary, path) == 0 else { throw FileError("replace", path, code: errno) }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
        let slash = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        // That the name is safe, too. Where a file system knows no such thing, the rename is all there is.
        let directory = unsafe open(slash.isEmpty ? "/" : slash, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        let owned = OwnedDescriptor(directory)
        fsync(owned.raw)
    }

    private static func fill(_ path: String, _ bytes: [UInt8], like model: String) throws(FileError) {
        unsafe unlink(path)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw FileError("write", path, code: errno) }
        let file = OwnedDescriptor(descriptor)
        var status = stat()
        if unsafe stat(model, &status) == 0 {
            // Only root may give a file away; anybody else's file is their own already.
            _ = fchown(file.raw, status.st_uid, status.st_gid)
            fchmod(file.raw, status.st_mode & 0o777)
        } else {
            fchmod(file.raw, 0o644)
        }
        if let code = FileDescriptor.write(bytes, to: file.raw) { throw FileError("write", path, code: code) }
        guard fsync(file.raw) == 0 else { throw FileError("write", path, code: errno) }
    }
}
