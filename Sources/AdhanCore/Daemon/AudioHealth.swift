package import PrayerEngine

/// Whether sound came out when it was last tried.
package struct AudioHealth: Sendable, Equatable {
    package var healthy = true
    package var lastError: String?
    package var checkedAt: Instant?

    mutating func failed(_ reason: String, at now: Instant) {
        self = AudioHealth(healthy: false, lastError: reason, checkedAt: now)
    }

    /// A preflight found nothing wrong.
    mutating func passed(at now: Instant) {
        self = AudioHealth(healthy: true, lastError: nil, checkedAt: now)
    }

    mutating func worked(at now: Instant) {
        healthy = true
        checkedAt = now
    }
}
