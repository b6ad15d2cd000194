internal import CSystemd
internal import Host

/// A service's notifications to systemd: ready, alive, reloading. Without a manager
/// (`NOTIFY_SOCKET` unset) every call does nothing. A call blocks while the manager does not read its socket.
package struct ServiceManager: Sendable {
    /// Half of the manager's watchdog time; `nil` if it has none.
    package let intervalSeconds: Double?

    package init() {
        var microseconds: UInt64 = 0
        let isAsked = unsafe sd_watchdog_enabled(0, &microseconds) > 0 && microseconds > 0
        intervalSeconds = isAsked ? Double(microseconds) / 2e6 : nil
    }

    package func ready() { notify("READY=1") }
    package func alive() { notify("WATCHDOG=1") }
    package func stopping() { notify("STOPPING=1") }

    /// - Parameter line: one line for `systemctl status`.
    package func status(_ line: String) { notify("STATUS=\(line)") }

    /// Reports a reload. The manager matches it to the requesting signal by this time of a monotonic clock.
    package func reloading(sinceUptime seconds: Double = MonotonicClock.now()) {
        notify("RELOADING=1\nMONOTONIC_USEC=\(UInt64(seconds * 1e6))")
    }

    private func notify(_ text: String) { _ = unsafe sd_notify(0, text) }
}
