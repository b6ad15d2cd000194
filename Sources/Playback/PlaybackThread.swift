internal import CAlsa
internal import Glibc
internal import Synchronization

/// A POSIX thread with a name and, where the system grants it, real-time priority.
final class PlaybackThread: Sendable {
    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void
        /// An eventfd that becomes readable when the thread is done.
        let done = eventfd(0, Int32(EFD_CLOEXEC))

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }

        deinit { close(done) }
    }

    private let body: Body

    /// Creates the thread; nil where the system grants no further one.
    init?(name: String, run: @escaping @Sendable () -> Void) {
        let body = Body(name: name, run: run)
        self.body = body
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let context = unsafe Unmanaged.passRetained(body).toOpaque()
        let code = unsafe pthread_create(
            &thread, &attributes,
            { context in
                guard let context = unsafe context else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                unsafe adhand_name_thread(body.name)
                body.run()
                eventfd_write(body.done, 1)
                return nil
            }, context)
        unsafe pthread_attr_destroy(&attributes)
        guard code == 0 else {
            unsafe Unmanaged<Body>.fromOpaque(context).release()
            return nil
        }
    }

    /// - Parameter timeoutSeconds: seconds.
    /// - Returns: whether the thread has ended.
    @discardableResult
    func join(timeoutSeconds: Double) -> Bool {
        var waiting = pollfd(fd: body.done, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&waiting, 1, Int32(timeoutSeconds * 1000)) == 1
    }

    /// SCHED_RESET_ON_FORK of Linux' sched.h: child processes must not inherit the priority.
    private static let resetOnFork: Int32 = 0x4000_0000

    /// The time slice in nanoseconds: filling a device takes a millisecond, starting one far less; the kernel's usual slice is
    /// three milliseconds.
    private static let shortTurn: UInt64 = 200_000

    /// Requests real-time priority for the calling thread while sound depends on it, or gives it up.
    /// - Returns: whether the thread has it now. Without permission it keeps its priority and gets short slices, so that it runs
    ///     sooner when it wakes.
    @discardableResult
    static func setRealtime(_ wanted: Bool) -> Bool {
        var parameters = sched_param()
        // Just above the lowest real-time priority: ahead of everything ordinary, behind the system's own threads.
        parameters.sched_priority = wanted ? 5 : 0
        let policy = wanted ? SCHED_FIFO | resetOnFork : SCHED_OTHER
        let done = unsafe pthread_setschedparam(pthread_self(), policy, &parameters) == 0
        if wanted, !done { adhand_take_short_turns(shortTurn) }
        return done && wanted
    }
}
