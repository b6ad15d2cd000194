import Announcements
package import PrayerEngine

/// Facts about the time from clocks that were checked (`state.json`). A clock that was ahead for one start must neither be
/// believed more than the right one afterwards, nor make anything expire.
package struct ClockRecord: Sendable, Equatable {
    /// The latest instant that has surely passed: a clock showed it that a time server kept right, that somebody set while adhand
    /// ran, or that has gone on for a day since.
    package private(set) var confirmed: Instant
    /// An instant that the clock showed, which is confirmed when it has gone on for a day, restarts included, without going back.
    package private(set) var candidate: Instant
    /// Seconds for which adhand has run since.
    package private(set) var ranSeconds: Double

    /// Seconds.
    static let proofSeconds = 86_400.0

    package init(confirmed: Instant, candidate: Instant? = nil, ranSeconds: Double = 0) {
        self.confirmed = confirmed
        self.candidate = candidate ?? confirmed
        self.ranSeconds = ranSeconds
    }

    /// The clock is right: something keeps it so, or somebody has just set it.
    mutating func confirm(_ now: Instant) {
        self = ClockRecord(confirmed: now)
    }

    /// The clock shows `now`, and did so `seconds` after this run looked last.
    mutating func goOn(to now: Instant, after seconds: Double) {
        guard candidate <= now else {
            (candidate, ranSeconds) = (now, 0)
            return
        }
        ranSeconds += max(0, seconds)
        guard ranSeconds >= Self.proofSeconds else { return }
        (confirmed, candidate, ranSeconds) = (max(confirmed, candidate), now, 0)
    }
}
