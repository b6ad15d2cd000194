internal import AdhanCore
internal import CLinux
internal import Dispatch
internal import Glibc

/// Accepts callers on the control socket and hands their requests over. Used on the daemon's queue only.
final class ControlServer {
    private static let mostConnections = 64
    /// What one user may take of these, so that nobody can lock the others out. Root may have all.
    private static let mostOfOneUser = 32

    private let socket: ListeningSocket
    private let queue: DispatchQueue
    private let request: (RequestID, ControlRequest, Peer) -> Void
    private let hungUp: (RequestID) -> Void
    private let source: any DispatchSourceRead
    private let watch: SocketWatch
    private let retry: any DispatchSourceTimer
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var waiting: [RequestID: Connection] = [:]
    private var monitors: [ObjectIdentifier: Connection] = [:]
    private var serial: UInt64 = 0
    private var activity: UInt64 = 0

    /// `request` gets what the daemon is to decide; `hungUp` tells that nobody waits for an answer any
    /// longer.
    init(
        _ socket: consuming ListeningSocket, on queue: DispatchQueue,
        request: @escaping (RequestID, ControlRequest, Peer) -> Void, hungUp: @escaping (RequestID) -> Void
    ) {
        self.queue = queue
        self.request = request
        watch = SocketWatch(on: queue)
        self.hungUp = hungUp
        source = DispatchSource.makeReadSource(fileDescriptor: socket.raw, queue: queue)
        self.socket = socket
        retry = DispatchSource.makeTimerSource(queue: queue)
        retry.setEventHandler { [source] in source.resume() }
        retry.schedule(deadline: .distantFuture)
        retry.resume()
        source.setEventHandler { [unowned self] in accept() }
        source.resume()
    }

    /// Whether anybody follows the events.
    var hasMonitors: Bool { !monitors.isEmpty }

    func reply(_ id: RequestID, _ reply: Reply) {
        guard waiting[id] != nil else { return }
        send(id, try? Varlink.reply(reply))
    }

    /// A reply in its final form; `nil`, when it has none, ends the connection.
    func send(_ id: RequestID, _ bytes: [UInt8]?) {
        guard let connection = waiting.removeValue(forKey: id) else { return }
        if let bytes { connection.reply(bytes) } else { connection.close() }
    }

    func beginMonitor(_ id: RequestID) {
        guard let connection = waiting[id] else { return }
        connection.monitor()
        monitors[ObjectIdentifier(connection)] = connection
    }

    func publish(_ entry: LogEntry) {
        guard let bytes = try? Varlink.reply(.document(MonitorReply(event: entry)), continues: true) else {
            return
        }
        for connection in monitors.values { connection.tell(bytes) }
    }

    /// Ends everything: the replies on their way are those that the sockets have taken.
    func close() {
        source.cancel()
        for connection in connections.values { connection.close() }
    }

    private func accept() {
        // A few at a time: a crowd of callers must not keep the queue from what is due.
        for _ in 0..<16 {
            let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let descriptor = unsafe accept4(socket.raw, .init(__sockaddr__: nil), nil, flags)
            guard descriptor >= 0 else {
                if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS { pause() }
                return
            }
            admit(SocketHandle(raw: descriptor))
        }
    }

    /// The machine has no descriptor left: asking again at once would only spin.
    private func pause() {
        source.suspend()
        retry.schedule(deadline: .now() + 1)
    }

    private func admit(_ handle: SocketHandle) {
        guard let peer = Peer(connectedTo: handle.raw) else { return handle.discardUnread() }
        if connections.count >= Self.mostConnections || hasItsShare(peer) { makeRoom(for: peer) }
        guard connections.count < Self.mostConnections, !hasItsShare(peer) else {
            return handle.discardUnread()
        }
        let connection = Connection(
            handle, peer, on: queue, watch: watch,
            take: { [unowned self] in take($1, from: $0) }, closed: { [unowned self] in forget($0) })
        connections[ObjectIdentifier(connection)] = connection
        touch(connection)
    }

    private func touch(_ connection: Connection) {
        activity += 1
        connection.lastActive = activity
    }

    private func hasItsShare(_ peer: Peer) -> Bool {
        peer.user != 0 && connections.values.count { $0.peer.user == peer.user } >= Self.mostOfOneUser
    }

    /// Lets those go who have left, else the one who has kept a connection unused for longest, else the longest of all monitors
    /// of the user who has most, for somebody else: a crowd, be it root's, does not lock others out.
    private func makeRoom(for peer: Peer) {
        let all = connections.values.sorted { $0.lastActive < $1.lastActive }
        let dead = all.filter(\.isDead)
        for connection in dead { connection.close() }
        guard dead.isEmpty else { return }
        let candidates = hasItsShare(peer) ? all.filter { $0.peer.user == peer.user } : all
        if let idle = candidates.first(where: \.isIdle) { return idle.close() }
        let crowd = Dictionary(grouping: all, by: \.peer.user).max { $0.value.count < $1.value.count }
        guard let crowd, crowd.key != peer.user, !hasItsShare(peer) else { return }
        crowd.value.first { monitors[ObjectIdentifier($0)] != nil }?.close()
    }

    private func take(_ message: Varlink.Incoming, from connection: Connection) {
        touch(connection)
        switch message {
        case .malformed: connection.close()
        case .refused(let error, let oneway): answer(.refused(error), oneway: oneway, on: connection)
        case .call(let call):
            switch call.action {
            case .getInfo:
                answer(.document(Varlink.Info(version: adhandVersion)), oneway: call.oneway, on: connection)
            case .getInterfaceDescription(let name):
                answer(Varlink.describe(name), oneway: call.oneway, on: connection)
            case .control(let asked):
                serial += 1
                let id = RequestID(serial: serial)
                if !call.oneway {
                    waiting[id] = connection
                    connection.await(id)
                }
                request(id, asked, connection.peer)
            }
        }
    }

    private func answer(_ reply: Reply, oneway: Bool, on connection: Connection) {
        guard !oneway else { return }
        if let bytes = try? Varlink.reply(reply) { connection.reply(bytes) } else { connection.close() }
    }

    private func forget(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = nil
        monitors[ObjectIdentifier(connection)] = nil
        guard let id = connection.asked else { return }
        waiting[id] = nil
        hungUp(id)
    }
}
