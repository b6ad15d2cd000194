package import PrayerEngine

/// Decides which lines of the history are old enough to be dropped.
package enum HistoryAge {
    /// Five years, in seconds.
    package static let oldest = 5 * 366 * 86_400.0

    /// Announcements before this instant are dropped; `nil` if none are.
    ///
    /// Age is measured from the newest line, so that a clock that is years ahead makes nothing old. A line written by such a
    /// clock counts at most as the present, which is known only while the clock is synchronised.
    package static func limit(newest: Instant?, now: Instant, isSynchronized: Bool) -> Instant? {
        guard isSynchronized, let newest else { return nil }
        return min(newest, now) - oldest
    }
}
