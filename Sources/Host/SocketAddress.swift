package import Glibc

/// The address of a Unix socket in the file system.
public struct SocketAddress: Sendable, Equatable {
    /// The path of the socket in the file system.
    public let path: String

    /// In bytes: the room in sockaddr_un, less the NUL at the end (unix(7)).
    public static let longestPathBytes = 107

    /// Makes an address. Nothing is looked up: a path of the right form need not exist.
    /// - Throws: ``SocketError/path(_:reason:)`` for a path that is empty, too long, or contains a NUL.
    public init(_ path: String) throws(SocketError) {
        guard !path.isEmpty else { throw .path(path, reason: "the path is empty") }
        guard !path.utf8.contains(0) else { throw .path(path, reason: "the path contains a NUL character") }
        guard path.utf8.count <= Self.longestPathBytes else {
            throw .path(
                path,
                reason:
                    "the path has \(path.utf8.count) bytes, a socket's may have \(Self.longestPathBytes); "
                    + "choose a shorter one with --socket")
        }
        self.path = path
    }

    /// Lends the address as bind(2) and connect(2) want it, and its length.
    package func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            unsafe room.copyBytes(from: Array(path.utf8))
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
