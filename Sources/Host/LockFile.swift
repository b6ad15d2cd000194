internal import Glibc

/// A lock file: only one program at a time holds it while it changes other files. The system releases it when its holder ends in
/// any way, so a killed program blocks no other.
package final class LockFile {
    private let path: String
    private let descriptor: OwnedDescriptor

    private init(_ path: String, _ descriptor: consuming OwnedDescriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// - Parameter patienceSeconds: how long to wait for the present holder.
    /// - Returns: `nil` when another program holds it for longer.
    package static func acquire(_ path: String, patienceSeconds: Double) throws(FileError) -> LockFile? {
        let deadline = MonotonicClock.now() + patienceSeconds
        while true {
            let file = try open(path)
            if try lock(file.raw, path) {
                // The holder removes the file, so a waiter may have locked a file that no longer has a name.
                if isStill(file.raw, at: path) { return LockFile(path, file) }
                continue
            }
            guard MonotonicClock.now() < deadline else { return nil }
            usleep(20_000)
        }
    }

    /// Releases the lock. Call it before the last reference is released, so that the lock is held for as long as it is needed.
    package func release() {
        if Self.isStill(descriptor.raw, at: path) { unsafe unlink(path) }
        flock(descriptor.raw, LOCK_UN)
    }

    /// Opens the lock. Only users who may write in the directory may open it: a reader could hold it for ever.
    private static func open(_ path: String) throws(FileError) -> OwnedDescriptor {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        while true {
            let made = unsafe Glibc.open(path, flags | O_CREAT | O_EXCL, 0o600)
            if made >= 0 {
                let file = OwnedDescriptor(made)
                // The owner of the directory must be able to remove a lock that root made in it.
                var parent = stat()
                if geteuid() == 0, unsafe stat(Directories.parent(of: path), &parent) == 0 {
                    _ = fchown(file.raw, parent.st_uid, parent.st_gid)
                }
                return file
            }
            guard errno == EEXIST else { throw FileError("lock", path, code: errno) }
            let found = unsafe Glibc.open(path, flags)
            if found < 0, errno == ENOENT { continue }
            guard found >= 0 else { throw FileError("lock", path, code: errno) }
            let file = OwnedDescriptor(found)
            var status = stat()
            guard unsafe fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw FileError("lock", path, reason: "it is not a regular file; remove it")
            }
            return file
        }
    }

    private static func lock(_ descriptor: Int32, _ path: String) throws(FileError) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            // Some network file systems have no locks: no waiting is possible then.
            case ENOLCK, EOPNOTSUPP: return true
            case let code: throw FileError("lock", path, code: code)
            }
        }
        return true
    }

    private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
        var (mine, there) = (stat(), stat())
        guard unsafe fstat(descriptor, &mine) == 0, unsafe lstat(path, &there) == 0 else { return false }
        return mine.st_dev == there.st_dev && mine.st_ino == there.st_ino
    }
}
