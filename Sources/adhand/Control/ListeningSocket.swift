internal import CLinux
internal import CSystemd
internal import Glibc
internal import Host

/// The socket that `adhanctl` and other programs call: passed in by the service manager, or our own.
struct ListeningSocket: ~Copyable {
    private static let kind = Int32(SOCK_STREAM.rawValue)
    private static let nonBlocking = kind | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

    /// The most callers that wait to be accepted or refused, which takes microseconds each.
    private static let backlog: Int32 = 1024

    private let descriptor: OwnedDescriptor
    /// The path, if it is ours to remove.
    private let ownPath: String?
    var raw: Int32 { descriptor.raw }

    /// The socket on which the service manager listens for us, if it does.
    static func passedIn() -> ListeningSocket? {
        // The variables stay: they name this process, and mean nothing to others.
        let count = sd_listen_fds(0)
        guard count > 0 else { return nil }
        for raw in 3..<(3 + count) where sd_is_socket_unix(raw, kind, 1, nil, 0) > 0 {
            _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
            _ = fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) | O_NONBLOCK)
            return ListeningSocket(OwnedDescriptor(raw), ownPath: nil)
        }
        return nil
    }

    /// Creates the socket, with its directory if need be. A socket without a listener is replaced.
    /// - Throws: `secondInstance` when another program listens.
    static func create(at path: String) throws(ShellError) -> ListeningSocket {
        let address = try address(path)
        let directory = Directories.parent(of: path)
        if directory != ".", directory != "/" { try makeDirectory(directory) }
        let descriptor = OwnedDescriptor(socket(AF_UNIX, nonBlocking, 0))
        guard descriptor.raw >= 0 else { throw .file("create the socket", path) }
        try bind(descriptor.raw, to: address)
        // Any user may connect: permissions depend on the peer's credentials.
        guard unsafe chmod(path, 0o666) == 0, listen(descriptor.raw, backlog) == 0 else {
            throw .file("listen on", path)
        }
        return ListeningSocket(descriptor, ownPath: path)
    }

    private init(_ descriptor: consuming OwnedDescriptor, ownPath: String?) {
        self.descriptor = descriptor
        self.ownPath = ownPath
    }

    deinit {
        if let ownPath { unsafe unlink(ownPath) }
    }

    private static func address(_ path: String) throws(ShellError) -> SocketAddress {
        do {
            return try SocketAddress(path)
        } catch {
            throw .socket(error)
        }
    }

    private static func makeDirectory(_ path: String) throws(ShellError) {
        do {
            // In a directory that is open to all, another user may have created the socket first.
            if path.hasPrefix("/tmp/adhand-") {
                try Directories.makePrivate(path)
            } else {
                try Directories.make(path, mode: 0o755)
            }
        } catch {
            throw .file(error)
        }
    }

    private static func bind(_ descriptor: Int32, to address: SocketAddress) throws(ShellError) {
        let path = address.path
        for attempt in 1...2 {
            if unsafe address.withPointer({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0 { return }
            guard errno == EADDRINUSE, attempt == 1 else { break }
            guard try isStale(address) else {
                throw .secondInstance(
                    "another adhand answers on the socket \"\(path)\"\(owner(of: address)); stop it first, or give this one "
                        + "a --socket of its own"
                )
            }
            guard unsafe unlink(path) == 0 else { throw .file("replace the stale socket", path) }
        }
        throw .file("create the socket", path)
    }

    /// The user whose program listens there.
    private static func owner(of address: SocketAddress) -> String {
        guard let user = try? LocalSocket.connect(to: address, timeout: 0.5).server else { return "" }
        return ", of the user \(Account.nameOrNumber(of: user))"
    }

    /// Whether there is a socket without a listener. Other kinds of files are not ours to remove.
    private static func isStale(_ address: SocketAddress) throws(ShellError) -> Bool {
        let path = address.path
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            let reason = "something that is not a socket is there; remove it"
            throw .file(FileError("create the socket", path, reason: reason))
        }
        let probe = OwnedDescriptor(socket(AF_UNIX, nonBlocking, 0))
        return unsafe address.withPointer { unsafe connect(probe.raw, $0, $1) } != 0 && errno == ECONNREFUSED
    }
}
