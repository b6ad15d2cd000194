internal import CLinux
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Texts

/// An open file whose errors on reading, writing and syncing contain its name.
struct OpenFile: ~Copyable {
    let path: String
    private let descriptor: OwnedDescriptor

    /// Identifies a file, whatever its name.
    struct Identity: Equatable {
        fileprivate let device: dev_t
        fileprivate let inode: ino_t
    }

    /// `operation` is the caller's intention ("write") in the error's sentence. Opens files only, and therefore never waits for
    /// the other end of a pipe.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0o600, to operation: String) throws(ShellError) {
        let raw = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode)
        guard raw >= 0 else { throw .file(operation, path) }
        let owned = OwnedDescriptor(raw)
        var status = stat()
        guard unsafe fstat(raw, &status) == 0 else { throw .file(operation, path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .file(FileError(operation, path, reason: "it is not a regular file; move it away"))
        }
        self.path = path
        descriptor = owned
    }

    /// Locks the file; returns false when another process holds the lock.
    func lock() throws(ShellError) -> Bool {
        if flock(descriptor.raw, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw .file("lock", path) }
        return false
    }

    func write(_ bytes: [UInt8]) throws(ShellError) {
        if let code = OwnedDescriptor.write(bytes, to: descriptor.raw) { throw .file("write", path, code) }
    }

    /// Up to `count` bytes from `offset`; fewer only at the end.
    func read(_ count: Int, at offset: Int) throws(ShellError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor.raw, buffer.baseAddress.map { unsafe $0 + filled }, count - filled,
                    offset + filled)
            }
            if got < 0 {
                if errno == EINTR { continue }
                throw .file("read", path)
            }
            guard got > 0 else { break }
            filled += got
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// The size in bytes.
    func size() throws(ShellError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor.raw, &status) == 0 else { throw .file("read", path) }
        return Int(status.st_size)
    }

    func identity() throws(ShellError) -> Identity {
        var status = stat()
        guard unsafe fstat(descriptor.raw, &status) == 0 else { throw .file("read", path) }
        return Identity(device: status.st_dev, inode: status.st_ino)
    }

    /// The most pieces of a file; adhand's files never have more.
    private static let mostPieces = 10_000

    /// The end of the blocks on disk: a file may claim to be larger than any disk. A hole in the middle, left by a power cut,
    /// reads as zeros, and the bytes behind it count.
    /// - Returns: `nil` when the file has too many pieces.
    func contentEnd() throws(ShellError) -> Int? {
        let size = try size()
        var end = 0
        for _ in 0..<Self.mostPieces {
            let data = lseek(descriptor.raw, end, SEEK_DATA)
            // ENXIO: only a hole follows. Anything else: the file system does not support holes.
            guard data >= 0 else { return errno == ENXIO ? end : size }
            let hole = lseek(descriptor.raw, data, SEEK_HOLE)
            guard hole > data else { return size }
            end = hole
            if end >= size { return size }
        }
        return nil
    }

    func truncate(to size: Int) throws(ShellError) {
        guard ftruncate(descriptor.raw, size) == 0 else { throw .file("shorten", path) }
    }

    /// Waits until it is on disk. File systems without that operation are not an error.
    func sync() throws(ShellError) {
        guard fsync(descriptor.raw) != 0, errno != EINVAL, errno != EROFS else { return }
        throw .file("write", path)
    }

    /// Waits until the bytes, and the size that makes them readable, are on disk, but not the times of the file.
    func syncData() throws(ShellError) {
        guard fdatasync(descriptor.raw) != 0, errno != EINVAL, errno != EROFS else { return }
        throw .file("write", path)
    }

    /// Replaces a file so that after a power cut either the old or the new one exists, complete.
    static func replace(
        _ path: String, mode: mode_t, with fill: (borrowing AtomicFile.Draft) throws(ShellError) -> Void
    ) throws(ShellError) {
        do throws(FileError) {
            try AtomicFile.replace(path, mode: mode) { draft throws(FileError) in
                do throws(ShellError) {
                    try fill(draft)
                } catch .file(let error) {
                    throw error
                } catch {
                    throw FileError("write", path, reason: error.message)
                }
            }
        } catch {
            throw .file(error)
        }
    }

    static func replace(_ path: String, mode: mode_t, with bytes: [UInt8]) throws(ShellError) {
        do throws(FileError) {
            try AtomicFile.replace(path, mode: mode) { draft throws(FileError) in try draft.write(bytes) }
        } catch {
            throw .file(error)
        }
    }

    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Renames an unusable file; returns its new name, `nil` when renaming is not wanted.
    static func setAside(_ path: String, now: Instant) -> String? {
        let stamp = InstantText.rfc3339(now, in: .utc).prefix(19).filter { $0.isNumber || $0 == "T" }
        let first = "\(path).broken-\(stamp)Z"
        // A clock that restarts at every start shows the same second again: the file that was set aside before is kept.
        let names = [first] + (2...99).map { "\(first)-\($0)" }
        guard let aside = names.first(where: { !exists($0) }) else { return nil }
        return unsafe rename(path, aside) == 0 ? aside : nil
    }

    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }
}
