import Host
import Protocol

/// A client on the control socket, in the test's own process.
struct Caller: ~Copyable {
    private let socket: LocalSocket
    private var rest: [UInt8] = []

    init(_ path: String) throws {
        socket = try LocalSocket.connect(to: SocketAddress(path), timeout: 5)
    }

    consuming func call<Answer>(_ method: MethodSignature<NoParameters, Answer>) throws -> Answer {
        try call(method, NoParameters())
    }

    consuming func call<Parameters, Answer>(
        _ method: MethodSignature<Parameters, Answer>, _ parameters: Parameters, as claim: CallerClaim? = nil
    ) throws -> Answer {
        try send(Varlink.call(method, parameters, as: claim))
        return try Varlink.read(Answer.self, from: receive() ?? []).document
    }

    /// All parts of the history.
    consuming func history(days: Int) throws -> [HistoryEntry] {
        try send(Varlink.call(.getHistory, HistoryParameters(days: days), more: true))
        var announcements: [HistoryEntry] = []
        while true {
            let (part, continues) = try Varlink.read(HistoryReply.self, from: receive(timeout: 30) ?? [])
            announcements += part.history.announcements
            if !continues { return announcements }
        }
    }

    borrowing func send(_ bytes: [UInt8]) throws {
        try socket.send(bytes, timeout: 5)
    }

    borrowing func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// The next message without its NUL; `nil` at the end of the connection.
    mutating func receive(timeout: Double = 10) throws -> [UInt8]? {
        while true {
            if let end = rest.firstIndex(of: Varlink.terminator) {
                defer { rest.removeSubrange(...end) }
                return Array(rest[..<end])
            }
            let bytes = try socket.receive(timeout: timeout)
            guard !bytes.isEmpty else { return nil }
            rest += bytes
        }
    }

    mutating func receiveText(timeout: Double = 10) throws -> String? {
        try receive(timeout: timeout).map { String(decoding: $0, as: UTF8.self) }
    }
}
