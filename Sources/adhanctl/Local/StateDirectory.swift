import Glibc
import Host

/// The daemon's directory, as root works in it: by descriptors, following no link that the daemon's user may have made, and
/// giving away to that user what is new.
enum StateDirectory {
    /// The directory itself, which is made if need be. A link to it was made by whoever set the machine up.
    static func open(_ path: String) throws(FileError) -> OwnedDescriptor {
        if !Directories.isDirectory(path) { try Directories.make(path) }
        return try open(path, in: AT_FDCWD, follow: true, shown: path)
    }

    static func open(
        _ name: String, in directory: Int32, follow: Bool, shown: String
    ) throws(FileError) -> OwnedDescriptor {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW)
        let raw = unsafe openat(directory, name, flags)
        guard raw < 0 else { return OwnedDescriptor(raw) }
        let code = errno
        if code == ELOOP || code == ENOTDIR {
            throw FileError("use", shown, reason: "it is not a directory of its own, but a link or a file")
        }
        throw FileError("open", shown, code: code)
    }

    static func owner(of descriptor: Int32, _ path: String) throws(FileError) -> (user: uid_t, group: gid_t) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("open", path, code: errno) }
        return (status.st_uid, status.st_gid)
    }

    /// Only root can give files away; anybody else owns the directory, or shares it by its group.
    static func give(
        _ descriptor: Int32, to owner: (user: uid_t, group: gid_t), mode: mode_t, _ path: String
    ) throws(FileError) {
        if geteuid() == 0, fchown(descriptor, owner.user, owner.group) != 0 {
            throw FileError("change the owner of", path, code: errno)
        }
        // Whatever the umask is: the daemon must be able to read it.
        guard fchmod(descriptor, mode) == 0 else {
            throw FileError("change the mode of", path, code: errno)
        }
    }

    /// Seconds to wait for another adhanctl, which holds the lock for a moment only.
    private static let patience = 10.0

    /// The caller unlocks, or closes the descriptor.
    static func lock(_ descriptor: Int32, _ path: String) throws(FileError) {
        let deadline = WallClock.monotonic() + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            // Some network file systems know no locks: then nobody else is waited for.
            if code == ENOLCK || code == EOPNOTSUPP { break }
            guard code == EWOULDBLOCK || code == EINTR else { throw FileError("lock", path, code: code) }
            guard WallClock.monotonic() < deadline else {
                throw FileError("lock", path, reason: "another program holds it")
            }
            usleep(20_000)
        }
    }
}
