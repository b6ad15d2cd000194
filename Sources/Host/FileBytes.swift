internal import Glibc

/// Whole files, no larger than they may be.
package enum FileBytes {
    /// Reads a regular file of at most `limit` bytes. Never waits: a pipe or a device is refused, not read.
    /// - Parameter followsLink: whether the file itself may be a symbolic link. Not in a directory of somebody else's.
    package static func read(
        _ path: String, limit: Int, followsLink: Bool = true
    ) throws(FileError) -> [UInt8] {
        try contents(of: try open(path, in: AT_FDCWD, followsLink: followsLink, shown: path), path, limit)
    }

    /// The same for a file of an open directory. A link is not followed.
    package static func read(
        _ name: String, in directory: StateDirectory, limit: Int
    ) throws(FileError) -> [UInt8] {
        let shown = "\(directory.path)/\(name)"
        return try contents(
            of: try open(name, in: directory.raw, followsLink: false, shown: shown), shown, limit)
    }

    private static func contents(
        of file: consuming OwnedDescriptor, _ path: String, _ limit: Int
    ) throws(FileError) -> [UInt8] {
        var status = stat()
        guard unsafe fstat(file.raw, &status) == 0 else { throw FileError("read", path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            if status.st_mode & S_IFMT == S_IFDIR { throw FileError("read", path, code: EISDIR) }
            throw FileError("read", path, reason: "not a regular file")
        }
        var bytes: [UInt8] = []
        // A file may be longer than it says, as those of /proc are, or grow meanwhile: what counts is what comes.
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(file.raw, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError("read", path, code: errno) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else {
                throw FileError("read", path, reason: "the file is larger than \(limit) bytes")
            }
        }
    }

    private static func open(
        _ path: String, in directory: Int32, followsLink: Bool, shown: String
    ) throws(FileError) -> OwnedDescriptor {
        guard !path.utf8.contains(0) else {
            throw FileError("read", shown, reason: "the path contains a NUL character")
        }
        let link = followsLink ? 0 : O_NOFOLLOW
        let descriptor = unsafe openat(
            directory, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | link)
        guard descriptor >= 0 else {
            if errno == ELOOP, !followsLink {
                throw FileError("read", shown, reason: "it is a symbolic link, and must be the file itself")
            }
            throw FileError("read", shown, code: errno)
        }
        return OwnedDescriptor(descriptor)
    }
}
