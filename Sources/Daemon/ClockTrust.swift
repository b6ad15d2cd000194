import Announcements
package import PrayerEngine
import Texts

/// Whether the wall clock can be believed. A box without a clock battery wakes up in the past; until something sets its
/// clock, every prayer time would be a wrong one.
package struct ClockTrust: Sendable, Equatable {
    /// The latest instant that is known to have passed before this start, by a clock that was checked.
    package private(set) var floor: Instant
    package private(set) var trusted = true

    init(confirmed: Instant?) {
        floor = max(adhandRelease, confirmed ?? adhandRelease)
    }

    /// The latest time that adhand has seen and the clock denies; `nil` when the clock is believed, or shows a time before any adhand.
    var seen: Instant? { trusted || floor <= adhandRelease ? nil : floor }

    /// Looks at the clock; returns whether the verdict changed. A synchronised clock is right by definition. A step that
    /// was watched happening was made on purpose: only `release` counts afterwards.
    mutating func look(at now: Instant, _ health: ClockHealth) -> Bool {
        let before = trusted
        trusted = health.synchronized || !health.isUnknown && now >= floor
        if trusted { floor = adhandRelease }
        return trusted != before
    }

    /// The clock was set while this program watched, so earlier clocks no longer count.
    mutating func wasSet() {
        floor = adhandRelease
    }

    /// The earliest that it can be: a clock that is not believed may show years before.
    func earliest(_ now: Instant, _ record: ClockRecord) -> Instant {
        max(now, record.confirmed, floor)
    }
}
