import Host

/// One connection to the daemon: whole messages out, whole messages in.
struct Connection: ~Copyable {
    enum Arrival {
        case message([UInt8])
        case timedOut
        case closed
    }

    /// In bytes. No answer of the daemon comes near it; what is longer is not from a daemon.
    private static let longestMessage = 64 << 20

    private let socket: LocalSocket
    private var pending: [UInt8] = []

    /// `patience` in seconds.
    init(path: String, patience: Double) throws(SocketError) {
        socket = try LocalSocket.connect(to: SocketAddress(path), timeout: patience)
    }

    borrowing func send(_ message: [UInt8], patience: Double) throws(SocketError) {
        try socket.send(message, timeout: patience)
    }

    /// The next message without its terminator; waits at most `patience` seconds for each piece of it, `nil` for ever.
    mutating func receive(patience: Double?) throws(SocketError) -> Arrival {
        while true {
            if let end = pending.firstIndex(of: 0) {
                let message = Array(pending[..<end])
                pending.removeSubrange(...end)
                return .message(message)
            }
            guard pending.count < Self.longestMessage else { return .closed }
            let chunk: [UInt8]
            do throws(SocketError) {
                chunk = try socket.receive(timeout: patience)
            } catch .timedOut {
                return .timedOut
            } catch {
                throw error
            }
            guard !chunk.isEmpty else { return .closed }
            pending += chunk
        }
    }
}
