internal import CSystemd
internal import Host

/// systemd, as a service speaks to it: that it is ready, lives, and reads its file again. Without a manager
/// (`NOTIFY_SOCKET` unset) every call does nothing. A call waits for a manager that does not read its socket.
package struct ServiceManager: Sendable {
    /// Half the time within which the manager wants a sign of life; `nil` where it wants none.
    package let intervalSeconds: Double?

    package init() {
        var microseconds: UInt64 = 0
        let isAsked = unsafe sd_watchdog_enabled(0, &microseconds) > 0 && microseconds > 0
        intervalSeconds = isAsked ? Double(microseconds) / 2e6 : nil
    }

    package func ready() { notify("READY=1") }
    package func alive() { notify("WATCHDOG=1") }
    package func stopping() { notify("STOPPING=1") }

    /// - Parameter line: for `systemctl status`, of one line.
    package func status(_ line: String) { notify("STATUS=\(line)") }

    /// The manager pairs a reload with the signal that asked for it by this time, of a clock that never steps.
    package func reloading(sinceUptime seconds: Double = WallClock.monotonic()) {
        notify("RELOADING=1\nMONOTONIC_USEC=\(UInt64(seconds * 1e6))")
    }

    private func notify(_ text: String) { _ = unsafe sd_notify(0, text) }
}
