internal import CLinux
internal import ControlRules
internal import Daemon
internal import Dispatch
internal import Glibc
internal import Host
internal import Protocol
internal import Texts

/// Accepts callers on the control socket and passes their requests on. Used on the daemon's queue only.
final class ControlServer {
    /// The most bytes of replies that are kept for callers who do not read them.
    private static let mostUnreadBytes = 16 << 20

    /// The daemon's services for the server.
    struct Handlers {
        let rank: (Peer) -> CallerRank
        /// Receives the requests that the daemon decides.
        let request: (RequestID, ControlRequest, Peer) -> Void
        /// The caller has gone.
        let hungUp: (RequestID) -> Void
    }

    private let socket: ListeningSocket
    private let queue: DispatchQueue
    private let handlers: Handlers
    private let source: any DispatchSourceRead
    private let watch: SocketWatch
    private let retry: any DispatchSourceTimer
    private let nextTurn: any DispatchSourceUserDataAdd
    private var turns = RoundRobin<ObjectIdentifier>()
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var waiting: [RequestID: Waiting] = [:]
    private var monitors: [ObjectIdentifier: Connection] = [:]
    private var serial: UInt64 = 0
    private var activity: UInt64 = 0
    /// Names of users who have changed something.
    private var names: [UInt32: String] = [:]

    private struct Waiting {
        let connection: Connection
        /// Whether the caller accepts several replies.
        let more: Bool
    }

    init(_ socket: consuming ListeningSocket, on queue: DispatchQueue, handlers: Handlers) {
        self.queue = queue
        self.handlers = handlers
        watch = SocketWatch(on: queue)
        source = DispatchSource.makeReadSource(fileDescriptor: socket.raw, queue: queue)
        self.socket = socket
        retry = DispatchSource.makeTimerSource(queue: queue)
        nextTurn = DispatchSource.makeUserDataAddSource(queue: queue)
        retry.setEventHandler { [source] in source.resume() }
        retry.schedule(deadline: .distantFuture)
        retry.resume()
        nextTurn.setEventHandler { [unowned self] in serveNext() }
        nextTurn.resume()
        source.setEventHandler { [unowned self] in accept() }
        source.resume()
    }

    /// Whether any caller follows the events.
    var hasMonitors: Bool { !monitors.isEmpty }

    func reply(_ id: RequestID, _ reply: Reply) {
        guard waiting[id] != nil else { return }
        send(id, try? Varlink.reply(reply))
    }

    /// Sends a reply in its final form; `nil`, if it has none, ends the connection.
    func send(_ id: RequestID, _ bytes: [UInt8]?) {
        guard let connection = waiting.removeValue(forKey: id)?.connection else { return }
        if let bytes { connection.reply(bytes) } else { connection.close() }
        relieve()
    }

    /// Sends one of several replies; `whenWritable` is called when there is room for the next.
    func send(_ id: RequestID, part bytes: [UInt8], whenWritable: @escaping () -> Void) {
        guard let connection = waiting[id]?.connection else { return }
        connection.reply(part: bytes, whenWritable: whenWritable)
        relieve()
    }

    /// The waiting caller, and whether it accepts several parts; `nil` once it has gone.
    func caller(of id: RequestID) -> (user: UInt32, more: Bool)? {
        waiting[id].map { ($0.connection.peer.user, $0.more) }
    }

    func beginMonitor(_ id: RequestID, telling status: StatusDocument?) {
        guard let connection = waiting[id]?.connection else { return }
        connection.monitor()
        monitors[ObjectIdentifier(connection)] = connection
        guard let status else { return }
        guard let bytes = try? Varlink.reply(.document(MonitorReply(status: status)), continues: true) else {
            return connection.close()
        }
        connection.send(bytes)
    }

    func publish(_ entry: LogEntry) {
        guard let bytes = try? Varlink.reply(.document(MonitorReply(event: entry)), continues: true) else {
            return
        }
        for connection in monitors.values { connection.send(bytes) }
    }

    /// Closes everything: only replies that the sockets have accepted are still delivered.
    func close() {
        source.cancel()
        for connection in connections.values { connection.close() }
    }

