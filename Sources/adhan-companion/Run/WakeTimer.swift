import CLinux
import CommandKit
import Glibc
import Host
import PrayerEngine

/// A timer for an instant of the wall clock. It also wakes when the clock is set or the machine resumes from sleep.
struct WakeTimer: ~Copyable {
    private let timer: OwnedDescriptor
    var descriptor: Int32 { timer.raw }

    init() throws(Refusal) {
        let raw = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        guard raw >= 0 else { throw Refusal(.failed, "cannot make a timer: \(SystemError.text(errno))") }
        timer = OwnedDescriptor(raw)
    }

    borrowing func arm(at instant: Instant) {
        let whole = instant.unixSeconds.rounded(.down)
        let nanoseconds = min(((instant.unixSeconds - whole) * 1e9).rounded(.up), 999_999_999)
        var setting = itimerspec()
        // A value of zero would disarm the timer.
        setting.it_value = timespec(tv_sec: max(1, Int(whole)), tv_nsec: Int(nanoseconds))
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        unsafe timerfd_settime(timer.raw, flags, &setting, nil)
    }

    /// Clears the expiry, which would otherwise wake the loop again.
    borrowing func acknowledge() {
        var count: UInt64 = 0
        _ = unsafe read(timer.raw, &count, 8)
    }
}
