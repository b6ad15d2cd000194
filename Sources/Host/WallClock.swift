internal import CLinux
internal import Clocks
internal import Glibc
package import PrayerEngine

/// The system's clocks. The time of day is read only here.
package enum WallClock {
    /// The system's wall clock (CLOCK_REALTIME), which may step either way.
    package static func now() -> Instant {
        Instant(unixSeconds: read(CLOCK_REALTIME))
    }

    /// Seconds of CLOCK_MONOTONIC: for durations and timeouts; it never steps, and stops in suspend.
    package static func monotonic() -> Double {
        read(CLOCK_MONOTONIC)
    }

    /// Seconds like ``monotonic()``, but including suspend.
    package static func boottime() -> Double { Uptime.now() }

    /// Whether a time service keeps the clock, according to the kernel, which learns it from chrony, systemd-timesyncd or ntpd
    /// (adjtimex(2)).
    package static var isSynchronized: Bool {
        var state = timex()
        let verdict = unsafe adjtimex(&state)
        return verdict >= 0 && verdict != TIME_ERROR && state.status & STA_UNSYNC == 0
    }

    private static func read(_ clock: clockid_t) -> Double {
        var time = timespec()
        // Fails only for a clock that the kernel lacks; both are older than any kernel that runs this.
        unsafe clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
