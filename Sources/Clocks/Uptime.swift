internal import Glibc

/// Seconds since the machine was started, suspend included (CLOCK_BOOTTIME). Nobody sets this clock, and after a suspend the position
/// in a sound follows the time that really passed. A module of its own: the modules of sound do not know `Host`.
package enum Uptime {
    package static func now() -> Double {
        var time = timespec()
        // Fails only for a clock that the kernel does not have; this one is older than any kernel that runs this.
        unsafe clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
