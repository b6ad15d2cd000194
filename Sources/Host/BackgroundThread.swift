internal import Glibc

/// A thread for one piece of work. Dispatch's global queues would lend one, but their first use starts a timer in libdispatch
/// that wakes the program every second from then on.
package enum BackgroundThread {
    private final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    /// The stack size in bytes, of address space only. Looking up a name needs a deep stack in system libraries.
    private static let stackBytes = 2 << 20

    /// Runs `work` on a separate thread, which no signal interrupts.
    /// - Returns: false where the system grants no further thread; `work` is not run then.
    package static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var (every, own) = (sigset_t(), sigset_t())
        unsafe sigfillset(&every)
        // A thread inherits the signal mask of its creator.
        unsafe pthread_sigmask(SIG_SETMASK, &every, &own)
        let box = unsafe Unmanaged.passRetained(Box(work)).toOpaque()
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, &attributes,
            { raw in
                if let raw = unsafe raw { unsafe Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().work() }
                return nil
            }, box)
        unsafe pthread_sigmask(SIG_SETMASK, &own, nil)
        unsafe pthread_attr_destroy(&attributes)
        if code != 0 { unsafe Unmanaged<Box>.fromOpaque(box).release() }
        return code == 0
    }
}
