import AdhanCore
import PrayerEngine

/// Holds the daemon to its word about the clock: one that something keeps right is believed, and so is one that nobody
/// vouches for, unless it shows what is known to have passed.
struct TrustWatch {
    private static let firstBelieved = Instant(unixSeconds: Promise.firstBelieved)
    /// The latest instant that is known to have passed.
    private var passed = Self.firstBelieved

    init() {}

    /// The program starts with what the disk holds.
    init(lastSaved: Instant?) {
        passed = max(Self.firstBelieved, lastSaved ?? Self.firstBelieved)
    }

    /// Somebody set the clock while the program watched.
    mutating func stepped() {
        passed = Self.firstBelieved
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
