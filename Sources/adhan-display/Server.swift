internal import CLinux
internal import DisplayFeed
internal import Glibc
internal import Host
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import PrayerEngine
internal import ScreenPlan
internal import Systemd
internal import WebRules
internal import WebServer

/// The parts that the handlers of all connections share. They are used on the loop only.
struct HandlerParts {
    let router: Router
    let broadcaster: EventBroadcaster
    let connections: Connections
}

/// The HTTP server: one thread, one loop, a bounded number of connections.
final class Server: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: any EventLoop
    private let parts: NIOLoopBound<HandlerParts>
    private let poller: DaemonPoller
    private let channels: [any Channel]

    /// The limit of descriptors: each connection needs one, and at most one more for a file.
    private static let mostDescriptors: UInt = 2600

    init(
        listeners: [Listener], page: Page, poller: DaemonPoller, preview: Bool, config: DisplayConfig,
        zone: Zone
    ) throws(ServerError) {
        Machine.raiseDescriptorLimit(to: Self.mostDescriptors)
        loop = group.next()
        self.poller = poller
        let port = OwnPort()
        let router = Router(
            page: page, poller: poller, heartbeat: Heartbeat(), port: port, preview: preview,
            names: HostNames(machine: Machine.name, added: config.hostNames),
            touch: config.page.touch || SetUpScreen.isShown(in: .process))
        let (loop, group) = (loop, group)
        do {
            let parts = try loop.submit {
                let broadcaster = EventBroadcaster(loop: loop, poller: poller, zone: zone)
                let connections = Connections(Self.limits) { broadcaster.callerHasLeft() }
                return NIOLoopBound(
                    HandlerParts(router: router, broadcaster: broadcaster, connections: connections),
                    eventLoop: loop
                )
            }.wait()
            self.parts = parts
            channels = try listeners.map { try Self.open($0, group: group, parts: parts) }
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

    /// The address of the first socket.
    var address: String { Machine.address(of: channels) }

    func stateHasChanged() {
        loop.execute { [parts] in parts.value.broadcaster.stateHasChanged() }
    }

    /// Runs until the service manager ends the program.
    func run() -> Never {
        loop.execute { [parts] in parts.value.broadcaster.begin() }
        ServiceManager().ready()
        while true { pause() }
    }

    private static func open(
        _ listener: Listener, group: MultiThreadedEventLoopGroup, parts: NIOLoopBound<HandlerParts>
    ) throws -> any Channel {
        try listener.open(on: group) { channel in
            let parts = parts.value
            let caller = listener.caller(from: channel.remoteAddress?.plainAddress)
            // Only root and the kiosk's user reach the launcher's socket, so its connections are not limited.
            guard caller == .launcher || parts.connections.admit(channel, isNear: caller == .machine) else {
                throw ServerError(message: "too many connections")
            }
            return RequestHandler(parts, caller: caller)
        }
    }

    /// Limits that suffice for the screens and phones of a large mosque.
    private static let limits = Connections.Slots.Limits(
        all: .init(most: 1200, short: 100), network: .init(most: 1000, short: 16),
        prefix: .init(most: 500, short: 16), address: .init(most: 64, short: 4))
}
