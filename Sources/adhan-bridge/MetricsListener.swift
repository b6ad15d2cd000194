internal import Glibc
internal import Host
internal import Synchronization

/// Answers `GET /metrics` on loopback, one caller at a time. It refuses every other address.
final class MetricsListener: Sendable {
    private static let mostRequestBytes = 4096
    /// Seconds for serving one caller.
    private static let limitSeconds = 5.0
    private static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private let listener: Int32
    private let text = Mutex("")
    private let isEnding = Atomic(false)

    /// - Parameter address: `127.0.0.1:9464` or `[::1]:9464`.
    /// - Throws: if the address is not on loopback, or is in use.
    init(_ address: String) throws(FileError) {
        guard let (host, port) = Self.parts(address) else {
            throw FileError("listen on", address, reason: "it is no address of the loopback")
        }
        let family = host == "::1" ? AF_INET6 : AF_INET
        let raw = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { throw FileError("listen on", address, code: errno) }
        let descriptor = OwnedDescriptor(raw)
        var on: Int32 = 1
        unsafe setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard Self.bind(raw, family, port) == 0, listen(raw, 8) == 0 else {
            throw FileError("listen on", address, code: errno)
        }
        listener = descriptor.release()
    }

    deinit { close(listener) }

    /// - Returns: false if the system grants no thread.
    func start() -> Bool {
        BackgroundThread.start { [self] in
            while !isEnding.load(ordering: .acquiring) {
                let raw = accept(listener, nil, nil)
                guard raw >= 0 else {
                    // No descriptor was available, or the socket was shut down.
                    if errno != EINTR, errno != ECONNABORTED { sleep(1) }
                    continue
                }
                let connection = OwnedDescriptor(raw)
                answer(connection.raw)
            }
        }
    }

    func set(_ metrics: String) { text.withLock { $0 = metrics } }

    func stop() {
        isEnding.store(true, ordering: .releasing)
        shutdown(listener, Int32(SHUT_RDWR))
    }

    static func parts(_ address: String) -> (host: String, port: UInt16)? {
        guard let colon = address.lastIndex(of: ":"),
            let port = UInt16(address[address.index(after: colon)...])
        else { return nil }
        let host = address[..<colon]
        if host == "127.0.0.1" || host == "localhost" { return ("127.0.0.1", port) }
        return host == "[::1]" ? ("::1", port) : nil
    }

    private static func bind(_ descriptor: Int32, _ family: Int32, _ port: UInt16) -> Int32 {
        if family == AF_INET6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            return unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private func answer(_ connection: Int32) {
        let end = MonotonicClock.now() + Self.limitSeconds
        var limit = timeval(tv_sec: Int(Self.limitSeconds), tv_usec: 0)
        unsafe setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var request: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1024)
        while !Self.isWhole(request) {
            let left = end - MonotonicClock.now()
            var wait = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            guard left > 0, request.count < Self.mostRequestBytes,
                unsafe poll(&wait, 1, Int32(left * 1000)) > 0
            else { return }
            let count = unsafe read(connection, &chunk, chunk.count)
            guard count > 0 else { return }
            request += chunk[..<count]
        }
        let line = String(decoding: request.prefix { $0 != 13 && $0 != 10 }, as: UTF8.self)
        let words = line.split(separator: " ")
        let isMetrics = words.count == 3 && words[0] == "GET" && words[1] == "/metrics"
        let body = isMetrics ? text.withLock { $0 } : "GET /metrics\n"
        let head =
            "HTTP/1.1 \(isMetrics ? "200 OK" : "404 Not Found")\r\nContent-Type: \(Self.contentType)\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
        _ = OwnedDescriptor.write(Array((head + body).utf8), to: connection)
    }

    /// Whether the request's head is complete.
    private static func isWhole(_ request: [UInt8]) -> Bool {
        request.suffix(4).elementsEqual([13, 10, 13, 10]) || request.suffix(2).elementsEqual([10, 10])
    }
}
