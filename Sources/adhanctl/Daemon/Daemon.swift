import AdhanCore
import Host

/// The daemon as this program knows it: a socket to ask.
struct Daemon {
    let path: String

    /// Seconds after which a daemon that says nothing is taken to hang.
    static let patience: Double = 10
    /// Where the answer waits for sound: devices are tried, and up to 30 s of silence may be configured to come first.
    static let patienceForSound: Double = 45

    init(socket: String?) {
        path = Paths.clientSocket(option: socket, in: .process)
    }

    /// One question, one answer.
    func ask<Document: ReplyDocument>(
        _ method: String, _ parameters: some Codable & Sendable = NoParameters(), for type: Document.Type,
        patience: Double = patience
    ) throws(Refusal) -> Document {
        var connection = try connect(patience: min(patience, Self.patience))
        try send(method, parameters, more: false, over: connection)
        switch try receive(from: &connection, patience: patience) {
        case .message(let message): return try read(type, message).document
        case .closed: throw Refusal(.unreachable, "adhand closed the connection before it answered \(method)")
        case .timedOut:
            var refusal = Refusal(
                .unreachable,
                "adhand at \"\(path)\" did not answer \(method) within \(Int(patience)) s; look at "
                    + "\"journalctl -u adhand\", or restart it with \"sudo systemctl restart adhand\"")
            refusal.isHang = true
            throw refusal
        }
    }

    /// What a command that changes something answers: its sentence, or the document.
    func tell(
        _ method: String, _ parameters: some Codable & Sendable = NoParameters(), patience: Double = patience,
        on output: Output
    ) throws(Refusal) {
        let said = try ask(method, parameters, for: SaidReply.self, patience: patience)
        try output.show(said) { _ in said.message + "\n" }
        guard !output.json else { return }
        for problem in said.problems ?? [] { StandardError.say("adhanctl: warning: \(problem)") }
    }

    /// Every event as it happens. `each` is given the event, or `nil` when none came within the seconds that it asked for
    /// the last time; it returns how long to wait for the next one (`nil`: for ever). Ends only by an error.
    func monitor(_ each: (LogEntry?) throws(Refusal) -> Double?) throws(Refusal) -> Never {
        var connection = try connect()
        try send("Monitor", NoParameters(), more: true, over: connection)
        var wait = try each(nil)
        while true {
            switch try receive(from: &connection, patience: wait) {
            case .message(let message): wait = try each(try read(MonitorReply.self, message).document.event)
            case .timedOut: wait = try each(nil)
            case .closed: throw Refusal(.unreachable, "adhand has ended; \(Self.howToStart)")
            }
        }
    }

    private func connect(patience: Double = patience) throws(Refusal) -> Connection {
        do throws(SocketError) {
            return try Connection(path: path, patience: patience)
        } catch {
            throw unreachable(error)
        }
    }

    private func send(
        _ method: String, _ parameters: some Codable & Sendable, more: Bool,
        over connection: borrowing Connection
    ) throws(Refusal) {
        let message: [UInt8]
        do {
            message = try Varlink.call(method, parameters, more: more)
        } catch {
            throw Refusal(.failed, "cannot write the request \(method) as JSON: \(error)")
        }
        do throws(SocketError) {
            try connection.send(message, patience: Self.patience)
        } catch {
            throw unreachable(error)
        }
    }

    private func receive(
        from connection: inout Connection, patience: Double?
    ) throws(Refusal) -> Connection.Arrival {
        do throws(SocketError) {
            return try connection.receive(patience: patience)
        } catch {
            throw unreachable(error)
        }
    }

    private func read<Document: ReplyDocument>(
        _ type: Document.Type, _ message: [UInt8]
    ) throws(Refusal) -> (document: Document, continues: Bool) {
        do {
            return try Varlink.read(type, from: message)
        } catch let error as ControlError {
            throw Refusal(error)
        } catch {
            throw Refusal(
                .failed,
                "adhand at \"\(path)\" answered with something that adhanctl \(adhandVersion) cannot read; "
                    + "are both of the same version?")
        }
    }

    private func unreachable(_ error: SocketError) -> Refusal {
        if case .path = error { return Refusal(.usage, error.message) }
        if error.isPermission {
            var refusal = Refusal(
                .notPermitted, "\(error.message); run adhanctl as the user who runs adhand, or with sudo")
            refusal.cause = error.message
            return refusal
        }
        var refusal = Refusal(.unreachable, "cannot reach adhand: \(error.message); \(Self.howToStart)")
        if case .timedOut = error { refusal.isHang = true }
        refusal.cause = error.message
        return refusal
    }

    private static let howToStart =
        "start it with \"sudo systemctl start adhand\", or in a checkout with \"make run\""
}
