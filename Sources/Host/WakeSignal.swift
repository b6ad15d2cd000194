internal import CLinux
internal import Glibc
internal import Synchronization

/// Ends another thread's wait, so that it need not look every second whether there is something to do.
public final class WakeSignal: Sendable {
    /// An eventfd, readable while the signal is set; -1 where the system grants none: who waits then waits out the time.
    public let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    /// Where there is no descriptor; with one, it alone says whether the signal is set.
    private let pending = Atomic(false)

    /// Makes a signal that is not set.
    public init() {}

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether it was set and has not been cleared since.
    public var isSet: Bool {
        guard descriptor >= 0 else { return pending.load(ordering: .acquiring) }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) == 1
    }

    /// Ends a wait that is under way, or else the next one. May be called on any thread; several before a clear count as one.
    public func set() {
        pending.store(true, ordering: .releasing)
        if descriptor >= 0 { eventfd_write(descriptor, 1) }
    }

    /// Clears it, so that the next wait lasts until it is set again.
    public func clear() {
        pending.store(false, ordering: .releasing)
        guard descriptor >= 0 else { return }
        var count: eventfd_t = 0
        unsafe eventfd_read(descriptor, &count)
    }

    /// Waits `seconds`, or until it is set; one that was set before ends the wait at once. A signal may end it early.
    public func wait(_ seconds: Double) {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Rounded up, so that the last millisecond is waited for and not spun through.
        _ = unsafe poll(&request, 1, Int32(max(0, min(seconds * 1000, 1e9)).rounded(.up)))
    }
}
