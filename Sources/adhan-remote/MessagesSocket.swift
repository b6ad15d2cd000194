internal import Host
internal import PhoneRules
internal import Protocol

/// The door to adhan-bridge, which has the network that messages need: a line, and a line back. Waits, so it is called on a thread of
/// its own.
struct MessagesSocket: Sendable {
    let path: String

    /// The address that is set now; `nil` where nobody answers, as where the bridge is not installed.
    func state() -> MessagesReply? { try? ask(MessagesRequest(.show)) }

    /// - Throws: also what the bridge refuses.
    func perform(_ request: MessagesRequest) throws(RemoteRefusal) -> MessagesReply {
        let reply = try ask(request)
        if let refusal = reply.error { throw RemoteRefusal(reply, refusal) }
        return reply
    }

    private func ask(_ request: MessagesRequest) throws(RemoteRefusal) -> MessagesReply {
        let reply = LineConnection.ask(
            request, at: path, for: MessagesReply.self, most: MessagesReply.mostBytes,
            until: WallClock.monotonic() + MessagesRequest.longestSeconds)
        guard let reply else { throw .noMessages }
        return reply
    }
}
