import AdhanCore
import PrayerEngine

/// Holds the daemon to its word about the clock: one that something keeps right is believed, and so is one that nobody
/// vouches for, unless it shows what is known to have passed.
struct TrustWatch {
    private static let firstBelieved = Instant(unixSeconds: Promise.firstBelieved)
    /// The latest instant that is known to have passed.
    private var passed = Self.firstBelieved

    init() {}

    /// The latest instant for which anything vouches: a time server, somebody who set the clock, or that it went on for a day.
    private var vouched = Self.firstBelieved
    /// True seconds since which the clock has not gone back, and what it showed last.
    private var goesOnSince: Double?
    private var shownLast: Instant?

    /// The program starts with what the disk holds.
    /// - Returns: what is wrong with that, if anything is.
    mutating func starts(confirmed: Instant?) -> String? {
        passed = max(Self.firstBelieved, confirmed ?? Self.firstBelieved)
        // The disk keeps milliseconds.
        return passed <= vouched + 0.01
            ? nil : "a clock that was ahead once is believed more than the right one"
    }

    /// Before the event: the program may die over it, once the disk knows of it.
    mutating func hears(_ event: Event, now: Instant) {
        switch event {
        case .clockStepped:
            // Somebody set the clock while the program watched.
            passed = Self.firstBelieved
            vouched = max(vouched, now)
        case .clockHealth(let health) where health.synchronized: vouched = max(vouched, now)
        default: break
        }
    }

    /// Before and after every event.
    mutating func saw(_ state: DaemonState, now: Instant, elapsed: Double) {
        if state.clock.synchronized { vouched = max(vouched, now) }
        if let shownLast, now < shownLast { goesOnSince = nil }
        shownLast = now
        guard let since = goesOnSince else {
            goesOnSince = elapsed
            return
        }
        // A clock that runs slow takes a little longer over its day.
        if elapsed - since >= 0.99 * Promise.clockProof { vouched = max(vouched, now) }
    }

    /// - Returns: what is wrong, if anything is.
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
