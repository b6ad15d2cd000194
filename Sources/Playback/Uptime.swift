internal import Glibc

/// Seconds since the machine was started, suspend included: how long a sound has been under way. No one sets
/// this clock, and after a suspend the position follows the time that really passed (CLOCK_BOOTTIME rather
/// than CLOCK_MONOTONIC).
enum Uptime {
    static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
