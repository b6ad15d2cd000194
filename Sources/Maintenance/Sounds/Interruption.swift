import CommandKit
import Glibc
import Synchronization

/// Cleans up if Ctrl-C or a shutdown interrupts the command while it adds a sound.
package enum Interruption {
    private struct Unfinished {
        /// The temporary files by name, in the directory with this descriptor.
        var directory: Int32 = -1
        var temporaries: [String] = []
        var child: Int32?
    }

    private static let unfinished = Mutex(Unfinished())

    /// Makes SIGINT, SIGTERM and SIGHUP clean up before they end the program. Call it before any other thread exists;
    /// `directory` stays open until the program ends.
    package static func watch(directory: Int32) {
        unfinished.withLock { $0.directory = directory }
        var signals = endings
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        // Exceeding a limit on file sizes is an error to report like a full disk, not a signal that ends the program.
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
        // Without the thread, signals end the program without cleaning up, and the next run cleans up.
        if code != 0 { unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
    }

    static func began(_ temporary: String) { unfinished.withLock { $0.temporaries.append(temporary) } }

    static func finished(_ temporary: String) {
        unfinished.withLock { $0.temporaries.removeAll { $0 == temporary } }
    }

    /// Records a child process: `change` starts or reaps it and returns the present one. The lock delays signals, so that none
    /// falls in between.
    static func runs(_ change: () -> Int32?) { unfinished.withLock { $0.child = change() } }

    private static func end(by number: Int32) {
        unfinished.withLock { unfinished in
            if let child = unfinished.child { kill(-child, SIGKILL) }
            for name in unfinished.temporaries { _ = unsafe unlinkat(unfinished.directory, name, 0) }
            if !unfinished.temporaries.isEmpty {
                StandardError.write("adhanctl: interrupted; nothing was added")
            }
            // End by the signal, so that the parent process sees it. The lock stays held, because nothing may run after this.
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
