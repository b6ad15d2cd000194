internal import FoundationEssentials
internal import Glibc

/// The environment of a process. Everything that depends on it receives it as a value, so that tests can supply any.
package struct Environment: Sendable {
    package var variables: [String: String]
    /// The effective user.
    package var userID: UInt32
    /// The home directory from the user database; used when HOME is not set.
    package var accountHome: String?
    /// The running program, with links resolved.
    package var executable: String
    /// Whether something exists at a path.
    package var exists: @Sendable (String) -> Bool
    /// Whether something is, or may be, at a path that cannot be reached: in a directory that is closed to this user, or behind a
    /// link that is dangling or circular.
    package var isBlocked: @Sendable (String) -> Bool
    /// The names in a directory; `nil` when it cannot be listed.
    package var names: @Sendable (String) -> [String]?
    /// Whether the file at a path belongs to the effective user.
    package var owns: @Sendable (String) -> Bool

    package init(
        variables: [String: String], userID: UInt32, accountHome: String? = nil, executable: String = "",
        exists: @escaping @Sendable (String) -> Bool,
        isBlocked: @escaping @Sendable (String) -> Bool = { _ in false },
        names: @escaping @Sendable (String) -> [String]? = { _ in nil },
        owns: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.variables = variables
        self.userID = userID
        self.accountHome = accountHome
        self.executable = executable
        self.exists = exists
        self.isBlocked = isBlocked
        self.names = names
        self.owns = owns
    }

    /// The environment of this process.
    package static var process: Environment {
        Environment(
            variables: ProcessInfo.processInfo.environment, userID: geteuid(),
            accountHome: Self.readAccountHome(),
            executable: Links.target("/proc/self/exe") ?? "", exists: { unsafe access($0, F_OK) == 0 },
            isBlocked: {
                guard unsafe access($0, F_OK) != 0 else { return false }
                var status = stat()
                return unsafe lstat($0, &status) == 0 || errno != ENOENT && errno != ENOTDIR
            },
            names: { try? Directories.names(in: $0) },
            owns: {
                var status = stat()
                return unsafe lstat($0, &status) == 0 && status.st_uid == geteuid()
            })
    }

    /// A variable's value; `nil` when it is unset or empty.
    package func value(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A variable's value when it is an absolute path; others must be ignored (XDG Base Directory Specification).
    package func absolutePath(_ name: String) -> String? {
        value(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// HOME, or the user database's entry.
    package var home: String? { absolutePath("HOME") ?? accountHome }

    /// Where `path` may be beside an installed program: under the prefix of `bin/adhand`, and of `lib/adhand/adhan-programs`.
    package func underPrefix(_ path: String) -> [String] {
        let prefix = Directories.parent(of: Directories.parent(of: executable))
        return [prefix, Directories.parent(of: prefix)].map { ($0 == "/" ? "" : $0) + "/" + path }
    }

    private static func readAccountHome() -> String? {
        guard let account = unsafe getpwuid(geteuid()), let home = unsafe account.pointee.pw_dir else {
            return nil
        }
        return unsafe String(cString: home)
    }
}

/// Symbolic links.
package enum Links {
    /// The target of the link at `path`; `nil` when there is none.
    package static func target(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes { raw in
            guard let start = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
            return unsafe readlink(path, start, raw.count)
        }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
