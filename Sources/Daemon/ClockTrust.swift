import Announcements
package import PrayerEngine
import StateFile
import Texts

/// Whether the wall clock can be trusted. A box without a clock battery wakes up in the past, and until something sets its clock,
/// every prayer time would be wrong.
package struct ClockTrust: Sendable, Equatable {
    /// The latest instant that is known to have passed before this start, according to a checked clock.
    package private(set) var floor: Instant
    package private(set) var trusted = true

    init(confirmed: Instant?) {
        floor = max(adhandRelease, confirmed ?? adhandRelease)
    }

    /// The latest known time, which the clock contradicts; `nil` when the clock is trusted, or no time after `adhandRelease` is known.
    var seen: Instant? { trusted || floor <= adhandRelease ? nil : floor }

    /// Checks the clock; returns whether the verdict changed. A synchronised clock is right by definition. A step that adhand
    /// observed was made on purpose: afterwards the clock only has to be later than `release`.
    mutating func update(at now: Instant, _ health: ClockHealth) -> Bool {
        let before = trusted
        trusted = health.synchronized || !health.isUnknown && now >= floor
        if trusted { floor = adhandRelease }
        return trusted != before
    }

    /// Records that the clock was set while this program ran, so earlier readings no longer count.
    mutating func wasSet() {
        floor = adhandRelease
    }

    /// The earliest that the true time can be: an untrusted clock may show a time years too early.
    func earliest(_ now: Instant, _ record: ClockRecord) -> Instant {
        max(now, record.confirmed, floor)
    }
}
