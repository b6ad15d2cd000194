package import Glibc

/// A daemon's state directory, opened once: everything in it is reached through that descriptor, so that a directory that
/// replaces it later does not matter. Root works here in a directory of the daemon's user: links in it are not followed, and new
/// files are given to that user.
package final class StateDirectory: Sendable {
    package typealias Owner = (user: uid_t, group: gid_t)

    /// The path for sentences, and for calls without a descriptor.
    package let path: String
    package let raw: Int32
    package let owner: Owner

    /// Opens the directory that the person names or that this machine's rules determine; created if need be. A link to it was
    /// made by the machine's administrator.
    package static func open(_ path: String) throws(FileError) -> StateDirectory {
        if !Directories.isDirectory(path) { try Directories.make(path) }
        return try StateDirectory(path, try open(path, in: AT_FDCWD, follow: true, shown: path))
    }

    /// Opens a directory that an answer on a socket names. The answer may come from an impostor, so the directory must prove to
    /// be a daemon's: it contains `adhand.lock`, a file of the directory's own owner. A directory of our own is trusted only if
    /// the answer is our own daemon's.
    /// - Parameter server: the user whose program listens on the socket.
    package static func open(reported path: String, by server: uid_t?) throws(FileError) -> StateDirectory {
        let directory = try StateDirectory(path, try open(path, in: AT_FDCWD, follow: true, shown: path))
        var lock = stat()
        guard unsafe fstatat(directory.raw, lockName, &lock, AT_SYMLINK_NOFOLLOW) == 0,
            lock.st_mode & S_IFMT == S_IFREG, lock.st_uid == directory.owner.user
        else {
            throw FileError("use", path, reason: "it is not the state directory of an adhand")
        }
        guard directory.owner.user != geteuid() || server == geteuid() else {
            throw FileError(
                "use", path, reason: "it is yours, and the adhand that names it is another user's")
        }
        return directory
    }

    /// The name of a running daemon's lock.
    private static let lockName = "adhand.lock"

    private init(_ path: String, _ descriptor: consuming OwnedDescriptor) throws(FileError) {
        self.path = path
        raw = descriptor.raw
        owner = try Self.owner(of: descriptor.raw, path)
        _ = descriptor.release()
    }

    deinit {
        close(raw)
    }

    /// Whether something exists under this name, even a dangling link.
    package func holds(_ name: String) -> Bool {
        var status = stat()
        return unsafe fstatat(raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    // MARK: - Descriptors

    package static func open(
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

    package static func owner(of descriptor: Int32, _ path: String) throws(FileError) -> Owner {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("open", path, code: errno) }
        return (status.st_uid, status.st_gid)
    }

    /// Gives a file to the directory's owner. Only root can; any other user owns the directory, or shares it by its group.
    package static func setOwner(
        of descriptor: Int32, to owner: Owner, mode: mode_t, _ path: String
    ) throws(FileError) {
        if geteuid() == 0, fchown(descriptor, owner.user, owner.group) != 0 {
            throw FileError("change the owner of", path, code: errno)
        }
        // Set regardless of the umask: the daemon must be able to read it.
        guard fchmod(descriptor, mode) == 0 else {
            throw FileError("change the mode of", path, code: errno)
        }
    }

    /// Seconds to wait for another adhanctl, which holds the lock only briefly.
    private static let patienceSeconds = 10.0

    /// Locks the directory; the caller unlocks, or closes the descriptor.
    package static func lock(_ descriptor: Int32, _ path: String) throws(FileError) {
        let deadline = MonotonicClock.now() + patienceSeconds
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            // Some network file systems have no locks: no waiting is possible then.
            if code == ENOLCK || code == EOPNOTSUPP { break }
            guard code == EWOULDBLOCK || code == EINTR else { throw FileError("lock", path, code: code) }
            guard MonotonicClock.now() < deadline else {
                throw FileError("lock", path, reason: "another program holds it")
            }
            usleep(20_000)
        }
    }
}
