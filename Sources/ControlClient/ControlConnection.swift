import Host

/// One connection to the daemon: whole messages out, whole messages in.
struct ControlConnection: ~Copyable {
    enum Arrival {
        case message([UInt8])
        case timedOut
        case closed
    }

    /// The most bytes of a message. No answer of the daemon is nearly as long, so a longer one is from another program.
    private static let longestMessageBytes = 8 << 20

    private let socket: LocalSocket
    private var pending: [UInt8] = []
    /// The number of bytes received so far.
    private(set) var received = 0
    /// The user whose program listens at the other end.
    var server: UInt32? { socket.server }
    /// The arrival of the first byte of an incomplete message (CLOCK_MONOTONIC).
    private var began: Double?

    /// Connects, and waits no longer than `patienceSeconds`.
    init(path: String, patienceSeconds: Double) throws(SocketError) {
        socket = try LocalSocket.connect(to: SocketAddress(path), timeout: patienceSeconds)
    }

    borrowing func send(_ message: [UInt8], patienceSeconds: Double) throws(SocketError) {
        try socket.send(message, timeout: patienceSeconds)
    }

    /// Returns the next message without its terminator. Waits at most `limit` seconds for its beginning, `nil` for ever; once
    /// begun it must be complete within `patienceSeconds` seconds. A `wakeSignal` that is set ends the wait.
    mutating func receive(
        within limit: Double?, whole patienceSeconds: Double, wakeSignal: WakeSignal? = nil
    ) throws(SocketError) -> Arrival {
        let deadline = limit.map { MonotonicClock.now() + $0 }
        while true {
            if let end = pending.firstIndex(of: 0) {
                let message = Array(pending[..<end])
                pending = Array(pending[(end + 1)...])
                began = pending.isEmpty ? nil : MonotonicClock.now()
                return .message(message)
            }
            guard pending.count < Self.longestMessageBytes else { return .closed }
            let now = MonotonicClock.now()
            let end = began.map { $0 + patienceSeconds }
            if let end, end <= now {
                throw .timedOut(path: socket.address.path, seconds: patienceSeconds)
            }
            let wait = [deadline, end].compactMap { $0.map { $0 - now } }.min()
            if let wait, wait <= 0 { return .timedOut }
            if let wakeSignal, wakeSignal.isSet { return .timedOut }
            do throws(SocketError) {
                let chunk = try socket.receive(timeout: wait, wakeSignal: wakeSignal)
                guard !chunk.isEmpty else { return .closed }
                if began == nil { began = MonotonicClock.now() }
                pending += chunk
                received += chunk.count
            } catch .timedOut {
                continue
            } catch {
                throw error
            }
        }
    }
}
