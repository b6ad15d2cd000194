package import AdhanCore
internal import Glibc

/// A conversation with gpsd(8) on this machine: where its receiver is. Nothing goes further than the loopback interface.
package struct Gpsd: Sendable {
    private let port: UInt16

    /// gpsd's own.
    package static let usualPort: UInt16 = 2947

    package init(port: UInt16 = usualPort) {
        self.port = port
    }

    /// Whether something listens on the port, by the kernel's tables: no connection is made for that.
    package var isThere: Bool {
        ["/proc/net/tcp", "/proc/net/tcp6"].contains { table in
            guard let bytes = try? FileBytes.read(table, limit: Self.longestTable) else { return false }
            return ListeningPorts.contains(port, in: bytes)
        }
    }

    /// The position, as soon as the receiver knows it. Waits at most so many seconds.
    package func position(within seconds: Double, isInterrupted: () -> Bool = { false }) -> ReceiverPosition {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard raw >= 0 else { return .unknown(reason: "gpsd cannot be asked: \(SystemError.text(errno))") }
        let descriptor = OwnedDescriptor(raw)
        let deadline = WallClock.monotonic() + seconds
        guard connect(descriptor.raw, until: deadline) else {
            return .unknown(reason: "gpsd on port \(port) does not answer")
        }
        let request = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
        let sent = unsafe request.withUnsafeBytes {
            unsafe send(descriptor.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == request.count else { return .unknown(reason: "gpsd on port \(port) does not listen") }
        var report = ReceiverReport()
        while WallClock.monotonic() < deadline, !isInterrupted() {
            guard let bytes = receive(descriptor.raw) else { continue }
            guard !bytes.isEmpty else { break }
            if let position = report.take(bytes) { return position }
        }
        return .unknown(reason: report.reason)
    }

    /// Of the kernel's tables.
    private static let longestTable = 4 << 20

    private func connect(_ descriptor: Int32, until deadline: Double) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return true }
        guard errno == EINPROGRESS, wait(descriptor, Int16(POLLOUT), deadline - WallClock.monotonic()) else {
            return false
        }
        var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && code == 0
    }

    /// What has come within a fifth of a second; `nil` when nothing has, empty at the end.
    private func receive(_ descriptor: Int32) -> [UInt8]? {
        guard wait(descriptor, Int16(POLLIN), 0.2) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : [] }
        return Array(buffer[..<count])
    }

    private func wait(_ descriptor: Int32, _ events: Int16, _ seconds: Double) -> Bool {
        var request = pollfd(fd: descriptor, events: events, revents: 0)
        return unsafe poll(&request, 1, Int32(max(0, min(seconds, 60)) * 1000)) > 0
    }
}
