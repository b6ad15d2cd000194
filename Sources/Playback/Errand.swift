internal import Synchronization

/// One piece of work that may block for ever, done on a thread of its own so that whoever needs it can stop
/// waiting.
///
/// Opening and closing a device can hang inside a sound server's library when that server is stopped or
/// wedged. A hanging errand costs one thread, asleep.
enum Errand {
    private enum State<Outcome: Sendable>: Sendable {
        case running
        case done(Outcome)
        case abandoned
    }

    private final class Slip<Outcome: Sendable>: Sendable {
        let state = Mutex(State<Outcome>.running)
    }

    /// - Parameters:
    ///   - timeout: seconds to wait.
    ///   - work: must not rely on the caller's thread.
    ///   - late: gets the outcome, on the errand's thread, when nobody waits for it any more.
    /// - Returns: the outcome, or nil once the time is over.
    static func run<Outcome: Sendable>(
        timeout: Double, work: @escaping @Sendable () -> Outcome, late: @escaping @Sendable (Outcome) -> Void
    ) -> Outcome? {
        let slip = Slip<Outcome>()
        let thread = PlaybackThread(name: "playback-device") {
            let outcome = work()
            let unwanted = slip.state.withLock { state in
                if case .abandoned = state { return true }
                state = .done(outcome)
                return false
            }
            if unwanted { late(outcome) }
        }
        // No thread to be had: better to risk blocking than to do nothing.
        guard let thread else { return work() }
        thread.join(timeout: timeout)
        return slip.state.withLock { state in
            if case .done(let outcome) = state { return outcome }
            state = .abandoned
            return nil
        }
    }
}
