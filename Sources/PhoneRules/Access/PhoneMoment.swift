package import PrayerEngine

/// Now, by two clocks. Windows, limits and freshness are measured with the first one alone, so that a clock that is set
/// neither opens nor closes anything.
package struct PhoneMoment: Sendable, Equatable {
    /// Seconds of a clock that nobody can set (`CLOCK_BOOTTIME`).
    package var uptime: Double
    /// Today, while the clock is trusted.
    package var day: CivilDate?

    package init(uptime: Double, day: CivilDate?) {
        self.uptime = uptime
        self.day = day
    }
}
