import Announcements
package import PrayerEngine

/// Facts about the time from checked clocks (`state.json`). A clock that was ahead for one start must neither be trusted more
/// than the right one afterwards, nor make anything expire.
package struct ClockRecord: Sendable, Equatable {
    /// The latest instant that has certainly passed: it was shown by a clock that a time server kept right, that a person set
    /// while adhand ran, or that has run for a day since.
    package private(set) var confirmed: Instant
    /// An instant that the clock showed; confirmed once the clock has run on for a day, restarts included, without going back.
    package private(set) var candidate: Instant
    /// Seconds for which adhand has run since the candidate.
    package private(set) var ranSeconds: Double

    /// Seconds after which a candidate is confirmed.
    package static let proofSeconds = 86_400.0

    package init(confirmed: Instant, candidate: Instant? = nil, ranSeconds: Double = 0) {
        self.confirmed = confirmed
        self.candidate = candidate ?? confirmed
        self.ranSeconds = ranSeconds
    }

    /// Whether the clock has gone back since `other` was noted.
    func isBefore(_ other: ClockRecord) -> Bool {
        confirmed < other.confirmed || candidate < other.candidate
    }

    /// Confirms the time: the clock is synchronised, or was just set.
    package mutating func confirm(_ now: Instant) {
        self = ClockRecord(confirmed: now)
    }

    /// Notes that a clock which cannot be trusted shows `now`. If that is before the candidate, the clock went back, so the
    /// candidate cannot be confirmed.
    package mutating func dropCandidate(after now: Instant) {
        if candidate > now { self = ClockRecord(confirmed: confirmed) }
    }

    /// Notes that the clock shows `now`, `seconds` after this run last looked at it.
    package mutating func goOn(to now: Instant, after seconds: Double) {
        guard candidate <= now else {
            (candidate, ranSeconds) = (now, 0)
            return
        }
        ranSeconds += max(0, seconds)
        guard ranSeconds >= Self.proofSeconds else { return }
        (confirmed, candidate, ranSeconds) = (max(confirmed, candidate), now, 0)
    }
}
