internal import CLinux
internal import CSystemd
internal import DisplayProgramme
internal import Glibc
internal import Host
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import PrayerEngine

/// The parts that the handlers of all connections share. On the loop only.
struct Parts {
    let router: Router
    let broadcaster: EventBroadcaster
    let connections: Connections
}

/// The HTTP server: one thread, one loop, a bounded number of connections.
final class Server: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: any EventLoop
    private let parts: NIOLoopBound<Parts>
    private let poller: DaemonPoller
    private let channels: [any Channel]

    /// A connection has a descriptor of its own, and one for a file at most.
    private static let mostDescriptors = 2600
    /// Bytes that the system may hold for a connection, sent and received: callers who read nothing are not to use up the
    /// service's memory.
    private static let mostSent = 32 << 10
    private static let mostReceived = 16 << 10

    /// Whether an address is this machine's own.
    static func isNear(_ address: String?) -> Bool {
        guard let address, !address.isEmpty else { return true }
        return address.hasPrefix("127.") || address == "::1"
    }

    init(
        listeners: [Listener], page: Page, poller: DaemonPoller, preview: Bool, config: DisplayConfig,
        zone: Zone
    ) throws(ServerError) {
        Self.raiseDescriptorLimit()
        loop = group.next()
        self.poller = poller
        let port = OwnPort()
        let router = Router(
            page: page, poller: poller, heartbeat: Heartbeat(), port: port, preview: preview,
            names: config.hostNames, touch: config.page.touch)
        let (loop, group) = (loop, group)
        do {
            let parts = try loop.submit {
                let broadcaster = EventBroadcaster(loop: loop, poller: poller, zone: zone)
                let connections = Connections { broadcaster.isLess() }
                return NIOLoopBound(
                    Parts(router: router, broadcaster: broadcaster, connections: connections), eventLoop: loop
                )
            }.wait()
            self.parts = parts
            channels = try listeners.map { try Server.open($0, group: group, parts: parts) }
            port.number =
                zip(listeners, channels).compactMap { listener, channel in
                    listener.isForThisMachine ? channel.localAddress?.port : nil
                }.first
        } catch let error as ServerError {
            throw error
        } catch {
            throw ServerError(message: "cannot listen: \(error)")
        }
    }

    /// The address of the first door.
    var address: String {
        guard let address = channels.compactMap(\.localAddress).first(where: { $0.port != nil }),
            let port = address.port,
            let host = address.ipAddress
        else { return "the socket that was passed" }
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }

    func stateHasChanged() {
        loop.execute { [parts] in parts.value.broadcaster.stateHasChanged() }
    }

    /// For ever; the service manager ends it.
    func run() -> Never {
        loop.execute { [parts] in parts.value.broadcaster.begin() }
        _ = unsafe sd_notify(0, "READY=1")
        while true { pause() }
    }

    private static func open(
        _ listener: Listener, group: MultiThreadedEventLoopGroup, parts: NIOLoopBound<Parts>
    ) throws -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 512)
            .serverChannelOption(.maxMessagesPerRead, value: 16)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1024))
            .childChannelOption(
                .writeBufferWaterMark, value: .init(low: 4 << 10, high: 16 << 10)
            )
            .childChannelOption(.socketOption(.so_sndbuf), value: .init(mostSent))
            .childChannelOption(.socketOption(.so_rcvbuf), value: .init(mostReceived))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let parts = parts.value
                    let door = listener.door(from: channel.remoteAddress?.plainAddress)
                    guard parts.connections.admit(channel, by: door) else {
                        throw ServerError(message: "too many connections")
                    }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(RequestGate())
                    try pipeline.addHandler(HTTPResponseEncoder())
                    try pipeline.addHandler(
                        ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
                    try pipeline.addHandler(RequestHandler(parts, door: door))
                }
            }
        switch listener {
        case .passed(let descriptor, _): return try bootstrap.withBoundSocket(descriptor).wait()
        case .own(let address):
            do {
                return try bootstrap.bind(host: address.host, port: address.port).wait()
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                throw ServerError(
                    message:
                        "something else listens on \(address) already; give this one a --listen of its own")
            }
        }
    }

    /// A thousand viewers need more descriptors than a shell usually grants.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, rlim_t(mostDescriptors)))
        _ = unsafe setrlimit(__rlimit_resource_t(7), &limit)
    }
}
