import Host
public import Protocol

/// The client's end of adhand's control socket, for every program that talks to it.
///
///     let client = ControlClient()
///     let status = try client.call(.getStatus).status
///     try client.call(.mute, MuteParameters(duration: "2h"))
///     let parts = try client.collect(.getHistory, HistoryParameters(days: 365))
///
///     var monitor = ControlMonitor(client, snapshot: true)
///     while true {
///         switch try monitor.next(withinSeconds: 60) {
///         case .connected(let status): …     // also after adhand was restarted
///         case .event(let entry): …
///         case .nothing: …                   // the 60 s are over
///         case .lost(let failure): …         // adhand has gone; the monitor goes on looking for it
///         }
///     }
///
/// A call waits on the thread that makes it, so a program with a loop makes it on a thread of its own. The value itself holds no
/// connection and may be used from several threads.
///
/// Every call is one connection, waits no longer than its limit, and throws a ``ControlClientError`` with a sentence. What is
/// returned may be shown on a terminal: it holds no control characters.
public struct ControlClient: Sendable {
    /// The path of the control socket that every call connects to.
    public let socket: String

    /// Seconds after which a silent daemon is considered stuck.
    public static let patienceSeconds = 10.0
    /// Seconds where the answer depends on sound: devices are tried, and up to 30 s of silence may be configured to precede it.
    public static let patienceForSoundSeconds = 45.0

    /// Makes a client. Nothing is opened before the first call.
    /// - Parameter socket: the path of the control socket; ``init()`` finds the one that adhanctl would use.
    public init(socket: String) {
        self.socket = socket
    }

    /// Makes a client of the adhand that adhanctl would use: $ADHAND_SOCKET, the user's own, or else the system's.
    public init() {
        self.init(socket: Paths.clientSocket(option: nil, in: .process))
    }

    /// Calls a method that has one answer, and waits for it.
    ///
    /// An error does not tell whether adhand carried the call out, unless it is ``ControlClientError/refused(_:)``: the answer alone
    /// may have been lost. ``ControlClientError/isDone`` tells a change that was made and could not be saved.
    /// - Parameters:
    ///   - method: the method, such as `.mute`.
    ///   - parameters: the method's parameters.
    ///   - claim: for whom the caller acts, of a method that changes something.
    ///   - patienceSeconds: the longest wait, from the question to the answer's last byte. ``patienceForSoundSeconds`` suits a
    ///     method whose answer waits for sound. Connecting and sending take no longer than ``patienceSeconds`` each, whatever it is.
    /// - Returns: the answer. Its texts hold no control characters.
    /// - Throws: ``ControlClientError/refused(_:)`` where adhand answers with an error; ``ControlClientError/path(_:)``,
    ///   ``ControlClientError/notPermitted(_:)`` or ``ControlClientError/unreachable(_:)`` where there is no connection;
    ///   ``ControlClientError/hangs(path:method:seconds:)`` where no answer comes in time,
    ///   ``ControlClientError/closed(method:)`` where the connection ends before it;
    ///   ``ControlClientError/unreadable(path:)`` for an answer that is not of the method's type;
    ///   ``ControlClientError/request(method:)`` for parameters that cannot be written as JSON.
    @discardableResult
    public func call<Parameters, Answer>(
        _ method: MethodSignature<Parameters, Answer>, _ parameters: Parameters, as claim: CallerClaim? = nil,
        patienceSeconds: Double = patienceSeconds
    ) throws(ControlClientError) -> Answer {
        try callReturningServerUser(method, parameters, as: claim, patienceSeconds: patienceSeconds).document
    }

    /// Calls a method without parameters as ``call(_:_:as:patienceSeconds:)`` does.
    @discardableResult
    public func call<Answer>(
        _ method: MethodSignature<NoParameters, Answer>, as claim: CallerClaim? = nil,
        patienceSeconds: Double = patienceSeconds
    ) throws(ControlClientError) -> Answer {
        try call(method, NoParameters(), as: claim, patienceSeconds: patienceSeconds)
    }

    /// Calls a method as ``call(_:_:as:patienceSeconds:)`` does, and returns the user whose program answered, too.
    /// - Parameters:
    ///   - method: the method, such as `.mute`.
    ///   - parameters: the method's parameters.
    ///   - claim: for whom the caller acts, of a method that changes something.
    ///   - patienceSeconds: the longest wait, from the question to the answer's last byte.
    /// - Returns: the answer, and the user whose program listens on the socket, as the kernel says; `nil` where it does not.
    /// - Throws: as ``call(_:_:as:patienceSeconds:)`` does.
    public func callReturningServerUser<Parameters, Answer>(
        _ method: MethodSignature<Parameters, Answer>, _ parameters: Parameters, as claim: CallerClaim? = nil,
        patienceSeconds: Double = patienceSeconds
    ) throws(ControlClientError) -> (document: Answer, server: UInt32?) {
        var connection = try send(
            method, parameters, as: claim, more: false, patienceSeconds: patienceSeconds)
        let server = connection.server
        let (document, _) = try next(of: method, from: &connection, patienceSeconds: patienceSeconds)
        return (document, server)
    }

