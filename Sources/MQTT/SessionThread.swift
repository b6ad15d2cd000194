internal import Glibc

/// A thread of its own for one piece of work, which no signal interrupts. Dispatch's global queues would wake the program every second.
enum SessionThread {
    private final class Box {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    /// Address space in bytes. Name look-ups go deep into other people's libraries.
    private static let stackSize = 1 << 20

    /// - Returns: false where the system grants no further thread; `work` is not run then.
    static func start(_ work: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setstacksize(&attributes, stackSize)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var (every, own) = (sigset_t(), sigset_t())
        unsafe sigfillset(&every)
        // A thread inherits the mask of the one that starts it.
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
