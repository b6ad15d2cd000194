internal import Synchronization

/// The loop of a session's thread: attempts, the connection, pauses.
struct SessionLoop {
    /// Seconds for a name look-up, the connection and the broker's answer together.
    static let attemptSeconds = 15.0
    /// Seconds for the last messages before a disconnect.
    static let farewellSeconds = 2.0
    /// The most messages that the broker has not acknowledged yet.
    static let mostInFlight = 20
    /// The seconds without acknowledgement after which the kernel abandons a connection.
    static let silenceSeconds = 45

    private enum Ending {
        case stopped
        case refused(MQTTError)
        case lost(MQTTError)
    }

    private let session: MQTTSession
    private var policy: ReconnectPolicy
    /// Messages that the broker has not acknowledged, by the library's numbers.
    private var inFlight: [Int32: Int?] = [:]
    private var subscribed: [Int32: Int] = [:]
    /// The time since when the broker has acknowledged nothing although messages wait.
    private var unansweredSince: Double?

    init(_ session: MQTTSession) {
        self.session = session
        policy = session.settings.wasCloned ? ReconnectPolicy(clonedAt: session.now()) : ReconnectPolicy()
        policy.longestPause = session.settings.longestPauseSeconds
    }

    mutating func run() {
        var index = 0
        while !isStopping {
            let ending = attempt(index)
            let seconds: Double
            switch ending {
            case .stopped:
                seconds = 0
            case .refused(let error):
                let isLast = index == session.settings.brokers.count - 1
                seconds =
                    isLast
                    ? policy.nextPause(after: error, at: session.now(), chance: session.chance()) : 0
                session.handler(.refused(error, broker: index, pauseSeconds: seconds))
                index = isLast ? 0 : index + 1
            case .lost(let error):
                seconds = policy.nextPause(after: error, at: session.now(), chance: session.chance())
                let clonedUntil = policy.clonedUntil
                session.shared.withLock { $0.clonedUntil = clonedUntil }
                session.handler(.disconnected(error))
                index = 0
            }
            pause(seconds)
        }
        session.handler(.stopped)
    }

    private var isStopping: Bool { session.shared.withLock { $0.isStopping } }

    private func pause(_ seconds: Double) {
        let end = session.now() + seconds
        while !isStopping {
            let left = end - session.now()
            guard left > 0 else { return }
            session.wakeSignal.pause(left)
        }
    }

    private mutating func attempt(_ index: Int) -> Ending {
        let deadline = session.now() + Self.attemptSeconds
        guard
            let connecting = ConnectionAttempt.start(
                session.settings, session.settings.brokers[index], wakeSignal: session.wakeSignal)
        else {
            pause(Self.attemptSeconds)
            return isStopping ? .stopped : .refused(.timedOut)
        }
        while true {
            if let result = connecting.consumeResult() {
                switch result {
                case .failure(let error): return .refused(error)
                case .success(let handle):
                    defer { handle.destroy() }
                    return serve(handle, index, until: deadline)
                }
            }
            let left = deadline - session.now()
            guard left > 0, !isStopping else {
                connecting.abandon()
                return isStopping ? .stopped : .refused(.timedOut)
            }
            session.wakeSignal.pause(left)
        }
    }

