internal import Daemon
internal import Dispatch
internal import Host
internal import Protocol

/// One caller on the control socket. Requests are taken up one at a time, each in its turn, so that replies leave in the order
/// of the requests; nothing here waits. Used on the daemon's queue only.
final class Connection {
    /// The longest request, with its NUL.
    private static let mostIncoming = 64 << 10
    /// The most that is kept for a monitor that does not read.
    private static let mostForMonitor = 256 << 10

    /// The server's services for its connections.
    struct Handlers {
        /// The next request is there and waits for its turn.
        let wantsTurn: (Connection) -> Void
        /// One message; `await(_:)` is to be called when a reply will follow.
        let take: (Connection, Varlink.Incoming) -> Void
        /// Nobody waits for this answer any longer.
        let abandoned: (RequestID) -> Void
        /// Called once.
        let closed: (Connection) -> Void
    }

    let peer: Peer
    let rank: CallerRank
    /// Grows from one activity on the server to the next.
    var lastActive: UInt64 = 0

    private let handle: SocketHandle
    private let watch: SocketWatch
    private let handlers: Handlers
    private var token: SocketWatch.Token?
    /// The events that the watch has been asked for and has not reported yet.
    private var awaited: SocketWatch.Interest = .reading
    private var isWriting = false
    private let clock: any DispatchSourceTimer
    private var patienceSeconds = RequestTimeout()
    /// The time that the clock is set to.
    private var alarm: Double?
    private var incoming: [UInt8] = []
    private var outgoing: ArraySlice<UInt8> = []
    /// The request that is being worked on.
    private var asked: RequestID?
    /// Called when a part of a reply has been taken, and the next one may follow.
    private var partTaken: (() -> Void)?
    private var monitors = false
    private var waitsForTurn = false
    /// The other end has nothing more to say; it may still be listening.
    private var hasEnded = false
    /// The other end does not listen any longer. What it had asked to be changed before is done all the same.
    private(set) var hasLeft = false
    /// Bytes that were read of somebody who had left.
    private var leftBehind = 0
    private var isClosed = false

    init(
        _ handle: SocketHandle, _ peer: Peer, _ rank: CallerRank, on queue: DispatchQueue, watch: SocketWatch,
        handlers: Handlers
    ) {
        self.handle = handle
        self.peer = peer
        self.rank = rank
        self.watch = watch
        self.handlers = handlers
        clock = DispatchSource.makeTimerSource(queue: queue)
        // The server may let go of a connection while its handler still runs, which a weak reference taken up
        // for the whole of the handler survives and an unowned one does not.
        clock.setEventHandler { [weak self] in self?.close() }
        clock.schedule(deadline: .distantFuture)
        clock.resume()
        token = watch.add(handle.raw) { [weak self] in self?.ready($0) }
    }

    /// A reply to `id` is going to follow; until then no further request is taken up.
    func await(_ id: RequestID) {
        asked = id
    }

    func monitor() {
        monitors = true
    }

    /// In bytes: what the other end has not read yet.
    var unread: Int { outgoing.count }

    var use: Admission.Use {
        if monitors { return .monitoring }
        if !outgoing.isEmpty { return .stalled }
        if asked != nil || hasRequest { return .working }
        if handle.isOver { return .over }
        return incoming.isEmpty ? .idle : .stalled
    }

    /// The reply to the request that is being worked on, or the last part of it.
    func reply(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        asked = nil
        push(bytes)
        proceed()
    }

    /// A part of the reply; `taken` is called when there is room for the next one.
    func reply(part bytes: [UInt8], taken: @escaping () -> Void) {
        guard !isClosed else { return }
        partTaken = taken
        push(bytes)
        setPatience()
    }

    /// One event for a monitor. Whoever does not read them is let go.
    func send(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        guard outgoing.count + bytes.count <= Self.mostForMonitor else { return close() }
        push(bytes)
    }

    /// The request that is there is taken up.
    func handleNext() {
        waitsForTurn = false
        guard !isClosed, mayProceed, let end = incoming.firstIndex(of: Varlink.terminator) else { return }
        guard end < Self.mostIncoming else { return close() }
        let message = Varlink.parse(incoming[..<end])
        incoming = Array(incoming[(end + 1)...])
        handlers.take(self, message)
        proceed()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        handle.discardUnread()
        if let token { watch.remove(token) }
        clock.cancel()
        outgoing = []
        partTaken = nil
        abandon()
        handlers.closed(self)
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
        case .bytes(let count):
            incoming += buffer.prefix(count)
            if hasLeft { leftBehind += count }
            // A heap of questions that nobody waits for is not worth reading.
            if leftBehind > Self.mostIncoming { return close() }
        case .later: return
        case .over:
            hasEnded = true
            if handle.isHungUp { leave() }
        }
        proceed()
    }

    private var hasRequest: Bool { incoming.contains(Varlink.terminator) }

    /// Whether the next request may be taken up: none is being worked on, and the last reply has been read.
    private var mayProceed: Bool { asked == nil && !monitors && outgoing.isEmpty }

    private func proceed() {
        guard !isClosed else { return }
        defer { arm() }
        if mayProceed {
            if hasRequest {
                if !waitsForTurn {
                    waitsForTurn = true
                    handlers.wantsTurn(self)
                }
            } else if hasEnded || incoming.count >= Self.mostIncoming {
                return close()
            }
        }
        setPatience()
    }

    /// Nobody reads what is said from now on; what has been asked for is still taken up, in its order.
    private func leave() {
        hasLeft = true
        isWriting = false
        outgoing = []
        partTaken = nil
        monitors ? close() : abandon()
    }

    private func abandon() {
        guard let id = asked else { return }
        asked = nil
        handlers.abandoned(id)
    }

    private func push(_ bytes: [UInt8]) {
        guard !hasLeft else { return }
        outgoing += bytes
        if !isWriting { flush() }
    }

    private func flush() {
        while !outgoing.isEmpty {
            switch handle.send(outgoing) {
            case .bytes(let count):
                outgoing = outgoing.dropFirst(count)
            case .later:
                isWriting = true
                arm()
                return setPatience()
            case .over: return leave()
            }
        }
        outgoing = []
        guard let partTaken else { return }
        self.partTaken = nil
        partTaken()
    }

    /// Starts, keeps or stops the clock: for a request that was begun, and for a reply that is not read.
    private func setPatience() {
        guard !isClosed else { return }
        let now = WallClock.monotonic()
        patienceSeconds.wait(for: awaitedOfCaller, at: now)
        guard patienceSeconds.deadline != alarm else { return }
        alarm = patienceSeconds.deadline
        clock.schedule(deadline: alarm.map { .now() + max(0, $0 - now) } ?? .distantFuture)
    }

    private var awaitedOfCaller: RequestTimeout.Wait {
        // A monitor may read when it likes, but only so much is kept for it.
        if monitors { return .nothing }
        if !outgoing.isEmpty { return .reply(unread: outgoing.count) }
        return asked == nil && !incoming.isEmpty && !hasRequest ? .request : .nothing
    }
}
