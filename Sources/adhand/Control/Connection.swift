internal import AdhanCore
internal import Dispatch

/// One caller on the control socket. Requests are taken up one at a time, so that replies leave in the order
/// of the requests; nothing here waits. Used on the daemon's queue only.
final class Connection {
    /// The longest request, with its NUL.
    private static let mostIncoming = 64 << 10
    /// The most that is kept for a monitor that does not read.
    private static let mostForMonitor = 256 << 10
    /// Seconds to finish a request once begun.
    private static let requestTime = 5.0
    /// Seconds without any progress in reading a reply.
    private static let replyTime = 30.0

    let peer: Peer
    /// Grows from one activity on the server to the next.
    var lastActive: UInt64 = 0
    /// The request that is being worked on.
    private(set) var asked: RequestID?
    private var monitors = false

    private let handle: SocketHandle
    private let watch: SocketWatch
    private let take: (Connection, Varlink.Incoming) -> Void
    private let closed: (Connection) -> Void
    private var token: SocketWatch.Token?
    /// What the watch has been asked for and has not told yet.
    private var awaited: SocketWatch.Interest = .reading
    private var isWriting = false
    private let clock: any DispatchSourceTimer
    private let nextTurn: any DispatchSourceUserDataAdd
    private var patience = Patience.none
    private var incoming: [UInt8] = []
    private var outgoing: ArraySlice<UInt8> = []
    /// The other end has nothing more to say; it may still be listening.
    private var hasEnded = false
    private var isClosed = false

    private enum Patience: Equatable {
        case none, request, reply
    }

    /// `take` gets each message; it is to call ``await(_:)`` when a reply will follow. `closed` is called
    /// once.
    init(
        _ handle: SocketHandle, _ peer: Peer, on queue: DispatchQueue, watch: SocketWatch,
        take: @escaping (Connection, Varlink.Incoming) -> Void, closed: @escaping (Connection) -> Void
    ) {
        self.handle = handle
        self.peer = peer
        self.watch = watch
        self.take = take
        self.closed = closed
        clock = DispatchSource.makeTimerSource(queue: queue)
        nextTurn = DispatchSource.makeUserDataAddSource(queue: queue)
        // The server may let go of a connection while its handler still runs, which a weak reference taken up
        // for the whole of the handler survives and an unowned one does not.
        clock.setEventHandler { [weak self] in self?.close() }
        clock.schedule(deadline: .distantFuture)
        clock.resume()
        nextTurn.setEventHandler { [weak self] in self?.proceed() }
        nextTurn.resume()
        token = watch.add(handle.raw) { [weak self] in self?.ready($0) }
    }

    /// A reply to `id` is going to follow; until then no further request is taken up.
    func await(_ id: RequestID) {
        asked = id
    }

    func monitor() {
        monitors = true
    }

    /// Whether nothing is going on: no request, no reply, no events to follow.
    var isIdle: Bool { asked == nil && !monitors && incoming.isEmpty && outgoing.isEmpty }

    /// Whether the other end has left without our noticing.
    var isDead: Bool { handle.isHungUp }

    /// The reply to the request that is being worked on.
    func reply(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        asked = nil
        push(bytes)
        proceed()
    }

    /// One event for a monitor. Whoever does not read them is let go.
    func tell(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        guard outgoing.count + bytes.count <= Self.mostForMonitor else { return close() }
        push(bytes)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        handle.discardUnread()
        if let token { watch.remove(token) }
        clock.cancel()
        nextTurn.cancel()
        outgoing = []
        closed(self)
    }

    private func ready(_ what: SocketWatch.Interest) {
        awaited = []
        if isWriting, !what.isDisjoint(with: [.writing, .end]) {
            isWriting = false
            flush()
            if outgoing.isEmpty { proceed() }
        }
        if !isClosed, isReading, !what.isDisjoint(with: [.reading, .end]) { read() }
        arm()
    }

    /// Enough is kept for the next request; the rest waits in the other end's buffer.
    private var isReading: Bool { !hasEnded && incoming.count <= Self.mostIncoming }

    /// Has the watch tell what comes next.
    private func arm() {
        guard !isClosed, let token else { return }
        var wanted: SocketWatch.Interest = isReading ? .reading : []
        if isWriting { wanted.insert(.writing) }
        guard wanted != awaited else { return }
        awaited = wanted
        watch.arm(token, for: wanted)
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        switch handle.receive(into: &buffer) {
        case .bytes(let count): incoming += buffer.prefix(count)
        case .later: return
        case .over:
            hasEnded = true
            if handle.isHungUp { return close() }
        }
        proceed()
    }

    /// Takes up the next request, unless one is being worked on or its reply has not been read yet.
    private func proceed() {
        guard !isClosed else { return }
        defer { arm() }
        guard asked == nil, !monitors, outgoing.isEmpty else { return setPatience() }
        if let end = incoming.firstIndex(of: Varlink.terminator) {
            guard end < Self.mostIncoming else { return close() }
            let message = Varlink.parse(incoming[..<end])
            incoming.removeSubrange(...end)
            take(self, message)
            // The next one gets its turn after whatever else is due on the queue.
            nextTurn.add(data: 1)
        } else if hasEnded || incoming.count >= Self.mostIncoming {
            return close()
        }
        setPatience()
    }

    private func push(_ bytes: [UInt8]) {
        outgoing += bytes
        if !isWriting { flush() }
    }

    private func flush() {
        while !outgoing.isEmpty {
            switch handle.send(outgoing) {
            case .bytes(let count):
                outgoing = outgoing.dropFirst(count)
                if patience == .reply { patience = .none }
            case .later:
                isWriting = true
                arm()
                return setPatience()
            case .over: return close()
            }
        }
        outgoing = []
    }

    /// Starts, keeps or stops the clock: for a request that was begun, and for a reply that is not read.
    private func setPatience() {
        guard !isClosed else { return }
        let wanted: Patience =
            if !outgoing.isEmpty {
                monitors ? .none : .reply
            } else if asked == nil, !monitors, !incoming.isEmpty { .request } else {
                .none
            }
        guard wanted != patience else { return }
        patience = wanted
        switch wanted {
        case .none: clock.schedule(deadline: .distantFuture)
        case .request: clock.schedule(deadline: .now() + Self.requestTime)
        case .reply: clock.schedule(deadline: .now() + Self.replyTime)
        }
    }
}