    /// Serves a connection from its beginning to its end.
    private mutating func serve(
        _ handle: ConnectedHandle, _ index: Int, until deadline: Double
    ) -> Ending {
        handle.limitSilence(seconds: Self.silenceSeconds)
        var keepalive = Double(session.settings.keepaliveSeconds)
        var isConnected = false
        var lastSent = session.now()
        var farewellEnd: Double?
        (inFlight, subscribed, unansweredSince) = ([:], [:], nil)
        defer { forget() }
        while true {
            if isStopping {
                guard isConnected else { return .stopped }
                let end = farewellEnd ?? session.now() + Self.farewellSeconds
                farewellEnd = end
                if inFlight.isEmpty && isQueueEmpty || session.now() >= end {
                    handle.disconnect()
                    return .stopped
                }
            }
            let pingAt = lastSent + keepalive + 0.05
            let answerBy = unansweredSince.map { $0 + session.settings.acknowledgementSeconds } ?? .infinity
            let wake = farewellEnd ?? (isConnected ? min(pingAt, answerBy) : deadline)
            let events = session.wakeSignal.wait(
                wake - session.now(), socket: handle.socket, wantsWrite: handle.wantsWrite)
            var error: MQTTError?
            if events & ~Self.writable != 0 { error = handle.read() }
            if error == nil, events & Self.writable != 0 { error = handle.write() }
            if error == nil { error = handle.keepAlive() }
            let now = session.now()
            if now >= pingAt, isConnected { lastSent = now }
            for callback in handle.sink.drain() {
                switch callback {
                case .connect(let code, let seconds):
                    if let refusal = MQTTError(connectCode: code) { return .refused(refusal) }
                    isConnected = true
                    keepalive = Self.keepalive(seconds ?? session.settings.keepaliveSeconds)
                    policy.connected(at: now)
                    subscribe(handle)
                    lastSent = now
                    session.shared.withLock { $0.isConnected = true }
                    session.handler(.connected(broker: index))
                case .disconnect(let code):
                    error = MQTTError(reasonCode: code) ?? error ?? handle.sink.encryption
                case .message(let message):
                    // The acknowledgement was sent with it.
                    lastSent = now
                    session.handler(.received(message))
                case .published(let id, let code):
                    unansweredSince = now
                    if let number = inFlight.removeValue(forKey: id) ?? nil {
                        session.handler(.delivered(number, MQTTError(reasonCode: code)))
                    }
                case .subscribed(let id, let code):
                    if let filter = subscribed.removeValue(forKey: id),
                        let refusal = MQTTError(reasonCode: code)
                    {
                        session.handler(.subscriptionRefused(filter, refusal))
                    }
                }
            }
            if let error = error ?? (handle.socket < 0 ? handle.sink.encryption ?? .connectionLost : nil) {
                return isStopping && isConnected ? .stopped : isConnected ? .lost(error) : .refused(error)
            }
            guard isConnected else {
                if now >= deadline { return .refused(.timedOut) }
                continue
            }
            if inFlight.isEmpty { unansweredSince = nil }
            // Give up a broker that answers pings but accepts no messages, because another broker might.
            if let unansweredSince, now - unansweredSince >= session.settings.acknowledgementSeconds {
                return .lost(.timedOut)
            }
            if send(handle) {
                lastSent = session.now()
                unansweredSince = unansweredSince ?? lastSent
            }
        }
    }

    /// The seconds between two pings; a broker that wants none sends 0.
    private static func keepalive(_ seconds: Int) -> Double { seconds > 0 ? Double(seconds) : 3600 }

    /// The value of POLLOUT.
    private static let writable: Int16 = 4

    private mutating func subscribe(_ handle: ConnectedHandle) {
        for (index, filter) in session.settings.subscriptions.enumerated() {
            switch handle.subscribe(
                to: filter, keepsRetainFlag: session.settings.keepsRetainFlag)
            {
            case .success(let id): subscribed[id] = index
            // The end of the session is reported separately.
            case .failure(.connectionLost): break
            case .failure(let error): session.handler(.subscriptionRefused(index, error))
            }
        }
    }

    private var isQueueEmpty: Bool { session.shared.withLock { $0.queue.isEmpty } }

    /// Sends as many messages as the broker has room for.
    /// - Returns: whether anything was sent.
    private mutating func send(_ handle: ConnectedHandle) -> Bool {
        var hasSent = false
        while inFlight.count < Self.mostInFlight {
            let next: MQTTSession.Outgoing? = session.shared.withLock { shared in
                guard !shared.queue.isEmpty else { return nil }
                let next = shared.queue.removeFirst()
                shared.bytes = max(0, shared.bytes - next.publication.byteCount)
                return next
            }
            guard let next else { break }
            hasSent = true
            switch handle.publish(next.publication) {
            case .success(let id): inFlight[id] = .some(next.number)
            case .failure(let error):
                if let number = next.number { session.handler(.delivered(number, error)) }
            }
        }
        return hasSent
    }

    /// Reports every unacknowledged message as lost, and forgets it.
    private mutating func forget() {
        let left = session.shared.withLock { shared in
            defer {
                shared.queue = []
                (shared.bytes, shared.isConnected) = (0, false)
            }
            return shared.queue.compactMap(\.number)
        }
        for number in inFlight.values.compactMap({ $0 }) + left {
            session.handler(.delivered(number, .connectionLost))
        }
        inFlight = [:]
    }
}
