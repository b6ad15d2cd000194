internal import Glibc
internal import Host

extension WakeSignal {
    /// Waits until it is set, and clears it, or for `socket`.
    /// - Returns: the events of `socket`.
    func wait(_ seconds: Double, socket: Int32, wantsWrite: Bool) -> Int16 {
        var requests = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket, events: Int16(POLLIN) | (wantsWrite ? Int16(POLLOUT) : 0), revents: 0),
        ]
        // Round up, so that the last millisecond is waited for instead of polled.
        let milliseconds = Int32(max(0, min(seconds * 1000, 1e9)).rounded(.up))
        _ = unsafe poll(&requests, nfds_t(requests.count), milliseconds)
        if requests[0].revents != 0 { clear() }
        return requests[1].revents
    }

    /// Waits until it is set, and clears it.
    func pause(_ seconds: Double) { _ = wait(seconds, socket: -1, wantsWrite: false) }
}
