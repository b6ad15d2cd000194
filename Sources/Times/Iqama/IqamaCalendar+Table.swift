import PrayerEngine
package import Settings

extension IqamaCalendar {
    /// Makes the calendar from a site's computed and published times.
    package init(
        _ settings: IqamaSettings, table: PublishedTimetable, site: Site, years: [Int] = [],
        exceptions: DayExceptions = DayExceptions()
    ) {
        var mosque = site.times.mosque
        mosque.table = table
        mosque.iqama = settings
        mosque.exceptions = exceptions
        let (rules, hijri, zone) = (mosque, site.calculation.hijri, site.zone)
        let clock = SeasonClock(zone: zone, years: years)
        self.init(settings, zone: zone, years: years) { date in
            MosqueDay(site.computedTimes.day(date), rules, hijri, zone, clock).forIqama
        }
    }
}
