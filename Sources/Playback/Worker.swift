internal import CAlsa
internal import Clocks
internal import Glibc
internal import Recording
internal import Synchronization

/// A thread for work that may block for ever, so that the caller can stop waiting.
///
/// A call that needs an answer from a sound server (opening, starting, closing) hangs inside that server's library when the
/// server is stopped or wedged. A worker that hangs costs one sleeping thread.
final class Worker: Sendable {
    private enum State<Outcome: Sendable>: Sendable {
        case running
        case done(Outcome)
        case abandoned
    }

    private final class Pending<Outcome: Sendable>: Sendable {
        let state = Mutex(State<Outcome>.running)
    }

    /// The state that both sides keep for as long as either needs it.
    private final class Channel: Sendable {
        /// The task to run next; it returns whether another may follow it.
        let task = Mutex<(@Sendable () -> Bool)?>(nil)
        /// Eventfds: one is readable when there is a task, or never will be again; the other when a task is done.
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
                let task = self.task.withLock { task in
                    defer { task = nil }
                    return task
                }
                guard let task, task() else { return }
                eventfd_write(finished, 1)
            }
        }
    }

    private let channel: Channel

    /// Creates the worker; nil where the system grants no further thread.
    init?(name: String) {
        let channel = Channel()
        guard PlaybackThread(name: name, run: channel.serve) != nil else { return nil }
        self.channel = channel
    }

    /// The thread ends as soon as it is free.
    deinit { eventfd_write(channel.called, 1) }

    /// Runs one task at a time. After a task has timed out, this worker accepts no more.
    /// - Parameters:
    ///   - timeoutSeconds: seconds to wait.
    ///   - work: must not rely on the caller's thread.
    ///   - late: gets the outcome, on the worker's thread, when the caller has stopped waiting.
    /// - Returns: the outcome, or nil once the time is over.
    func run<Outcome: Sendable>(
        timeoutSeconds: Double, work: @escaping @Sendable () -> Outcome,
        late: @escaping @Sendable (Outcome) -> Void
    ) -> Outcome? {
        let pending = Pending<Outcome>()
        channel.task.withLock {
            $0 = {
                let outcome = work()
                let wanted = pending.state.withLock { state in
                    if case .abandoned = state { return false }
                    state = .done(outcome)
                    return true
                }
                if !wanted { late(outcome) }
                return wanted
            }
        }
        eventfd_write(channel.called, 1)
        let deadline = Uptime.now() + timeoutSeconds
        while true {
            let left = deadline - Uptime.now()
            var finished = pollfd(fd: channel.finished, events: Int16(POLLIN), revents: 0)
            unsafe poll(&finished, 1, Int32(max(0, left * 1000).rounded(.up)))
            var count: eventfd_t = 0
            unsafe eventfd_read(channel.finished, &count)
            let state = pending.state.withLock { state in
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
