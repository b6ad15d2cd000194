internal import Glibc

/// Seconds on a clock that no one sets and that goes on during suspend: how long a sound has been under way.
/// CLOCK_BOOTTIME rather than CLOCK_MONOTONIC, so that after a suspend the position follows the time that
/// really passed.
enum Tick {
    static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
