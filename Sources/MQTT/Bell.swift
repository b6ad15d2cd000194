internal import CMosquitto
internal import Glibc

/// Ends the wait of the session's thread.
final class Bell: Sendable {
    /// An eventfd, readable from the ring until the answer; -1 where the system grants none.
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    func ring() {
        if descriptor >= 0 { eventfd_write(descriptor, 1) }
    }

    func answer() {
        var count: eventfd_t = 0
        if descriptor >= 0 { unsafe eventfd_read(descriptor, &count) }
    }

    /// Waits for a ring or for `socket`.
    /// - Returns: the events of `socket`.
    func wait(_ seconds: Double, socket: Int32 = -1, wantsWrite: Bool = false) -> Int16 {
        var requests = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN) | (wantsWrite ? Int16(POLLOUT) : 0), revents: 0),
        ]
        // Rounded up, so that the last millisecond is waited for and not spun through.
        let milliseconds = Int32(max(0, min(seconds * 1000, 1e9)).rounded(.up))
        _ = unsafe poll(&requests, nfds_t(requests.count), milliseconds)
        if requests[0].revents != 0 { answer() }
        return requests[1].revents
    }
}
