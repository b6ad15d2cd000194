import Announcements
import PrayerEngine

/// A wall clock that runs beside true time, at its own rate, and is set occasionally.
struct WallClockModel {
    private var base: Double
    private var since = 0.0
    private(set) var rate = 1.0

    init(epoch: Double) {
        base = epoch
    }

    func now(_ elapsed: Double) -> Instant {
        Instant(unixSeconds: base + (elapsed - since) * rate)
    }

    /// True seconds at which the clock will show `instant`.
    func elapsed(at instant: Instant, from elapsed: Double) -> Double {
        // Slightly late, because a timer never fires before its time.
        elapsed + (instant - now(elapsed)) / rate + 2e-6
    }

    /// Sets the clock; returns the seconds by which it moved forward.
    @discardableResult
    mutating func set(_ seconds: Double, at elapsed: Double) -> Double {
        let step = seconds - now(elapsed).unixSeconds
        base = seconds
        since = elapsed
        return step
    }

    mutating func drift(_ error: Double, at elapsed: Double) {
        base = now(elapsed).unixSeconds
        since = elapsed
        rate = 1 + error
    }
}
