internal import Glibc

/// A client's end of a Unix stream socket. Every call waits, but no longer than its limit.
package struct LocalSocket: ~Copyable {
    package let address: SocketAddress
    private let descriptor: OwnedDescriptor

    /// Waits at most `timeout` seconds for a listener that is too busy to accept.
    package static func connect(
        to address: SocketAddress, timeout: Double
    ) throws(SocketError) -> LocalSocket {
        let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard raw >= 0 else { throw .unreachable(path: address.path, code: errno) }
        let descriptor = OwnedDescriptor(raw)
        let deadline = MonotonicClock.now() + timeout
        // A Unix socket connects at once or not at all: EAGAIN is a full queue, which poll(2) does not watch.
        while unsafe address.withPointer({ unsafe Glibc.connect(descriptor.raw, $0, $1) }) != 0 {
            let code = errno
            guard code == EAGAIN || code == EINTR else { throw .unreachable(path: address.path, code: code) }
            guard MonotonicClock.now() < deadline else {
                throw .timedOut(path: address.path, seconds: timeout)
            }
            usleep(10_000)
        }
        return LocalSocket(address: address, descriptor: descriptor)
    }

    private init(address: SocketAddress, descriptor: consuming OwnedDescriptor) {
        self.address = address
        self.descriptor = descriptor
    }

    /// The user whose program listens at the other end, according to the kernel: the program that made the socket listen, which
    /// for a socket of a service manager is that manager. `nil` where the kernel does not report it.
    package var server: UInt32? {
        // struct ucred: the process, the user and the group, 32 bits each.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
        let result = unsafe getsockopt(descriptor.raw, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        return result == 0 ? credentials[1] : nil
    }

    /// Sends all of `bytes`; the other side may take `timeout` seconds.
    package borrowing func send(_ bytes: [UInt8], timeout: Double) throws(SocketError) {
        let deadline = MonotonicClock.now() + timeout
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes { rest in
                // A listener that has gone must cause an error, not a fatal signal.
                unsafe Glibc.send(descriptor.raw, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                try wait(for: Int16(POLLOUT), until: deadline, timeout)
            } else if errno != EINTR {
                throw .broken(path: address.path, code: errno)
            }
        }
    }

    /// Returns the bytes that have arrived, at most 64 KiB; empty when the other side has closed. Waits for `timeout` seconds, or
    /// without limit when that is `nil`. A `wakeSignal` that is set ends the wait as if the time were over.
    package borrowing func receive(
        timeout: Double?, wakeSignal: WakeSignal? = nil
    ) throws(SocketError) -> [UInt8] {
        let deadline = timeout.map { MonotonicClock.now() + $0 }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { room in
                unsafe recv(descriptor.raw, room.baseAddress, room.count, 0)
            }
            if count >= 0 { return Array(buffer[..<count]) }
            if errno == EAGAIN {
                try wait(for: Int16(POLLIN), until: deadline, timeout ?? 0, wakeSignal)
            } else if errno != EINTR {
                throw .broken(path: address.path, code: errno)
            }
        }
    }

    private borrowing func wait(
        for events: Int16, until deadline: Double?, _ timeout: Double, _ wakeSignal: WakeSignal? = nil
    ) throws(SocketError) {
        // poll(2) ignores a negative descriptor.
        var requests = [
            pollfd(fd: descriptor.raw, events: events, revents: 0),
            pollfd(fd: wakeSignal?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let left = deadline.map { $0 - MonotonicClock.now() }
        if let left, left <= 0 { throw .timedOut(path: address.path, seconds: timeout) }
        // Rounded up, so that the last millisecond is waited for and not spent in a loop.
        let milliseconds = left.map { Int32(min($0 * 1000, 1e9).rounded(.up)) } ?? -1
        if unsafe poll(&requests, 2, milliseconds) < 0, errno != EINTR {
            throw .broken(path: address.path, code: errno)
        }
        if requests[0].revents == 0, let wakeSignal, wakeSignal.isSet {
            throw .timedOut(path: address.path, seconds: timeout)
        }
    }
}
