internal import Glibc

/// A connected socket; closed with the connection that owns it, which has released its number before.
final class SocketHandle: Sendable {
    let raw: Int32

    init(raw: Int32) {
        self.raw = raw
    }

    deinit { close(raw) }

    /// The result of a non-blocking read or write.
    enum Progress {
        case bytes(Int)
        case later
        case over
    }

    /// Reads the available bytes, up to `buffer`'s size; the end of the stream is `over`.
    func receive(into buffer: inout [UInt8]) -> Progress {
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe recv(raw, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }
        return count == 0 ? .over : progress(count)
    }

    func send(_ bytes: ArraySlice<UInt8>) -> Progress {
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        return progress(
            unsafe bytes.withUnsafeBytes { unsafe Glibc.send(raw, $0.baseAddress, $0.count, flags) })
    }

    /// Whether the other end has closed altogether, as opposed to having sent everything.
    var isHungUp: Bool {
        var state = pollfd(fd: raw, events: 0, revents: 0)
        return unsafe poll(&state, 1, 0) > 0 && Int32(state.revents) & (POLLHUP | POLLERR) != 0
    }

    /// Whether the other end has closed and everything that it sent has been read.
    var isOver: Bool {
        guard isHungUp else { return false }
        var byte: UInt8 = 0
        return unsafe recv(raw, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) <= 0
    }

    /// Drains unread bytes: closing over them would send "connection reset" instead of the end.
    func discardUnread() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        for _ in 0..<16 {
            guard case .bytes = receive(into: &buffer) else { return }
        }
    }

    private func progress(_ count: Int) -> Progress {
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EINTR ? .later : .over
    }
}
