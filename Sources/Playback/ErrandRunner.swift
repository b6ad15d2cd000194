internal import CAlsa
internal import Glibc
internal import Synchronization

/// A thread for work that may block for ever, so that whoever needs it can stop waiting.
///
/// Whatever has to hear from a sound server (opening, starting, closing) hangs inside that server's library
/// when the server is stopped or wedged. An errand runner that hangs costs one thread, asleep.
final class ErrandRunner: Sendable {
    private enum State<Outcome: Sendable>: Sendable {
        case running
        case done(Outcome)
        case abandoned
    }

    private final class Slip<Outcome: Sendable>: Sendable {
        let state = Mutex(State<Outcome>.running)
    }

    /// What both sides hold on to, for as long as either needs it.
    private final class Desk: Sendable {
        /// The errand to run next; it answers whether there may be another after it.
        let errand = Mutex<(@Sendable () -> Bool)?>(nil)
        /// Eventfds: readable when there is an errand, or none ever again; when an errand is done.
        let called = eventfd(0, Int32(EFD_CLOEXEC))
        let finished = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))

        deinit {
            close(called)
            close(finished)
        }

        func serve() {
            var count: eventfd_t = 0
            while true {
                while unsafe eventfd_read(called, &count) < 0, errno == EINTR {}
                let errand = self.errand.withLock { errand in
                    defer { errand = nil }
                    return errand
                }
                guard let errand, errand() else { return }
                eventfd_write(finished, 1)
            }
        }
    }

    private let desk: Desk

    /// Nil where the system grants no further thread.
    init?(name: String) {
        let desk = Desk()
        guard PlaybackThread(name: name, run: desk.serve) != nil else { return nil }
        self.desk = desk
    }

    /// The thread ends as soon as it is free.
    deinit { eventfd_write(desk.called, 1) }

    /// One errand at a time. Once one was not done in time, this runner takes no more.
    /// - Parameters:
    ///   - timeout: seconds to wait.
    ///   - work: must not rely on the caller's thread.
    ///   - late: gets the outcome, on the runner's thread, when nobody waits for it any more.
    /// - Returns: the outcome, or nil once the time is over.
    func run<Outcome: Sendable>(
        timeout: Double, work: @escaping @Sendable () -> Outcome, late: @escaping @Sendable (Outcome) -> Void
    ) -> Outcome? {
        let slip = Slip<Outcome>()
        desk.errand.withLock {
            $0 = {
                let outcome = work()
                let wanted = slip.state.withLock { state in
                    if case .abandoned = state { return false }
                    state = .done(outcome)
                    return true
                }
                if !wanted { late(outcome) }
                return wanted
            }
        }
        eventfd_write(desk.called, 1)
        let deadline = Tick.now() + timeout
        while true {
            let left = deadline - Tick.now()
            var finished = pollfd(fd: desk.finished, events: Int16(POLLIN), revents: 0)
            unsafe poll(&finished, 1, Int32(max(0, left * 1000).rounded(.up)))
            var count: eventfd_t = 0
            unsafe eventfd_read(desk.finished, &count)
            let state = slip.state.withLock { state in
                if case .running = state, left <= 0 { state = .abandoned }
                return state
            }
            switch state {
            case .running: continue
            case .done(let outcome): return outcome
            case .abandoned: return nil
            }
        }
    }
}