    /// Calls a method without parameters as ``callReturningServerUser(_:_:as:patienceSeconds:)`` does.
    public func callReturningServerUser<Answer>(
        _ method: MethodSignature<NoParameters, Answer>, as claim: CallerClaim? = nil,
        patienceSeconds: Double = patienceSeconds
    ) throws(ControlClientError) -> (document: Answer, server: UInt32?) {
        try callReturningServerUser(method, NoParameters(), as: claim, patienceSeconds: patienceSeconds)
    }

    /// Calls a method whose answer comes in parts, such as `.getHistory`, and waits for all of them.
    /// - Parameters:
    ///   - method: the method.
    ///   - parameters: the method's parameters.
    ///   - patienceSeconds: the longest wait for one part.
    ///   - limits: the bounds of all parts together.
    /// - Returns: the parts in the order in which they came.
    /// - Throws: ``ControlClientError/endless(path:method:_:)`` beyond the bounds, and as ``call(_:_:as:patienceSeconds:)`` does.
    public func collect<Parameters, Answer>(
        _ method: MethodSignature<Parameters, Answer>, _ parameters: Parameters,
        patienceSeconds: Double = patienceSeconds, limits: AnswerLimits = AnswerLimits()
    ) throws(ControlClientError) -> [Answer] {
        var connection = try send(method, parameters, more: true, patienceSeconds: patienceSeconds)
        let deadline = MonotonicClock.now() + limits.seconds
        var parts: [Answer] = []
        while true {
            let left = deadline - MonotonicClock.now()
            guard left > 0, connection.received <= limits.bytes else {
                throw .endless(path: socket, method: method.name, limits)
            }
            let (part, continues) = try next(
                of: method, from: &connection, patienceSeconds: min(patienceSeconds, left))
            parts.append(part)
            if !continues { return parts }
        }
    }

    /// The limits for all parts of one answer together. Years of history are some megabytes and arrive within a second; an
    /// endless answer is not from a daemon.
    public struct AnswerLimits: Sendable, Equatable {
        /// The most bytes.
        public var bytes: Int
        /// The longest time.
        public var seconds: Double

        /// Makes bounds; the defaults suit a daemon's answers.
        public init(bytes: Int = 64 << 20, seconds: Double = 60) {
            (self.bytes, self.seconds) = (bytes, seconds)
        }
    }

    /// Connects and sends the request.
    func send<Parameters, Answer>(
        _ method: MethodSignature<Parameters, Answer>, _ parameters: Parameters, as claim: CallerClaim? = nil,
        more: Bool, patienceSeconds: Double
    ) throws(ControlClientError) -> ControlConnection {
        guard let message = try? Varlink.call(method, parameters, as: claim, more: more) else {
            throw .request(method: method.name)
        }
        do throws(SocketError) {
            let limit = min(patienceSeconds, Self.patienceSeconds)
            let connection = try ControlConnection(path: socket, patienceSeconds: limit)
            try connection.send(message, patienceSeconds: limit)
            return connection
        } catch {
            throw ControlClientError(error)
        }
    }

    private func next<Parameters, Answer>(
        of method: MethodSignature<Parameters, Answer>, from connection: inout ControlConnection,
        patienceSeconds: Double
    ) throws(ControlClientError) -> (document: Answer, continues: Bool) {
        let arrival: ControlConnection.Arrival
        do throws(SocketError) {
            arrival = try connection.receive(within: patienceSeconds, whole: patienceSeconds)
        } catch {
            throw ControlClientError(error)
        }
        switch arrival {
        case .message(let message): return try read(Answer.self, message)
        case .closed: throw .closed(method: method.name)
        case .timedOut: throw .hangs(path: socket, method: method.name, seconds: patienceSeconds)
        }
    }

    func read<Document: ReplyDocument>(
        _ type: Document.Type, _ message: [UInt8]
    ) throws(ControlClientError) -> (document: Document, continues: Bool) {
        do {
            return try Varlink.read(type, from: message)
        } catch let error as ControlError {
            throw .refused(error)
        } catch {
            throw .unreadable(path: socket)
        }
    }
}
