/// The time for which a caller may keep a connection waiting: for the rest of a request, or for reading its reply. Times are
/// seconds of a monotonic clock.
package struct RequestTimeout: Sendable {
    /// The step for which the server waits.
    package enum Wait: Sendable {
        case nothing, request
        /// The bytes of its reply that the caller has not read yet.
        case reply(unread: Int)

        /// The limit in seconds: for a whole request, or for some progress with a reply.
        fileprivate var limitSeconds: Double? {
            switch self {
            case .nothing: nil
            case .request: 5
            case .reply: 30
            }
        }

        /// Whether it is the same wait. Reading a part of a reply begins a new one; a request that arrives byte by byte does
        /// not.
        fileprivate func continues(_ earlier: Wait) -> Bool {
            switch (earlier, self) {
            case (.nothing, .nothing), (.request, .request): true
            case (.reply(let before), .reply(let unread)): unread >= before
            default: false
            }
        }
    }

    private var wait = Wait.nothing
    /// The time at which the connection is closed.
    package private(set) var deadlineUptime: Double?

    package init() {}

    /// Reports the present wait. Call it whenever something was read or written.
    package mutating func wait(for wanted: Wait, at now: Double) {
        let goesOn = wanted.continues(wait)
        wait = wanted
        if !goesOn { deadlineUptime = wanted.limitSeconds.map { now + $0 } }
    }
}
