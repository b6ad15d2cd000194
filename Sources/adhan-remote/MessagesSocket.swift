internal import Host
internal import PhoneRules
internal import Protocol

/// The socket of adhan-bridge, which has the network access that messages need. The protocol is a line each way. It blocks, so
/// it is called on a thread of its own.
struct MessagesSocket: Sendable {
    let path: String

    /// The current address; `nil` if there is no answer, as where the bridge is not installed.
    func state() -> MessagesReply? { try? ask(MessagesRequest(.show)) }

    /// - Throws: also for a refusal of the bridge.
    func perform(_ request: MessagesRequest) throws(RemoteRefusal) -> MessagesReply {
        let reply = try ask(request)
        if let refusal = reply.error { throw RemoteRefusal(reply, refusal) }
        return reply
    }

    private func ask(_ request: MessagesRequest) throws(RemoteRefusal) -> MessagesReply {
        let reply = LineConnection.ask(
            request, at: path, for: MessagesReply.self, most: MessagesReply.mostBytes,
            until: MonotonicClock.now() + MessagesRequest.longestSeconds)
        guard let reply else { throw .noMessages }
        return reply
    }
}
