import PrayerEngine
package import Settings

/// Checks of an exception at a site that has it, or is to have it.
extension DayException {
    /// - Parameters:
    ///   - exceptions: all exceptions that are to hold, this one included.
    ///   - earlier: the exception that it replaces.
    /// - Returns: its day's times without it.
    package func check(
        beside exceptions: DayExceptions, insteadOf earlier: DayException?, at site: Site
    ) throws(CheckRefusal) -> SiteDay {
        var others = exceptions
        _ = others.remove(prayer, on: date)
        let usual = site.applying(exceptions: others).times
        let day = usual.day(date)
        do throws(CheckRefusal) {
            try check(on: day, next: usual.day(date.adding(days: 1)), in: site.zone)
        } catch {
            throw CheckRefusal(
                value: error.value, reason: error.reason + (remark(onRefusalAfter: earlier) ?? ""))
        }
        return day
    }

    /// - Parameters:
    ///   - day: the day's times without the exception.
    ///   - earlier: the exception that it replaced.
    ///   - site: the place, with the exception.
    package func cautions(
        on day: SiteDay, insteadOf earlier: DayException?, at site: Site
    ) -> [String] {
        let iqama = iqamaCaution(on: site.times.day(date), in: site.zone)
        return cautions(on: day, in: site.zone) + [iqama, loss(of: earlier)].compactMap(\.self)
    }
}
