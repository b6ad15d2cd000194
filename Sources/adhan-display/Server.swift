internal import AdhanCore
internal import CLinux
internal import CSystemd
internal import DisplayProgramme
internal import Glibc
internal import Host
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import PrayerEngine

/// The HTTP server: one thread, one loop, a bounded number of connections.
final class Server: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: any EventLoop
    private let hub: NIOLoopBound<Hub>
    private let follower: Follower
    private let channels: [any Channel]

    /// Connections in all, by the network, so that it never keeps the wall's own screen out, and of one address there.
    static let mostConnections = 1200
    static let mostFromNetwork = 1000
    static let mostOfOneAddress = 64

    /// Whether an address is this machine's own.
    static func isNear(_ address: String?) -> Bool {
        guard let address, !address.isEmpty else { return true }
        return address.hasPrefix("127.") || address == "::1"
    }

    init(
        listeners: [Listener], page: Page, follower: Follower, preview: Bool, config: DisplayConfig,
        zone: Zone
    ) throws(ServerError) {
        Self.raiseDescriptorLimit()
        loop = group.next()
        self.follower = follower
        let router = Router(
            page: page, follower: follower, beats: Beats(), preview: preview, names: config.hostNames,
            touch: config.page.touch)
        let (loop, group) = (loop, group)
        do {
            let made = try loop.submit {
                NIOLoopBound(Hub(loop: loop, follower: follower, zone: zone), eventLoop: loop)
            }.wait()
            hub = made
            channels = try listeners.map { try Server.open($0, group: group, router: router, hub: made) }
        } catch let error as ServerError {
            throw error
        } catch {
            throw ServerError(message: "cannot listen: \(error)")
        }
    }

    /// The address of the first door.
    var address: String {
        guard let address = channels.first?.localAddress, let port = address.port,
            let host = address.ipAddress
        else { return "the socket that was passed" }
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }

    func stateHasChanged() {
        loop.execute { [hub] in hub.value.stateHasChanged() }
    }

    /// For ever; the service manager ends it.
    func run() -> Never {
        loop.execute { [hub] in hub.value.begin() }
        _ = unsafe sd_notify(0, "READY=1")
        while true { pause() }
    }

    private static func open(
        _ listener: Listener, group: MultiThreadedEventLoopGroup, router: Router, hub: NIOLoopBound<Hub>
    ) throws -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 512)
            .serverChannelOption(.maxMessagesPerRead, value: 16)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1024))
            .childChannelOption(
                .writeBufferWaterMark, value: .init(low: 32 << 10, high: 128 << 10)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let audience = listener.audience(from: channel.remoteAddress?.plainAddress)
                    guard hub.value.admit(channel, audience) else {
                        throw ServerError(message: "too many connections")
                    }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(HeaderGuard())
                    try pipeline.addHandler(HTTPResponseEncoder())
                    try pipeline.addHandler(
                        ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
                    try pipeline.addHandler(HTTPServerPipelineHandler())
                    try pipeline.addHandler(
                        RequestHandler(router: router, hub: hub.value, audience: audience))
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
        limit.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, rlim_t(mostConnections + 100)))
        _ = unsafe setrlimit(__rlimit_resource_t(7), &limit)
    }
}
