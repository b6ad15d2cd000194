internal import Glibc

/// A file that a person asked for: a report, a chart. Root may write it in a directory of somebody else's, who may have put a
/// link under its name: no link is followed, and what is written is readable by this user alone.
package enum OutputFile {
    private static let mode: mode_t = 0o600

    /// Writes a file that is not there yet. A link under its name counts as a file, wherever it leads.
    package static func create(_ bytes: [UInt8], at path: String) throws(FileError) {
        let raw = try open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW)
        let file = OwnedDescriptor(raw)
        do throws(FileError) {
            guard fchmod(file.raw, mode) == 0 else { throw FileError("write", path, code: errno) }
            try write(bytes, to: file.raw, path)
        } catch {
            // Half a report is worse than none.
            unsafe unlink(path)
            throw error
        }
    }

    /// Writes a file, also in place of one that is there: that one is replaced as a whole, so that neither its owner nor those
    /// who have it open can read the new one.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileError("write", path, code: errno) }
            return try create(bytes, at: path)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            try AtomicFile.replace(path, mode: mode) { draft throws(FileError) in try draft.write(bytes) }
        // Only root can make a device. A terminal or /dev/null must not be replaced by a file.
        case S_IFCHR:
            let file = OwnedDescriptor(try open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY))
            try write(bytes, to: file.raw, path)
        case S_IFDIR: throw FileError("write", path, code: EISDIR)
        case S_IFLNK:
            throw FileError("write", path, reason: "it is a symbolic link; name the file itself")
        default: throw FileError("write", path, reason: "it is not a regular file")
        }
    }

    private static func open(_ path: String, _ flags: Int32) throws(FileError) -> Int32 {
        guard !path.utf8.contains(0) else {
            throw FileError("write", path, reason: "the path contains a NUL character")
        }
        let raw = unsafe Glibc.open(path, flags, mode)
        guard raw >= 0 else { throw FileError("write", path, code: errno) }
        return raw
    }

    private static func write(_ bytes: [UInt8], to raw: Int32, _ path: String) throws(FileError) {
        if let code = OwnedDescriptor.write(bytes, to: raw) { throw FileError("write", path, code: code) }
    }
}
