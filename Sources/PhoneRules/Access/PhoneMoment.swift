package import PrayerEngine

/// The current moment by two clocks. Windows, limits and freshness use only the uptime, so that setting the clock neither opens
/// nor closes anything.
package struct PhoneMoment: Sendable, Equatable {
    /// Seconds of a clock that cannot be set (`CLOCK_BOOTTIME`).
    package var uptime: Double
    /// Today's date, while the clock is trusted.
    package var day: CivilDate?

    package init(uptime: Double, day: CivilDate?) {
        self.uptime = uptime
        self.day = day
    }
}
