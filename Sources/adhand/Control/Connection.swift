internal import ControlRules
internal import Daemon
internal import Dispatch
internal import Host
internal import Protocol

/// One caller on the control socket. Requests are handled one at a time, in the order of the round robin, so that replies leave
/// in the order of the requests; nothing here waits. Used on the daemon's queue only.
final class Connection {
    /// The most bytes of a request, with its NUL.
    private static let mostIncoming = 64 << 10
    /// The most bytes that are kept for a monitor that does not read.
    private static let mostForMonitor = 256 << 10

    /// The server's services for its connections.
    struct Handlers {
        /// The next request is complete and waits for its turn.
        let wantsTurn: (Connection) -> Void
        /// One message; `await(_:)` is to be called when a reply will follow.
        let received: (Connection, Varlink.Incoming) -> Void
        /// The caller of this request has gone.
        let abandoned: (RequestID) -> Void
        /// The connection has closed; called once.
        let closed: (Connection) -> Void
    }

    let peer: Peer
    let rank: CallerRank
    /// A counter that rises from one activity on the server to the next.
    var lastActive: UInt64 = 0

    private let handle: SocketHandle
    private let watch: SocketWatch
    private let handlers: Handlers
    private var token: SocketWatch.Token?
    /// The events that the watch was asked for and has not reported yet.
    private var awaited: SocketWatch.Interest = .reading
    private let clock: any DispatchSourceTimer
    private var timeout = RequestTimeout()
    /// The deadline of the timer.
    private var alarm: Double?
    private var incoming: [UInt8] = []
    private var outgoing: ArraySlice<UInt8> = []
    private var work = Work.none
    private var otherEnd = OtherEnd.talking
    private var isClosed = false

    /// The state of the connection's current request.
    private enum Work {
        /// There is none; one may be arriving.
        case none
        /// A whole request waits for its turn.
        case waitingForTurn
        /// A reply will follow. `nextPart` is called when a part of it has been read, and the next one may follow.
        case answering(RequestID, nextPart: (() -> Void)?)
        /// Events follow until the connection ends.
        case monitoring(RequestID)
    }

    /// The state of the caller's side.
    private enum OtherEnd {
        case talking
        /// The caller sends nothing more, but may still be reading.
        case listening
        /// The caller no longer reads, but its earlier requests are still performed.
        case left(bytesRead: Int)
        case gone

        /// Whether all that it sent has been read.
        var hasEnded: Bool {
            switch self {
            case .talking, .left: false
            case .listening, .gone: true
            }
        }

        var hasLeft: Bool {
            switch self {
            case .talking, .listening: false
            case .left, .gone: true
            }
        }
    }

