internal import Glibc

/// Why this process cannot read a file: the cause that a person can remove, which `EACCES` does not reveal.
package enum FileAccess: Sendable, Equatable {
    case readable
    /// There is nothing at the path.
    case missing
    /// The service's sandbox hides this directory (systemd's `ProtectHome=`, `InaccessiblePaths=` and `PrivateTmp=`).
    case hidden(directory: String)
    /// This directory above the file may not be entered.
    case closedDirectory(String, mode: UInt32)
    /// The file is there and may not be read.
    case closedFile(mode: UInt32)
    case other(reason: String)
    /// Its file system does not answer, as when a server is gone.
    case unanswered

    package static func of(_ path: String) -> FileAccess {
        TimeLimit.run(on: path, seconds: 2) { inspect(at: path) } ?? .unanswered
    }

    private static func inspect(at path: String) -> FileAccess {
        if unsafe access(path, R_OK) == 0 { return .readable }
        let code = errno
        var directory = ""
        for part in path.split(separator: "/").dropLast() {
            directory += "/" + part
            var status = stat()
            guard unsafe stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { break }
            guard unsafe access(directory, X_OK) != 0 else { continue }
            // systemd mounts an empty directory that belongs to root and that no user may enter.
            if status.st_mode & 0o777 == 0, status.st_uid == 0 { return .hidden(directory: directory) }
            return .closedDirectory(directory, mode: status.st_mode & 0o7777)
        }
        switch code {
        case ENOENT, ENOTDIR:
            return privateTemporary(of: path).map { .hidden(directory: $0) } ?? .missing
        case EACCES:
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return .other(reason: SystemError.text(code)) }
            return .closedFile(mode: status.st_mode & 0o7777)
        default: return .other(reason: SystemError.text(code))
        }
    }

    /// `/tmp` or `/var/tmp` when `path` is there and this process has a private one.
    private static func privateTemporary(of path: String) -> String? {
        guard let directory = ["/tmp", "/var/tmp"].first(where: { path.hasPrefix($0 + "/") }) else {
            return nil
        }
        let mounts = (try? FileBytes.read("/proc/self/mountinfo", limit: 1 << 20)) ?? []
        // proc(5): an id, its parent's, the device, the root within it, and the mount point.
        let isPrivate = mounts.split(separator: UInt8(ascii: "\n")).contains { line in
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            return fields.count > 4 && String(decoding: fields[4], as: UTF8.self) == directory
                && String(decoding: fields[3], as: UTF8.self).contains("systemd-private-")
        }
        return isPrivate ? directory : nil
    }

    /// The obstacle for `user`, after "cannot read …: "; `nil` where there is none.
    package func obstacle(for user: String) -> String? {
        switch self {
        case .readable: nil
        case .missing: "there is no such file"
        case .hidden(let directory): "the service's sandbox hides \(directory) from \(user)"
        case .closedDirectory(let directory, let mode):
            "the directory \(directory) (mode \(Self.octal(mode))) is closed to the user \(user)"
        case .closedFile(let mode): "its mode \(Self.octal(mode)) does not let the user \(user) read it"
        case .other(let reason): reason
        case .unanswered: "its file system does not answer"
        }
    }

    /// The command that makes `path` readable; `nil` where no single command does.
    package func remedy(for path: String) -> String? {
        switch self {
        case .closedFile: "sudo chmod a+rX \(path)"
        case .closedDirectory(let directory, _): "sudo chmod a+x \(directory)"
        case .readable, .missing, .hidden, .other, .unanswered: nil
        }
    }

    /// `0600`
    private static func octal(_ mode: UInt32) -> String { "0" + String(mode, radix: 8) }
}
