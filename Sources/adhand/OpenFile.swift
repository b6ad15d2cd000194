internal import CLinux
internal import Glibc
internal import Host

/// An open file that is read, written and synchronised with errors that name it.
struct OpenFile: ~Copyable {
    let path: String
    private let descriptor: OwnedDescriptor

    /// `operation` is what the caller is about to do ("write"), for the sentence when it cannot be opened.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0o600, to operation: String) throws(ShellError) {
        let raw = unsafe open(path, flags | O_CLOEXEC, mode)
        guard raw >= 0 else { throw .file(operation, path) }
        self.path = path
        descriptor = OwnedDescriptor(raw)
    }

    /// Takes the file's lock; false when somebody else has it.
    func lock() throws(ShellError) -> Bool {
        if flock(descriptor.raw, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw .file("lock", path) }
        return false
    }

    func write(_ bytes: [UInt8]) throws(ShellError) {
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor.raw, buffer.baseAddress.map { unsafe $0 + offset }, buffer.count - offset)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .file("write", path)
            }
            offset += count
        }
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

    /// In bytes.
    func size() throws(ShellError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor.raw, &status) == 0 else { throw .file("read", path) }
        return Int(status.st_size)
    }

    func truncate(to size: Int) throws(ShellError) {
        guard ftruncate(descriptor.raw, size) == 0 else { throw .file("shorten", path) }
    }

    /// Waits until the disk has it. File systems that know no such thing are not an error.
    func sync() throws(ShellError) {
        guard fsync(descriptor.raw) != 0, errno != EINVAL, errno != EROFS else { return }
        throw .file("write", path)
    }

    /// Waits until the disk has the bytes, and the size that makes them readable, but not the times of the file.
    func syncData() throws(ShellError) {
        guard fdatasync(descriptor.raw) != 0, errno != EINVAL, errno != EROFS else { return }
        throw .file("write", path)
    }

    /// Replaces a file so that after a power cut either the old or the new one is there, whole.
    static func replace(_ path: String, in directory: String, mode: mode_t, with bytes: [UInt8])
        throws(ShellError)
    {
        let temporary = path + ".new"
        do {
            let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: mode, to: "write")
            try file.write(bytes)
            try file.sync()
        }
        guard unsafe rename(temporary, path) == 0 else { throw .file("replace", path) }
        try OpenFile(directory, O_RDONLY | O_DIRECTORY, to: "open").sync()
    }

    static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }
}