    /// Whether the caller no longer reads.
    var hasLeft: Bool { otherEnd.hasLeft }
    /// Whether the other end has not read everything that was written.
    private var isWriting: Bool { !outgoing.isEmpty }
    private var isMonitor: Bool { if case .monitoring = work { true } else { false } }
    private var isAnswering: Bool { if case .answering = work { true } else { false } }

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
        // The server may release a connection while its handler still runs. A weak reference that the handler upgrades survives
        // that, an unowned one does not.
        clock.setEventHandler { [weak self] in self?.close() }
        clock.schedule(deadline: .distantFuture)
        clock.resume()
        token = watch.add(handle.raw) { [weak self] in self?.ready($0) }
    }

    /// Marks the request as being answered; until the reply no further request is handled.
    func await(_ id: RequestID) {
        work = .answering(id, nextPart: nil)
    }

    func monitor() {
        if case .answering(let id, _) = work { work = .monitoring(id) }
    }

    /// The bytes of replies that the other end has not read yet.
    var unreadBytes: Int { outgoing.count }

    var use: Admission.Use {
        if isMonitor { return .monitoring }
        if isWriting { return .stalled }
        if isAnswering || hasRequest { return .working }
        if handle.isOver { return .over }
        return incoming.isEmpty ? .idle : .stalled
    }

    /// Sends the reply to the current request, or its last part.
    func reply(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        if isAnswering { work = .none }
        push(bytes)
        proceed()
    }

    /// Sends a part of the reply; `whenWritable` is called when there is room for the next one.
    func reply(part bytes: [UInt8], whenWritable: @escaping () -> Void) {
        guard !isClosed, case .answering(let id, _) = work else { return }
        work = .answering(id, nextPart: whenWritable)
        push(bytes)
        setPatience()
    }

    /// Sends one event to a monitor. A monitor that does not read is disconnected.
    func send(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        guard outgoing.count + bytes.count <= Self.mostForMonitor else { return close() }
        push(bytes)
    }

    /// Handles the waiting request.
    func handleNext() {
        if case .waitingForTurn = work { work = .none }
        guard !isClosed, mayProceed, let end = incoming.firstIndex(of: Varlink.terminator) else { return }
        guard end < Self.mostIncoming else { return close() }
        let message = Varlink.parse(incoming[..<end])
        incoming = Array(incoming[(end + 1)...])
        handlers.received(self, message)
        proceed()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        handle.discardUnread()
        if let token { watch.remove(token) }
        clock.cancel()
        outgoing = []
        abandon()
        handlers.closed(self)
    }

    private func ready(_ what: SocketWatch.Interest) {
        awaited = []
        if isWriting, !what.isDisjoint(with: [.writing, .end]) {
            flush()
            if outgoing.isEmpty { proceed() }
        }
        if !isClosed, isReading, !what.isDisjoint(with: [.reading, .end]) { read() }
        arm()
    }

    /// Whether to read: enough is kept for the next request; the rest waits in the other end's buffer.
    private var isReading: Bool { !otherEnd.hasEnded && incoming.count <= Self.mostIncoming }

    /// Asks the watch for the next event.
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
            if case .left(let before) = otherEnd {
                otherEnd = .left(bytesRead: before + count)
                // Requests of a caller who has gone need no answer.
                if before + count > Self.mostIncoming { return close() }
            }
        case .later: return
        case .over:
            otherEnd = hasLeft ? .gone : .listening
            if handle.isHungUp { leave() }
        }
        proceed()
    }

    private var hasRequest: Bool { incoming.contains(Varlink.terminator) }

    /// Whether the next request may be handled: none is in progress, and the last reply has been read.
    private var mayProceed: Bool { !isAnswering && !isMonitor && !isWriting }

    private func proceed() {
        guard !isClosed else { return }
        defer { arm() }
        if mayProceed {
            if hasRequest {
                if case .waitingForTurn = work {
                } else {
                    work = .waitingForTurn
                    handlers.wantsTurn(self)
                }
            } else if otherEnd.hasEnded || incoming.count >= Self.mostIncoming {
                return close()
            }
        }
        setPatience()
    }

    /// Notes that the caller reads no replies any more; its earlier requests are still performed, in order.
    private func leave() {
        otherEnd = otherEnd.hasEnded ? .gone : .left(bytesRead: 0)
        outgoing = []
        isMonitor ? close() : abandon()
    }

    private func abandon() {
        switch work {
        case .answering(let id, _), .monitoring(let id):
            work = .none
            handlers.abandoned(id)
        case .none, .waitingForTurn: return
        }
    }

    private func push(_ bytes: [UInt8]) {
        guard !hasLeft else { return }
        let isIdle = !isWriting
        outgoing += bytes
        if isIdle { flush() }
    }

    private func flush() {
        while !outgoing.isEmpty {
            switch handle.send(outgoing) {
            case .bytes(let count):
                outgoing = outgoing.dropFirst(count)
            case .later:
                arm()
                return setPatience()
            case .over: return leave()
            }
        }
        outgoing = []
        guard case .answering(let id, let nextPart?) = work else { return }
        work = .answering(id, nextPart: nil)
        nextPart()
    }

    /// Starts, keeps or stops the timer: for an incomplete request, and for a reply that is not read.
    private func setPatience() {
        guard !isClosed else { return }
        let now = MonotonicClock.now()
        timeout.wait(for: awaitedOfCaller, at: now)
        guard timeout.deadlineUptime != alarm else { return }
        alarm = timeout.deadlineUptime
        clock.schedule(deadline: alarm.map { .now() + max(0, $0 - now) } ?? .distantFuture)
    }

    private var awaitedOfCaller: RequestTimeout.Wait {
        // A monitor may read at any time, but only a limited number of bytes is kept for it.
        if isMonitor { return .nothing }
        if isWriting { return .reply(unread: outgoing.count) }
        return !isAnswering && !incoming.isEmpty && !hasRequest ? .request : .nothing
    }
}
