import Announcements
import Daemon
import PrayerEngine

/// Checks the daemon's trust in the clock: a synchronised clock is trusted, and so is another one, unless it shows a
/// time that is known to have passed.
struct TrustChecker {
    private static let firstBelieved = Instant(unixSeconds: Limits.firstBelieved)
    /// The latest instant that is known to have passed.
    private var passed = Self.firstBelieved

    init() {}

    /// The latest confirmed instant: confirmed by a time server, by a person who set the clock, or by a clock that ran for a day.
    private var vouched = Self.firstBelieved
    /// The clock's readings in the last day that no later reading is below, as true seconds and instants, both rising.
    private var shown: [(elapsed: Double, at: Instant)] = []

    /// Starts the program with the disk's content.
    /// - Returns: the broken promise, if there is one.
    mutating func starts(confirmed: Instant?) -> String? {
        passed = max(Self.firstBelieved, confirmed ?? Self.firstBelieved)
        // The disk keeps milliseconds.
        return passed <= vouched + 0.01
            ? nil : "a clock that was ahead once is believed more than the right one"
    }

    /// Notes an event before it is handled, because the program may die once its result is on disk.
    mutating func hears(_ event: Event, now: Instant) {
        switch event {
        case .clockStepped:
            // The clock was set while the program watched.
            passed = Self.firstBelieved
            vouched = max(vouched, now)
        case .clockHealth(let health) where health.synchronized: vouched = max(vouched, now)
        default: break
        }
    }

    /// Records the clock before and after every event, and the time that it has proved by running.
    mutating func saw(_ state: DaemonState, now: Instant, elapsed: Double) {
        if state.clock.synchronized { vouched = max(vouched, now) }
        while let last = shown.last, last.at > now { shown.removeLast() }
        shown.append((elapsed, now))
        // A clock that runs slow takes slightly longer for its day.
        let old = shown.prefix { elapsed - $0.elapsed >= 0.99 * Limits.clockProofSeconds }
        guard let proven = old.last else { return }
        vouched = max(vouched, proven.at)
        shown.removeFirst(old.count)
    }

    /// - Returns: the broken promise, if there is one.
    mutating func check(_ state: DaemonState, now: Instant) -> String? {
        // The disk keeps milliseconds.
        guard abs(now - passed) > 0.01 else { return nil }
        let isRight = state.clock.synchronized || now > passed
        if isRight { passed = Self.firstBelieved }
        guard state.trust.trusted != isRight else { return nil }
        return isRight
            ? "a clock that shows the time is not trusted" : "a clock that shows the past is trusted"
    }
}
