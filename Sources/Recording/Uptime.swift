internal import Glibc

/// Seconds since the machine was started, suspend included (CLOCK_BOOTTIME): how long a sound has been under way, or a file has
/// been read. Nobody sets this clock, and after a suspend the position in a sound follows the time that really passed. Here and
/// not in `Host`, which the modules of sound do not know.
package enum Uptime {
    package static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
