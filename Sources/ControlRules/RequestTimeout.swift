/// How long a caller may keep a connection waiting: for the rest of a request, or until it takes its reply. Times are seconds
/// of a clock that does not step.
package struct RequestTimeout: Sendable {
    /// The step that the caller is waited for.
    package enum Wait: Sendable {
        case nothing, request
        /// Bytes of its reply that the caller has not taken yet.
        case reply(unread: Int)

        /// Seconds: a request is to be finished within them, a part of a reply to be taken.
        fileprivate var limitSeconds: Double? {
            switch self {
            case .nothing: nil
            case .request: 5
            case .reply: 30
            }
        }

        /// Whether it is the same wait. A partly taken reply begins a new one; a request that comes byte by byte does
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
    /// When the caller is given up.
    package private(set) var deadlineUptime: Double?

    package init() {}

    /// To be reported whenever something was read or written.
    package mutating func wait(for wanted: Wait, at now: Double) {
        let goesOn = wanted.continues(wait)
        wait = wanted
        if !goesOn { deadlineUptime = wanted.limitSeconds.map { now + $0 } }
    }
}
