internal import CSystemd
internal import Glibc
package import Host
package import NIOCore
package import NIOHTTP1
package import NIOPosix

/// An address such as `127.0.0.1:8787` or `[::1]:8787`.
package struct ListenAddress: CustomStringConvertible, Sendable {
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"),
            let port = Int(argument[argument.index(after: colon)...]), (0...65_535).contains(port)
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard (try? NIOCore.SocketAddress(ipAddress: String(host), port: port)) != nil else { return nil }
        self.init(host: String(host), port: port)
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// A socket on which a server answers.
package struct Listener: Sendable {
    package enum Place: Sendable {
        /// A socket passed by systemd, with its `FileDescriptorName=`.
        case passed(descriptor: Int32, name: String, isUnix: Bool)
        case own(ListenAddress)
    }

    package let place: Place

    package init(_ place: Place) { self.place = place }

    /// The sockets that systemd passed, or one of the program's own.
    /// - Parameter unit: the systemd unit that would pass sockets.
    package static func all(
        own: ListenAddress?, standard: ListenAddress, unit: String, in environment: Environment
    ) throws(ServerError) -> [Listener] {
        let passed = passedIn()
        if !passed.isEmpty { return passed }
        // End, so that systemd restarts the service and tries the socket again. A service without its socket would listen in a
        // network namespace that no caller reaches, and would prevent systemd from opening the socket later.
        guard own != nil || !isService(environment) else {
            throw ServerError(
                message:
                    "systemd handed over no socket; look at \"systemctl status \(unit)\", or give "
                    + "--listen an address")
        }
        return [Listener(.own(own ?? standard))]
    }

    /// Whether systemd started this process as a service.
    private static func isService(_ environment: Environment) -> Bool {
        environment.value("SYSTEMD_EXEC_PID") == String(getpid())
    }

    /// The sockets on which the service manager listens for this program.
    private static func passedIn() -> [Listener] {
        var raw: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = unsafe sd_listen_fds_with_names(0, &raw)
        guard count > 0 else { return [] }
        defer { unsafe free(raw) }
        return (0..<count).compactMap { index in
            let descriptor = 3 + index
            let pointer = unsafe raw?[Int(index)]
            let name = unsafe pointer.map { unsafe String(cString: $0) } ?? ""
            unsafe free(pointer)
            guard sd_is_socket(descriptor, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1) > 0 else {
                return nil
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            let isUnix = sd_is_socket(descriptor, AF_UNIX, Int32(SOCK_STREAM.rawValue), 1) > 0
            return Listener(.passed(descriptor: descriptor, name: name, isUnix: isUnix))
        }
    }

    // MARK: Opening

    /// The bytes that the system may buffer for each connection and direction, so that callers who read nothing do not use up the
    /// service's memory.
    package static let mostSentBytes = 32 << 10
    static let mostReceivedBytes = 16 << 10

    /// Starts answering on this socket.
    /// - Parameters:
    ///   - isStrict: whether to refuse a head whose lines do not end with CR LF.
    ///   - mostSentBytes: the bytes of an answer that the system may buffer. On the loopback, whose packets have 64 KiB, the
    ///     usual figure allows only one packet at a time, and each waits 40 ms for its delayed acknowledgement.
    ///   - handler: makes the handler of a new connection; if it throws, the connection is closed.
    package func open<Handler: ChannelInboundHandler>(
        on group: MultiThreadedEventLoopGroup, isStrict: Bool = false,
        mostSentBytes: Int = Self.mostSentBytes,
        handler: @escaping @Sendable (any Channel) throws -> Handler
    ) throws -> any Channel where Handler.InboundIn == HTTPServerRequestPart {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 512)
            .serverChannelOption(.maxMessagesPerRead, value: 16)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1024))
            .childChannelOption(
                .writeBufferWaterMark, value: .init(low: 4 << 10, high: 16 << 10)
            )
            .childChannelOption(.socketOption(.so_sndbuf), value: .init(mostSentBytes))
            .childChannelOption(.socketOption(.so_rcvbuf), value: .init(Self.mostReceivedBytes))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try handler(channel)
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(RequestGate(isStrict: isStrict))
                    try pipeline.addHandler(HTTPResponseEncoder())
                    try pipeline.addHandler(
                        ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
                    try pipeline.addHandler(handler)
                }
            }
        switch place {
        case .passed(let descriptor, _, _): return try bootstrap.withBoundSocket(descriptor).wait()
        case .own(let address):
            do {
                return try bootstrap.bind(host: address.host, port: address.port).wait()
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                throw ServerError.addressTaken(
                    "something else listens on \(address) already; give this one a --listen of its own")
            }
        }
    }
}
