internal import CSystemd
internal import Host

/// systemd, as a service speaks to it: that it is ready, lives, and reads its file again.
package struct ServiceManager {
    /// Seconds between two signs of life; `nil` where none are asked for.
    package let intervalSeconds: Double?

    package init() {
        var microseconds: UInt64 = 0
        let isAsked = unsafe sd_watchdog_enabled(0, &microseconds) > 0 && microseconds > 0
        intervalSeconds = isAsked ? Double(microseconds) / 2e6 : nil
    }

    package func ready() { _ = unsafe sd_notify(0, "READY=1") }
    package func alive() { _ = unsafe sd_notify(0, "WATCHDOG=1") }
    package func stopping() { _ = unsafe sd_notify(0, "STOPPING=1") }

    /// systemd wants the time by a clock that never steps, so that it knows which reload is meant.
    package func reloading() {
        let microseconds = UInt64(WallClock.monotonic() * 1e6)
        _ = unsafe sd_notify(0, "RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }
}
