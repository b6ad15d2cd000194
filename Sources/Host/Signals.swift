internal import Glibc

/// Signals as messages: a thread of its own waits for them, as little may be done where they arrive.
package enum Signals {
    /// To be called before any other thread is started, as they inherit what is blocked.
    /// - Parameter handle: is given SIGHUP, SIGTERM or SIGINT, on the thread that waits for them.
    package static func follow(_ handle: @escaping @Sendable (Int32) -> Void) {
        signal(SIGPIPE, SIG_IGN)
        var wanted = sigset_t()
        unsafe sigemptyset(&wanted)
        for number in [SIGHUP, SIGTERM, SIGINT] { unsafe sigaddset(&wanted, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &wanted, nil)
        _ = BackgroundThread.start {
            var wanted = sigset_t()
            unsafe sigemptyset(&wanted)
            for number in [SIGHUP, SIGTERM, SIGINT] { unsafe sigaddset(&wanted, number) }
            while true {
                var number: Int32 = 0
                if unsafe sigwait(&wanted, &number) == 0 { handle(number) }
            }
        }
    }
}
