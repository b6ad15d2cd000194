internal import Glibc

/// Delivers signals as messages: a separate thread waits for them, since signal handlers may do very little.
package enum Signals {
    /// Starts to deliver signals. To be called before any other thread is started, as threads inherit the blocked signals.
    /// - Parameter handle: receives SIGHUP, SIGTERM or SIGINT, on the thread that waits for them.
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
