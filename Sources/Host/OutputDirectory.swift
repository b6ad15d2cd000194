internal import Glibc

/// The directory of a file that a person requested, opened without being redirected. Root may write in another user's directory:
/// a link on the way is followed only where root alone could have made it, as in `/home -> /srv/home`. Other users are limited by
/// the system.
struct OutputDirectory: ~Copyable {
    /// The file's name in the directory.
    let name: String
    private let descriptor: OwnedDescriptor

    var raw: Int32 { descriptor.raw }

    private static let mostLinks = 40

    /// - Parameter shown: the path of the file, for messages.
    static func open(
        of path: String, isRoot: Bool = geteuid() == 0
    ) throws(FileError) -> OutputDirectory {
        guard !path.utf8.contains(0) else {
            throw FileError("write", path, reason: "the path contains a NUL character")
        }
        let slash = path.lastIndex(of: "/")
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        guard !["", ".", ".."].contains(name) else { throw FileError("write", path, code: EISDIR) }
        let parent = slash.map { String(path[..<path.index(after: $0)]) } ?? "."
        guard isRoot else {
            return OutputDirectory(name, try step(parent, from: AT_FDCWD, followsLinks: true, path))
        }
        return OutputDirectory(name, try walk(parent, path))
    }

    private init(_ name: String, _ descriptor: consuming OwnedDescriptor) {
        self.name = name
        self.descriptor = descriptor
    }

    private static func walk(_ parent: String, _ shown: String) throws(FileError) -> OwnedDescriptor {
        var here = try step(parent.hasPrefix("/") ? "/" : ".", from: AT_FDCWD, followsLinks: true, shown)
        var rest = Array(components(parent).reversed())
        var links = 0
        while let name = rest.popLast() {
            var status = stat()
            guard unsafe fstatat(here.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw FileError("write", shown, code: errno)
            }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                here = try step(name, from: here.raw, followsLinks: false, shown)
                continue
            }
            guard status.st_uid == 0, isRootsAlone(here.raw) else {
                throw FileError(
                    "write", shown,
                    reason:
                        "\"\(name)\" in its path is a symbolic link of another user's; name the directory itself"
                )
            }
            links += 1
            guard links <= mostLinks else { throw FileError("write", shown, code: ELOOP) }
            guard let target = target(of: name, in: here.raw) else {
                throw FileError("write", shown, code: errno)
            }
            if target.hasPrefix("/") { here = try step("/", from: AT_FDCWD, followsLinks: true, shown) }
            rest += components(target).reversed()
        }
        return here
    }

    private static func components(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }
    }

    /// Whether only root can put a link in a directory, or replace it.
    private static func isRootsAlone(_ directory: Int32) -> Bool {
        var status = stat()
        guard unsafe fstat(directory, &status) == 0 else { return false }
        return status.st_uid == 0 && status.st_mode & 0o022 == 0
    }

    private static func step(
        _ name: String, from directory: Int32, followsLinks: Bool, _ shown: String
    ) throws(FileError) -> OwnedDescriptor {
        let flags = PathOnly.flag | O_DIRECTORY | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
        let raw = unsafe openat(directory, name, flags)
        guard raw >= 0 else { throw FileError("write", shown, code: errno) }
        return OwnedDescriptor(raw)
    }

    private static func target(of name: String, in directory: Int32) -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe buffer.baseAddress.map { unsafe readlinkat(directory, name, $0, buffer.count) } ?? -1
        }
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
