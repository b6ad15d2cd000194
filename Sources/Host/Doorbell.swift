internal import CLinux
internal import Glibc
internal import Synchronization

/// Ends another thread's wait, so that it need not look every second whether there is something to do.
public final class Doorbell: Sendable {
    /// An eventfd, readable from the ring until the answer; -1 where the system grants none: who waits then waits out the time.
    public let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    private let rung = Atomic(false)

    public init() {}

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    public var isRung: Bool { rung.load(ordering: .acquiring) }

    public func ring() {
        rung.store(true, ordering: .releasing)
        if descriptor >= 0 { eventfd_write(descriptor, 1) }
    }

    /// From here on a further ring is waited for.
    public func answer() {
        var count: eventfd_t = 0
        if descriptor >= 0 { unsafe eventfd_read(descriptor, &count) }
        rung.store(false, ordering: .releasing)
    }

    /// Waits `seconds`, or until it is rung.
    public func wait(_ seconds: Double) {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Rounded up, so that the last millisecond is waited for and not spun through.
        _ = unsafe poll(&request, 1, Int32(max(0, min(seconds * 1000, 1e9)).rounded(.up)))
    }
}
