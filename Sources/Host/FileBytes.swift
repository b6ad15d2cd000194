internal import Glibc

/// Reads whole files within a size limit.
package enum FileBytes {
    /// The most bytes of a file with a password, a token or a key: a PEM file of an RSA key has some 3 KB.
    package static let mostSecretBytes = 16_384

    /// Reads a regular file of at most `limit` bytes. Never waits: a pipe or a device is refused, not read.
    /// - Parameter followsLink: whether the file itself may be a symbolic link. Not in another user's directory.
    package static func read(
        _ path: String, limit: Int, followsLink: Bool = true
    ) throws(FileError) -> [UInt8] {
        try contents(of: try open(path, in: AT_FDCWD, followsLink: followsLink, shown: path), path, limit)
    }

    /// Reads a file of an open directory. A link is not followed.
    package static func read(
        _ name: String, in directory: StateDirectory, limit: Int
    ) throws(FileError) -> [UInt8] {
        let shown = "\(directory.path)/\(name)"
        return try contents(
            of: try open(name, in: directory.raw, followsLink: false, shown: shown), shown, limit)
    }

    /// Reads a file in parts, if it is too large for memory.
    package static func read(
        _ path: String, limit: Int, inParts part: ([UInt8]) -> Void
    ) throws(FileError) {
        let file = try open(path, in: AT_FDCWD, followsLink: true, shown: path)
        try parts(of: file.raw, path, limit, part)
    }

    private static func contents(
        of file: consuming OwnedDescriptor, _ path: String, _ limit: Int
    ) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        try parts(of: file.raw, path, limit) { bytes += $0 }
        return bytes
    }

    private static func parts(
        of raw: Int32, _ path: String, _ limit: Int, _ part: ([UInt8]) -> Void
    ) throws(FileError) {
        var status = stat()
        guard unsafe fstat(raw, &status) == 0 else { throw FileError("read", path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            if status.st_mode & S_IFMT == S_IFDIR { throw FileError("read", path, code: EISDIR) }
            throw FileError("read", path, reason: "not a regular file")
        }
        var total = 0
        // A file may be longer than its stated size, as in /proc, or grow meanwhile: the bytes that arrive count.
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(raw, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError("read", path, code: errno) }
            if count == 0 { return }
            total += count
            guard total <= limit else {
                throw FileError("read", path, reason: "the file is larger than \(limit) bytes")
            }
            part(Array(chunk[..<count]))
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
