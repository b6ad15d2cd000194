internal import Glibc
internal import Host
internal import Protocol
internal import Synchronization
internal import WebServer

/// The pairing socket: Varlink for people in the room. Its mode admits only group `adhan`.
enum PairingService {
    private static let mostMessage = 65_536
    private static let mostConnections = 3
    /// Seconds after which a silent connection is closed.
    private static let patienceSeconds = 10

    static func start(
        on socket: Sockets.Pairing?, _ gatekeeper: Gatekeeper, url: String
    ) throws(ServerError) {
        guard let socket else { return }
        let descriptor: Int32
        switch socket {
        case .passed(let passed): descriptor = passed
        case .own(let path): descriptor = try listen(at: path)
        }
        // The socket may have been handed over as non-blocking, but this thread has nothing else to do than wait.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        startThread("pairing socket") { accept(descriptor, gatekeeper, url) }
    }

    private static let connections = Mutex(0)

    private static func accept(_ listener: Int32, _ gatekeeper: Gatekeeper, _ url: String) {
        while true {
            let raw = Glibc.accept(listener, nil, nil)
            guard raw >= 0 else {
                // No descriptor was available, so the next attempt is delayed.
                if errno != EINTR, errno != ECONNABORTED { usleep(100_000) }
                continue
            }
            _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
            let hasRoom = connections.withLock { count in
                guard count < mostConnections else { return false }
                count += 1
                return true
            }
            guard hasRoom else {
                Glibc.close(raw)
                continue
            }
            let begun = BackgroundThread.start {
                serve(OwnedDescriptor(raw), gatekeeper, url)
                connections.withLock { $0 -= 1 }
            }
            if !begun {
                Glibc.close(raw)
                connections.withLock { $0 -= 1 }
            }
        }
    }

    private static func serve(
        _ connection: consuming OwnedDescriptor, _ gatekeeper: Gatekeeper, _ url: String
    ) {
        var limit = timeval(tv_sec: patienceSeconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(connection.raw, SOL_SOCKET, option, &limit, size)
        }
        let user = LineConnection.user(of: connection.raw)
        let call = PairingCall(gatekeeper: gatekeeper, user: user, url: url)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= mostMessage {
            if let end = bytes.firstIndex(of: Varlink.terminator) {
                guard let answer = call.answer(Array(bytes[..<end])) else { return }
                bytes.removeFirst(end + 1)
                if !answer.isEmpty,
                    OwnedDescriptor.write(answer + [Varlink.terminator], to: connection.raw) != nil
                {
                    return
                }
                continue
            }
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe recv(connection.raw, $0.baseAddress, $0.count, 0)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes += chunk[..<count]
        }
    }

    private static func listen(at path: String) throws(ServerError) -> Int32 {
        func failed(_ code: Int32) -> ServerError {
            ServerError(message: FileError("listen on", path, code: code).message)
        }
        let address: SocketAddress
        do throws(SocketError) {
            address = try SocketAddress(path)
        } catch {
            throw ServerError(message: error.message)
        }
        let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard raw >= 0 else { throw failed(errno) }
        // Removes a socket that a killed adhan-remote left behind. Any other file stays, and bind reports it.
        var status = stat()
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK { unsafe unlink(path) }
        guard unsafe address.withPointer({ unsafe bind(raw, $0, $1) }) == 0, unsafe chmod(path, 0o660) == 0,
            Glibc.listen(raw, 16) == 0
        else { throw failed(errno) }
        return raw
    }
}

/// Starts a thread. Without it the program could not serve, so a failure ends it.
func startThread(_ name: String, _ work: @escaping @Sendable () -> Void) {
    precondition(BackgroundThread.start(work), "no thread for the \(name)")
}
