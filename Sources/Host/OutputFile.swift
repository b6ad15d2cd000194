internal import Glibc

/// A file that a person requested: a report, a chart. Root may write it in another user's directory, where a link may be under
/// its name or in its path: such links are not followed, and only this user can read the file.
package enum OutputFile {
    private static let mode: mode_t = 0o600

    /// Writes a file that does not exist yet. A link under its name counts as a file, wherever it leads.
    package static func create(_ bytes: [UInt8], at path: String) throws(FileError) {
        let directory = try OutputDirectory.open(of: path)
        try create(bytes, directory.name, in: directory.raw, path)
    }

    /// Writes a file, also over an existing one, which is replaced as a whole, so that neither its owner nor processes that have
    /// it open can read the new one.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        let directory = try OutputDirectory.open(of: path)
        var status = stat()
        guard unsafe fstatat(directory.raw, directory.name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw FileError("write", path, code: errno) }
            return try create(bytes, directory.name, in: directory.raw, path)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: try replace(bytes, directory.name, in: directory.raw, path)
        // Only root can create a device. A terminal or /dev/null must not be replaced by a file.
        case S_IFCHR:
            let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY
            let file = try open(directory.name, in: directory.raw, flags, path)
            try write(bytes, to: file.raw, path)
        case S_IFDIR: throw FileError("write", path, code: EISDIR)
        case S_IFLNK:
            throw FileError("write", path, reason: "it is a symbolic link; name the file itself")
        default: throw FileError("write", path, reason: "it is not a regular file")
        }
    }

    private static func create(
        _ bytes: [UInt8], _ name: String, in directory: Int32, _ path: String
    ) throws(FileError) {
        let file = try open(name, in: directory, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, path)
        do throws(FileError) {
            guard fchmod(file.raw, mode) == 0 else { throw FileError("write", path, code: errno) }
            try write(bytes, to: file.raw, path)
            guard fsync(file.raw) == 0 || errno == EINVAL || errno == EROFS else {
                throw FileError("write", path, code: errno)
            }
        } catch {
            // Half a report is worse than none.
            _ = unsafe unlinkat(directory, name, 0)
            throw error
        }
    }

    private static func replace(
        _ bytes: [UInt8], _ name: String, in directory: Int32, _ path: String
    ) throws(FileError) {
        let draft = "\(name).new-\(getpid())"
        _ = unsafe unlinkat(directory, draft, 0)
        try create(bytes, draft, in: directory, path)
        guard unsafe renameat(directory, draft, directory, name) == 0 else {
            let code = errno
            _ = unsafe unlinkat(directory, draft, 0)
            throw FileError("replace", path, code: code)
        }
    }

    private static func open(
        _ name: String, in directory: Int32, _ flags: Int32, _ path: String
    ) throws(FileError) -> OwnedDescriptor {
        let raw = unsafe openat(directory, name, flags, mode)
        guard raw >= 0 else { throw FileError("write", path, code: errno) }
        return OwnedDescriptor(raw)
    }

    private static func write(_ bytes: [UInt8], to raw: Int32, _ path: String) throws(FileError) {
        if let code = OwnedDescriptor.write(bytes, to: raw) { throw FileError("write", path, code: code) }
    }
}
