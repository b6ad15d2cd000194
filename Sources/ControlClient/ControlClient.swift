import Host
package import Protocol

/// The client's end of adhand's control socket, for every program that talks to it.
///
///     let client = ControlClient()
///     let status = try client.call("GetStatus", for: StatusReply.self).status
///     try client.call("Mute", MuteParameters(duration: "2h"), for: SaidReply.self)
///     let parts = try client.collect("GetHistory", HistoryParameters(days: 365), for: HistoryReply.self)
///
///     var monitor = ControlMonitor(client, snapshot: true)
///     while true {
///         switch try monitor.next(within: 60) {
///         case .connected(let status): …     // also after adhand was restarted
///         case .event(let entry): …
///         case .nothing: …                   // the 60 s are over
///         case .lost(let failure): …         // adhand has gone; the monitor goes on looking for it
///         }
///     }
///
/// Every call is one connection, waits no longer than it is told to, and throws a ``ControlFailure`` with a sentence. What is
/// returned may be shown on a terminal: it holds no control characters.
package struct ControlClient: Sendable {
    package let socket: String

    /// Seconds after which a daemon that says nothing is taken to hang.
    package static let patience = 10.0
    /// Seconds where the answer waits for sound: devices are tried, and up to 30 s of silence may be configured to come first.
    package static let patienceForSound = 45.0

    package init(socket: String) {
        self.socket = socket
    }

    /// Asks the adhand that adhanctl would ask: $ADHAND_SOCKET, the user's own, or else the system's.
    package init() {
        self.init(socket: Paths.clientSocket(option: nil, in: .process))
    }

    /// One question, one answer, which has come whole within `patience` seconds.
    @discardableResult
    package func call<Document: ReplyDocument>(
        _ method: String, _ parameters: some Codable & Sendable = NoParameters(), for type: Document.Type,
        patience: Double = patience
    ) throws(ControlFailure) -> Document {
        try callKnowingServer(method, parameters, for: type, patience: patience).document
    }

    /// The same, and the user whose program listens on the socket, as the kernel says; `nil` where it does not.
    package func callKnowingServer<Document: ReplyDocument>(
        _ method: String, _ parameters: some Codable & Sendable = NoParameters(), for type: Document.Type,
        patience: Double = patience
    ) throws(ControlFailure) -> (document: Document, server: UInt32?) {
        var connection = try send(method, parameters, more: false, patience: patience)
        let server = connection.server
        return (try next(type, of: method, from: &connection, patience: patience).document, server)
    }

    /// One question, and every part of an answer that comes in several; `patience` seconds for each, and ``Whole`` for all.
    package func collect<Document: ReplyDocument>(
        _ method: String, _ parameters: some Codable & Sendable = NoParameters(), for type: Document.Type,
        patience: Double = patience, whole: Whole = Whole()
    ) throws(ControlFailure) -> [Document] {
        var connection = try send(method, parameters, more: true, patience: patience)
        let deadline = WallClock.monotonic() + whole.seconds
        var parts: [Document] = []
        while true {
            let left = deadline - WallClock.monotonic()
            guard left > 0, connection.received <= whole.bytes else {
                throw .endless(path: socket, method: method, whole)
            }
            let (part, continues) = try next(
                type, of: method, from: &connection, patience: min(patience, left))
            parts.append(part)
            if !continues { return parts }
        }
    }

    /// What all parts of one answer may take together. Years of history are some megabytes and come within a second; an answer
    /// without end is not a daemon's.
    package struct Whole: Sendable, Equatable {
        package var bytes: Int
        package var seconds: Double

        package init(bytes: Int = 64 << 20, seconds: Double = 60) {
            (self.bytes, self.seconds) = (bytes, seconds)
        }
    }

    /// A connection on which the question has been asked.
    func send(
        _ method: String, _ parameters: some Codable & Sendable, more: Bool, patience: Double
    ) throws(ControlFailure) -> ControlConnection {
        guard let message = try? Varlink.call(method, parameters, more: more) else {
            throw .request(method: method)
        }
        do throws(SocketError) {
            let limit = min(patience, Self.patience)
            let connection = try ControlConnection(path: socket, patience: limit)
            try connection.send(message, patience: limit)
            return connection
        } catch {
            throw ControlFailure(error)
        }
    }

    private func next<Document: ReplyDocument>(
        _ type: Document.Type, of method: String, from connection: inout ControlConnection, patience: Double
    ) throws(ControlFailure) -> (document: Document, continues: Bool) {
        let arrival: ControlConnection.Arrival
        do throws(SocketError) {
            arrival = try connection.receive(within: patience, whole: patience)
        } catch {
            throw ControlFailure(error)
        }
        switch arrival {
        case .message(let message): return try read(type, message)
        case .closed: throw .closed(method: method)
        case .timedOut: throw .hangs(path: socket, method: method, seconds: patience)
        }
    }

    func read<Document: ReplyDocument>(
        _ type: Document.Type, _ message: [UInt8]
    ) throws(ControlFailure) -> (document: Document, continues: Bool) {
        do {
            return try Varlink.read(type, from: message)
        } catch let error as ControlError {
            throw .refused(error)
        } catch {
            throw .unreadable(path: socket)
        }
    }
}
