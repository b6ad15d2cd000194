internal import CLinux
internal import Glibc
package import PrayerEngine

/// The system's wall clock (CLOCK_REALTIME), which may step either way. The time of day is read only here.
package enum WallClock {
    package static func now() -> Instant {
        Instant(unixSeconds: seconds(of: CLOCK_REALTIME))
    }

    /// Whether a time service keeps the clock, according to the kernel, which learns it from chrony, systemd-timesyncd or ntpd
    /// (adjtimex(2)).
    package static var isSynchronized: Bool {
        var state = timex()
        let verdict = unsafe adjtimex(&state)
        return verdict >= 0 && verdict != TIME_ERROR && state.status & STA_UNSYNC == 0
    }
}

/// Seconds of CLOCK_MONOTONIC: for durations and timeouts; it never steps, and stops in suspend, unlike `Uptime` in `Clocks`.
package enum MonotonicClock {
    package static func now() -> Double { seconds(of: CLOCK_MONOTONIC) }
}

private func seconds(of clock: clockid_t) -> Double {
    var time = timespec()
    // Fails only for a clock that the kernel lacks; both are older than any kernel that runs this.
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
