import CommandKit
import Glibc
import Synchronization

/// The work that is undone when somebody presses Ctrl-C, or the machine shuts down, in the middle of adding a sound.
package enum Interruption {
    private struct Unfinished {
        /// Temporary files by name, in the directory with this descriptor.
        var directory: Int32 = -1
        var temporaries: [String] = []
        var child: Int32?
    }

    private static let unfinished = Mutex(Unfinished())

    /// From here on SIGINT, SIGTERM and SIGHUP clean up before they end the program. To be called before any other thread
    /// exists; `directory` stays open until the program ends.
    package static func watch(directory: Int32) {
        unfinished.withLock { $0.directory = directory }
        var signals = endings
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A limit on the size of files is a disk that is full: an error to report, not a signal to die of.
        signal(SIGXFSZ, SIG_IGN)
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { _ in
                var signals = Interruption.endings
                var number: Int32 = 0
                while unsafe sigwait(&signals, &number) != 0 {}
                Interruption.end(by: number)
                return nil
            }, nil)
        // Without the thread they end the program as ever, and the next run cleans up.
        if code != 0 { unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    }

    static func began(_ temporary: String) { unfinished.withLock { $0.temporaries.append(temporary) } }

    static func finished(_ temporary: String) {
        unfinished.withLock { $0.temporaries.removeAll { $0 == temporary } }
    }

    /// `change` starts another program that works for us, or buries it, and tells which one there is now. No signal comes in
    /// between, so that none is missed.
    static func runs(_ change: () -> Int32?) { unfinished.withLock { $0.child = change() } }

    private static func end(by number: Int32) {
        unfinished.withLock { unfinished in
            if let child = unfinished.child { kill(-child, SIGKILL) }
            for name in unfinished.temporaries { _ = unsafe unlinkat(unfinished.directory, name, 0) }
            if !unfinished.temporaries.isEmpty {
                StandardError.write("adhanctl: interrupted; nothing was added")
            }
            // The parent process sees how we ended. The lock is never given back: nothing goes on from here.
            signal(number, SIG_DFL)
            var signals = endings
            unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            raise(number)
        }
    }

    private static var endings: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, number) }
        return signals
    }
}
