internal import CLinux
internal import Glibc
internal import Protocol

/// A connection to a server on this machine: it stays on the loopback interface, and every wait is limited.
struct LoopbackConnection: ~Copyable {
    private let descriptor: OwnedDescriptor

    private init(_ descriptor: consuming OwnedDescriptor) {
        self.descriptor = descriptor
    }

    static func open(port: UInt16, until deadline: Double) throws(FileError) -> LoopbackConnection {
        let name = "127.0.0.1:\(port)"
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard raw >= 0 else { throw FileError("connect to", name, code: errno) }
        let connection = LoopbackConnection(OwnedDescriptor(raw))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return connection }
        guard errno == EINPROGRESS else { throw FileError("connect to", name, code: errno) }
        guard connection.wait(Int16(POLLOUT), deadline - MonotonicClock.now()) else {
            throw FileError("connect to", name, code: ETIMEDOUT)
        }
        var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard unsafe getsockopt(raw, SOL_SOCKET, SO_ERROR, &code, &size) == 0, code == 0 else {
            throw FileError("connect to", name, code: code)
        }
        return connection
    }

    /// Opens a Unix socket, which connects at once or not at all.
    static func open(socket path: String) throws(FileError) -> LoopbackConnection {
        let address: SocketAddress
        do throws(SocketError) {
            address = try SocketAddress(path)
        } catch {
            throw FileError("connect to", path, reason: error.message)
        }
        let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard raw >= 0 else { throw FileError("connect to", path, code: errno) }
        let connection = LoopbackConnection(OwnedDescriptor(raw))
        guard unsafe address.withPointer({ unsafe Glibc.connect(raw, $0, $1) }) == 0 else {
            throw FileError("connect to", path, code: errno)
        }
        return connection
    }

    /// Sends bytes; returns whether all were accepted: a request fits into the buffer of a new connection.
    borrowing func send(_ bytes: [UInt8]) -> Bool {
        let sent = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor.raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        return sent == bytes.count
    }

    /// The bytes that arrived within this many seconds; `nil` when none did, empty at the end.
    borrowing func receive(within seconds: Double) -> [UInt8]? {
        guard wait(Int16(POLLIN), seconds) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe recv(descriptor.raw, $0.baseAddress, $0.count, 0)
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? nil : [] }
        return Array(buffer[..<count])
    }

    private borrowing func wait(_ events: Int16, _ seconds: Double) -> Bool {
        var request = pollfd(fd: descriptor.raw, events: events, revents: 0)
        return unsafe poll(&request, 1, Int32(max(0, min(seconds, 60)) * 1000)) > 0
    }
}

/// One request to an HTTP server on this machine, limited in time and size.
package enum LoopbackWeb {
    package struct Reply: Sendable {
        package let status: Int
        package let body: [UInt8]
    }

    private static let largest = 4 << 20

    /// - Parameters:
    ///   - method: the method, without a body.
    ///   - headers: whole lines, without the line ends.
    package static func ask(
        _ path: String, port: UInt16, method: String = "GET", headers: [String] = [], within seconds: Double
    ) throws(FileError) -> Reply {
        let deadline = MonotonicClock.now() + seconds
        let connection = try LoopbackConnection.open(port: port, until: deadline)
        let host = "127.0.0.1:\(port)"
        return try ask(
            connection, request(method, path, host, headers), "http://\(host)\(path)", until: deadline)
    }

    /// - Parameter socket: the Unix socket on which the server listens.
    package static func ask(
        _ path: String, socket: String, within seconds: Double
    ) throws(FileError) -> Reply {
        let deadline = MonotonicClock.now() + seconds
        let connection = try LoopbackConnection.open(socket: socket)
        return try ask(connection, request("GET", path, "localhost", []), socket, until: deadline)
    }

    /// Whether any program accepts connections on the port.
    package static func isListening(port: UInt16, within seconds: Double) -> Bool {
        do throws(FileError) {
            _ = try LoopbackConnection.open(port: port, until: MonotonicClock.now() + seconds)
            return true
        } catch {
            return false
        }
    }

    private static func request(
        _ method: String, _ path: String, _ host: String, _ headers: [String]
    ) -> [UInt8] {
        let lines =
            ["\(method) \(path) HTTP/1.0", "Host: \(host)", "Content-Length: 0", "Connection: close"]
            + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func ask(
        _ connection: borrowing LoopbackConnection, _ request: [UInt8], _ url: String,
        until deadline: Double
    ) throws(FileError) -> Reply {
        guard connection.send(request) else {
            throw FileError("ask", url, reason: "the connection was closed")
        }
        var bytes: [UInt8] = []
        while true {
            let left = deadline - MonotonicClock.now()
            guard left > 0 else { throw FileError("ask", url, code: ETIMEDOUT) }
            guard let chunk = connection.receive(within: left) else { continue }
            if chunk.isEmpty { break }
            bytes += chunk
            guard bytes.count <= largest else {
                throw FileError("ask", url, reason: "the answer is larger than \(largest) bytes")
            }
        }
        guard let reply = parse(bytes) else {
            throw FileError("ask", url, reason: "that is not a web server")
        }
        return reply
    }

    /// Parses `HTTP/1.0 200 OK`, headers, an empty line, the body.
    static func parse(_ bytes: [UInt8]) -> Reply? {
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        guard bytes.starts(with: Array("HTTP/1.".utf8)),
            let body = bytes.indices.first(where: { bytes[$0...].starts(with: end) })
        else { return nil }
        let words = String(decoding: bytes[..<body].prefix(64), as: UTF8.self).split(separator: " ")
        guard words.count > 1, let status = Int(words[1].prefix(3)) else { return nil }
        return Reply(status: status, body: Array(bytes[(body + 4)...]))
    }
}
