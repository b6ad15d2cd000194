internal import Glibc

/// Directories that a program makes for itself.
package enum Directories {
    /// Creates `path` and its missing parents, each with `mode`. An existing one stays as it is.
    package static func make(_ path: String, mode: UInt32 = 0o700) throws(FileError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            if unsafe mkdir(made, mode) == 0 || errno == EEXIST { continue }
            // A parent may exist and mkdir(2) still return EROFS or EACCES.
            let code = errno
            guard isDirectory(made) else { throw FileError("create", made, code: code) }
        }
        guard isDirectory(path) else { throw FileError("create", path, code: ENOTDIR) }
    }

    /// Makes `path` for this user alone. In a directory open to all, such as /tmp, another user may have created it first: a
    /// link, a directory of another user or a directory that others may write to is refused.
    package static func makePrivate(_ path: String) throws(FileError) {
        try make(path)
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw FileError("use", path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw FileError("use", path, reason: "it is a link, not a directory of our own; remove it")
        }
        guard status.st_uid == geteuid() else {
            throw FileError(
                "use", path, reason: "it belongs to another user (uid \(status.st_uid)); remove it")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw FileError("use", path, reason: "others may write to it; run chmod 700 on it")
        }
    }

    /// Makes `path` absolute from the current directory, so that it has the same meaning elsewhere.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let current = Links.target("/proc/self/cwd") else { return path }
        return "\(current)/\(path)"
    }

    /// Whether two paths lead to one directory.
    package static func areSame(_ a: String, _ b: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard unsafe stat(a, &first) == 0, unsafe stat(b, &second) == 0 else { return a == b }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The directory that contains `path`.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The names in a directory, in the order of their bytes, without `.` and `..`.
    package static func names(in path: String) throws(FileError) -> [String] {
        guard let directory = unsafe opendir(path) else { throw FileError("list", path, code: errno) }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    package static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
