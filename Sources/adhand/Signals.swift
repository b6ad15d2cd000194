internal import Glibc

/// The signals that a daemon handles.
enum Signals {
    /// Blocks them in this thread and in every thread it starts. To be called before any other thread exists.
    static func block() {
        signal(SIGPIPE, SIG_IGN)
        var set = watched
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Waits for them for ever on the main thread, which has nothing else to do. A second request to end takes effect at once.
    static func wait(stop: @Sendable () -> Void, reload: @Sendable () -> Void) -> Never {
        var set = watched
        var stops = 0
        while true {
            var number: Int32 = 0
            guard unsafe sigwait(&set, &number) == 0 else { continue }
            switch number {
            case SIGHUP: reload()
            default:
                stops += 1
                if stops > 1 { _exit(128 + number) }
                stop()
            }
        }
    }

    private static var watched: sigset_t {
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
        return set
    }
}
