package import Places

/// A conversation with gpsd(8) on this machine about the position of its receiver. It stays on the loopback interface.
package struct Gpsd: Sendable {
    private let port: UInt16

    /// gpsd's default port.
    package static let usualPort: UInt16 = 2947

    package init(port: UInt16 = usualPort) {
        self.port = port
    }

    /// Whether a program listens on the port, according to the kernel's tables: no connection is made for that.
    package var isThere: Bool {
        ["/proc/net/tcp", "/proc/net/tcp6"].contains { table in
            guard let bytes = try? FileBytes.read(table, limit: Self.longestTable) else { return false }
            return ListeningPorts.contains(port, in: bytes)
        }
    }

    /// The position, as soon as the receiver knows it. Waits for at most this many seconds.
    package func position(within seconds: Double, isInterrupted: () -> Bool = { false }) -> ReceiverPosition {
        let deadline = MonotonicClock.now() + seconds
        let connection: LoopbackConnection
        do throws(FileError) {
            connection = try LoopbackConnection.open(port: port, until: deadline)
        } catch {
            return .unknown(reason: "gpsd on port \(port) does not answer")
        }
        let request = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
        guard connection.send(request) else {
            return .unknown(reason: "gpsd on port \(port) does not listen")
        }
        var report = ReceiverReport()
        while MonotonicClock.now() < deadline, !isInterrupted() {
            guard let bytes = connection.receive(within: 0.2) else { continue }
            guard !bytes.isEmpty else { break }
            if let position = report.consume(bytes) { return position }
        }
        return .unknown(reason: report.reason)
    }

    /// The most bytes of the kernel's tables.
    private static let longestTable = 4 << 20
}
