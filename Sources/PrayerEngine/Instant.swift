/// A point in time: seconds since 1970-01-01T00:00:00Z on the POSIX scale (no leap seconds).
///
/// A `Double` resolves a quarter of a microsecond in this century, a thousand times finer than any result
/// here.
public struct Instant: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, negative before; 86,400 of them are a day.
    public var unixSeconds: Double

    /// Makes an instant; any finite number of seconds is one.
    public init(unixSeconds: Double) {
        self.unixSeconds = unixSeconds
    }

    public static func < (a: Instant, b: Instant) -> Bool { a.unixSeconds < b.unixSeconds }

    /// `seconds` later (earlier when negative).
    public static func + (instant: Instant, seconds: Double) -> Instant {
        Instant(unixSeconds: instant.unixSeconds + seconds)
    }

    /// `seconds` earlier (later when negative).
    public static func - (instant: Instant, seconds: Double) -> Instant {
        Instant(unixSeconds: instant.unixSeconds - seconds)
    }

    /// The seconds from `b` to `a`.
    public static func - (a: Instant, b: Instant) -> Double {
        a.unixSeconds - b.unixSeconds
    }
}
