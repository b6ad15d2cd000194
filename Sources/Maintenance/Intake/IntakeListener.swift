import CommandKit
import Glibc
import Host

/// The intake's own socket, for a machine on which no service manager makes it.
package struct IntakeListener {
    /// The socket, open for as long as the program runs.
    private let descriptor: Int32
    private let address: SocketAddress

    package init(_ path: String) throws(CommandError) {
        do throws(SocketError) {
            address = try SocketAddress(path)
        } catch {
            throw CommandError(.usage, error.message)
        }
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        // Remove the socket of a killed process; any other file stays, and bind(2) reports it.
        if Self.isSocket(at: path) { unsafe unlink(path) }
        let isBound = unsafe address.withPointer { unsafe bind(descriptor, $0, $1) } == 0
        guard isBound, unsafe chmod(path, 0o660) == 0, listen(descriptor, 16) == 0 else {
            throw CommandError(.failed, FileError("listen on", path, code: errno).message)
        }
    }

    package func accept() throws(CommandError) -> Int32 {
        while true {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection >= 0 { return connection }
            guard errno == EINTR || errno == ECONNABORTED else {
                throw CommandError(.failed, FileError("listen on", address.path, code: errno).message)
            }
        }
    }

    private static func isSocket(at path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
}
