/// How long a caller may keep a connection waiting: for the rest of a request, or until it takes its reply. Times are seconds
/// of a clock that does not step.
package struct CallerPatience: Sendable {
    /// What the caller is waited for.
    package enum Wait: Sendable {
        case nothing, request, reply

        /// Seconds: a request is to be finished within them, a reply to be got on with.
        var limit: Double? {
            switch self {
            case .nothing: nil
            case .request: 5
            case .reply: 30
            }
        }
    }

    private var wait = Wait.nothing
    /// When the caller is given up.
    package private(set) var deadline: Double?

    package init() {}

    /// Waiting for the same as before goes on; it does not begin anew.
    package mutating func wait(for wanted: Wait, at now: Double) {
        guard wanted != wait else { return }
        wait = wanted
        deadline = wanted.limit.map { now + $0 }
    }

    /// The caller has taken a part of its reply. A request is not given more time by coming byte by byte.
    package mutating func progressed(at now: Double) {
        if wait == .reply { deadline = wait.limit.map { now + $0 } }
    }
}
