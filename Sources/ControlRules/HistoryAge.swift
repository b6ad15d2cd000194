package import PrayerEngine

/// Which lines of the history are old enough to be dropped.
package enum HistoryAge {
    /// Five years, in seconds.
    package static let oldest = 5 * 366 * 86_400.0

    /// Announcements before this instant are dropped; `nil` when none are.
    ///
    /// Age is measured against the newest line: a clock that is years ahead makes nothing old. A line that was written by such a
    /// clock does not count for more than the time that it is now, which is known only while something keeps the clock right.
    package static func limit(newest: Instant?, now: Instant, isSynchronized: Bool) -> Instant? {
        guard isSynchronized, let newest else { return nil }
        return min(newest, now) - oldest
    }
}
