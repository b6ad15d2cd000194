internal import Glibc
internal import Host
internal import NIOCore
internal import NIOPosix
internal import PhoneRules
internal import Systemd
internal import WebRules
internal import WebServer

/// The parts that the handlers of all connections share. They are used on the loop only.
final class RemoteParts {
    let config: RemoteConfig
    let gatekeeper: Gatekeeper
    let responder: Responder
    let intake: IntakeSocket
    /// Whether a file is being passed to the intake.
    var isReceiving = false
    let connections = Connections(.init(most: 64, ofOneAddress: 16))
    /// The number of requests that wait for adhand, each on a thread.
    var waiting = 0
    let trimmer: QuietTrimmer

    static let mostWaiting = 8

    init(
        config: RemoteConfig, gatekeeper: Gatekeeper, responder: Responder, intake: IntakeSocket,
        trimmer: QuietTrimmer
    ) {
        self.trimmer = trimmer
        self.intake = intake
        self.config = config
        self.gatekeeper = gatekeeper
        self.responder = responder
    }
}

extension Listener {
    /// The entry point by the socket's name: that of adhan-remote-setup.socket is `setup`.
    var entryPoint: RequestHead.EntryPoint {
        if case .passed(_, "setup", isUnix: false) = place { return .setUp }
        return .network
    }
}

/// The HTTP server of the phone page: one thread, one loop, a bounded number of connections.
final class RemoteServer: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: any EventLoop
    private let channels: [any Channel]
    /// The channels that phones of any network can reach.
    private let networkChannels: [any Channel]
    private let config: RemoteConfig
    private let gatekeeper: Gatekeeper
    private let adhand: Adhand
    private let trimmer = QuietTrimmer()
    private let manager = ServiceManager()

    /// Seconds between two requests for today's date.
    private static let dayIntervalSeconds: UInt32 = 600
    /// Seconds between two checks of the set-up, first while it may still change and then once it is over.
    private static let setUpIntervalSeconds: UInt32 = 2
    private static let setUpRestSeconds: UInt32 = 60

    init(
        _ listeners: [Listener], config: RemoteConfig, gatekeeper: Gatekeeper, adhand: Adhand,
        memory: RemoteMemory, intake path: String, messages: MessagesSocket
    ) throws(ServerError) {
        self.config = config
        self.gatekeeper = gatekeeper
        self.adhand = adhand
        loop = group.next()
        let intake = IntakeSocket(path: path, loop: loop)
        let responder = Responder(
            adhand: adhand, gatekeeper: gatekeeper, intake: intake, messages: messages, memory: memory,
            days: config.pairing.days)
        let (loop, group, trimmer) = (loop, group, trimmer)
        do {
            let parts = try loop.submit {
                NIOLoopBound(
                    RemoteParts(
                        config: config, gatekeeper: gatekeeper, responder: responder, intake: intake,
                        trimmer: trimmer),
                    eventLoop: loop)
            }.wait()
            channels = try listeners.map { listener in
                let entryPoint = listener.entryPoint
                return try listener.open(on: group, isStrict: true) { channel in
                    let parts = parts.value
                    let isNear = Machine.isNear(channel.remoteAddress?.plainAddress)
                    guard parts.connections.admit(channel, isNear: isNear) else {
                        throw ServerError(message: "too many connections")
                    }
                    return RemoteHandler(parts, entryPoint: entryPoint)
                }
            }
            networkChannels = zip(listeners, channels).compactMap { $0.entryPoint == .network ? $1 : nil }
        } catch let error as ServerError {
            throw error
        } catch {
            throw ServerError(message: "cannot listen: \(error)")
        }
    }

    var address: String { Machine.address(of: networkChannels) + "r/" }

    /// The page for typing a code. This process sees no network interfaces, so the address has the machine's name.
    var pairingAddress: String {
        if config.proxy, let name = config.names.first { return "https://\(name)/r/pair" }
        let local = networkChannels.compactMap(\.localAddress).first { $0.port != nil }
        let port = local?.port ?? ListenAddress.standard.port
        if let address = local?.plainAddress, Machine.isNear(address) {
            return "http://\(address):\(port)/r/pair"
        }
        return "http://\(Machine.name.prefix { $0 != "." }).local:\(port)/r/pair"
    }

    /// Runs until the service manager ends it.
    func run() -> Never {
        loop.execute { [self] in signLife() }
        let (adhand, gatekeeper) = (adhand, gatekeeper)
        startThread("date") {
            while true {
                gatekeeper.note(day: adhand.today())
                sleep(Self.dayIntervalSeconds)
            }
        }
        if gatekeeper.mayBeSetUp { startThread("set-up") { Self.keepSetUp(gatekeeper, adhand) } }
        manager.ready()
        trimmer.noteWork()
        while true { pause() }
    }

    /// Asks adhand whether it waits for its location, frequently while the box may be claimed or its screen waits for the
    /// claim.
    private static func keepSetUp(_ gatekeeper: Gatekeeper, _ adhand: Adhand) -> Never {
        while true {
            let isUnplaced = adhand.isUnplaced
            gatekeeper.keepSetUp(isUnplaced: isUnplaced)
            let isOver = isUnplaced == false && gatekeeper.setUp.state == .closed
            sleep(isOver ? setUpRestSeconds : setUpIntervalSeconds)
        }
    }

    /// Notifies the service manager at the interval that it asks for.
    private func signLife() {
        guard let interval = manager.intervalSeconds else { return }
        let delay = TimeAmount.microseconds(Int64(interval * 1e6))
        loop.scheduleRepeatedTask(initialDelay: .zero, delay: delay) { [manager] _ in
            manager.alive()
        }
    }
}