    private func accept() {
        // Only a few at a time: a crowd of callers must not delay due announcements.
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

    /// Pauses when the machine has no descriptor left: retrying at once would only spin.
    private func pause() {
        source.suspend()
        retry.schedule(deadline: .now() + 1)
    }

    private func admit(_ handle: SocketHandle) {
        guard let peer = Peer(connectedTo: handle.raw) else { return handle.discardUnread() }
        let rank = handlers.rank(peer)
        switch Admission.admit(user: peer.user, rank: rank, among: slots(of: rank)) {
        case .admitted: break
        case .inPlaceOf(let other): connections[other]?.close()
        case .turnedAway: return handle.discardUnread()
        }
        let handlers = Connection.Handlers(
            wantsTurn: { [unowned self] in
                turns.add(ObjectIdentifier($0), of: $0.peer.user)
                nextTurn.add(data: 1)
            },
            received: { [unowned self] in dispatch($1, from: $0) },
            abandoned: { [unowned self] in abandon($0) },
            closed: { [unowned self] in forget($0) })
        let connection = Connection(handle, peer, rank, on: queue, watch: watch, handlers: handlers)
        connections[ObjectIdentifier(connection)] = connection
        touch(connection)
    }

    private func slots(of rank: CallerRank) -> [Admission.ConnectionSlot<ObjectIdentifier>] {
        // While there is room for all, no caller needs to be examined.
        guard connections.count >= Admission.mostOfUser else { return [] }
        return connections.filter { $0.value.rank == rank }.map { id, connection in
            Admission.ConnectionSlot(
                id: id, user: connection.peer.user, rank: connection.rank, use: connection.use,
                lastActive: connection.lastActive)
        }
    }

    private func touch(_ connection: Connection) {
        activity += 1
        connection.lastActive = activity
    }

    /// Serves one request at a time, after everything else that is due on the queue.
    private func serveNext() {
        guard let id = turns.next() else { return }
        connections[id]?.handleNext()
        if !turns.isEmpty { nextTurn.add(data: 1) }
    }

    /// Frees memory of unread replies, which is limited: the caller with most of them makes room.
    private func relieve() {
        var unreadBytes = connections.values.reduce(0) { $0 + $1.unreadBytes }
        while unreadBytes > Self.mostUnreadBytes {
            let crowds = Dictionary(
                grouping: connections.values.filter { $0.unreadBytes > 0 }, by: \.peer.user)
            let most = crowds.values.max { sum($0) < sum($1) }
            guard let victim = most?.min(by: { $0.lastActive < $1.lastActive }) else { return }
            unreadBytes -= victim.unreadBytes
            victim.close()
        }
    }

    private func sum(_ connections: [Connection]) -> Int { connections.reduce(0) { $0 + $1.unreadBytes } }

    private func dispatch(_ message: Varlink.Incoming, from connection: Connection) {
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
                // A request of a caller who is gone needs no work.
                guard !(asked.isReading && (call.oneway || connection.hasLeft)) else { return }
                serial += 1
                let id = RequestID(serial: serial)
                if !call.oneway {
                    waiting[id] = Waiting(connection: connection, more: call.more)
                    connection.await(id)
                }
                handlers.request(id, asked, caller(of: call, asked, connection.peer))
            }
        }
    }

    /// Adds the user's name to a caller, which is looked up only for the log, and once.
    private func caller(of call: Varlink.Call, _ asked: ControlRequest, _ peer: Peer) -> Peer {
        guard !asked.isReading else { return peer }
        let user = peer.user
        if names[user] == nil {
            names[user] = TimeLimit.run(on: "users", seconds: 0.5) { Account.nameOrNumber(of: user) }
        }
        return Peer(user: user, groups: peer.groups, name: names[user], claim: call.claim)
    }

    private func answer(_ reply: Reply, oneway: Bool, on connection: Connection) {
        guard !oneway else { return }
        if let bytes = try? Varlink.reply(reply) { connection.reply(bytes) } else { connection.close() }
        relieve()
    }

    private func abandon(_ id: RequestID) {
        waiting[id] = nil
        handlers.hungUp(id)
    }

    private func forget(_ connection: Connection) {
        let id = ObjectIdentifier(connection)
        connections[id] = nil
        monitors[id] = nil
        turns.remove(id, of: connection.peer.user)
    }
}
