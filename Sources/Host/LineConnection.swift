internal import Glibc
import Texts

/// A connection between two programs of this machine for lines and files. Every wait is limited, and the descriptor remains the
/// owner's.
package struct LineConnection {
    private let descriptor: Int32
    /// Bytes that arrived with the last line.
    private var ahead: ArraySlice<UInt8> = []

    private static let newline: UInt8 = 0x0A

    package enum LineError: Error, Sendable, Equatable {
        /// The other side has ended, or nothing arrived in time.
        case cut
        case tooLong
    }

    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    package static func isSocket(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Makes a connection to a socket in the file system.
    /// - Returns: `nil` where no program listens, or this user may not connect.
    package static func opened(to address: SocketAddress) -> OwnedDescriptor? {
        let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard raw >= 0 else { return nil }
        let descriptor = OwnedDescriptor(raw)
        let isConnected = unsafe address.withPointer { unsafe connect(raw, $0, $1) } == 0
        guard isConnected else { return nil }
        return descriptor
    }

    /// Sends one request and reads its answer, each a line of JSON.
    /// - Parameter most: the most bytes of the answer.
    /// - Returns: `nil` where no program listens, this user may not connect, or no answer arrives in time.
    package static func ask<Reply: Decodable>(
        _ request: some Encodable, at path: String, for type: Reply.Type, most: Int, until deadline: Double
    ) -> Reply? {
        guard let address = try? SocketAddress(path), let line = try? JSON.encode(request),
            let descriptor = opened(to: address)
        else { return nil }
        var connection = LineConnection(descriptor.raw)
        guard connection.send(line: line, until: deadline),
            let answer = try? connection.line(most: most, until: deadline)
        else { return nil }
        return try? JSON.decode(type, from: answer)
    }

    /// The user at the other end when the connection was made, according to the kernel.
    package static func user(of connection: Int32) -> UInt32? {
        // struct ucred: the process, the user and the group, 32 bits each.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(credentials.count * MemoryLayout<UInt32>.size)
        let result = unsafe getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
        return result == 0 ? credentials[1] : nil
    }

    /// Reads one line, without its end.
    /// - Parameter most: the most bytes of the line.
    package mutating func line(most: Int, until deadline: Double) throws(LineError) -> [UInt8] {
        var line = Array(ahead)
        ahead = []
        while true {
            if let end = line.firstIndex(of: Self.newline) {
                ahead = line[(end + 1)...]
                return Array(line[..<end])
            }
            guard line.count <= most else { throw .tooLong }
            guard let bytes = receive(until: deadline) else { throw .cut }
            line += bytes
        }
    }

    /// Bytes after a line, as they arrive; `nil` where none arrive.
    package mutating func bytes(until deadline: Double) -> ArraySlice<UInt8>? {
        guard ahead.isEmpty else {
            defer { ahead = [] }
            return ahead
        }
        return receive(until: deadline)?[...]
    }

    /// - Returns: whether the whole line was sent. A caller that has gone needs no answer.
    @discardableResult package func send(line: [UInt8], until deadline: Double) -> Bool {
        var bytes = (line + [Self.newline])[...]
        while !bytes.isEmpty {
            guard wait(Int16(POLLOUT), until: deadline) else { return false }
            let sent = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(
                    descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard sent >= 0 || errno == EAGAIN || errno == EINTR else { return false }
            bytes.removeFirst(max(0, sent))
        }
        return true
    }

    /// Announces the end, and discards what the other side still sends: a connection that is closed with unread bytes is reset,
    /// and the answer may be lost with it.
    package func end(dropping most: Int, until deadline: Double) {
        shutdown(descriptor, Int32(SHUT_WR))
        var left = most
        while left > 0, let bytes = receive(until: deadline) { left -= bytes.count }
    }

    private func receive(until deadline: Double) -> [UInt8]? {
        var room = [UInt8](repeating: 0, count: 65_536)
        while wait(Int16(POLLIN), until: deadline) {
            let count = unsafe room.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
            }
            if count > 0 { return Array(room[..<count]) }
            guard count < 0, errno == EAGAIN || errno == EINTR else { return nil }
        }
        return nil
    }

    private func wait(_ events: Int16, until deadline: Double) -> Bool {
        while true {
            let left = deadline - MonotonicClock.now()
            guard left > 0 else { return false }
            var request = pollfd(fd: descriptor, events: events, revents: 0)
            let count = unsafe poll(&request, 1, Int32((left * 1000).rounded(.up)))
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { return false }
        }
    }
}
