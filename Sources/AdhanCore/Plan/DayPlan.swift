package import PrayerEngine

/// Every announcement of a stretch of time, in order: what the configuration and the toggles ask for, before anything is
/// said about what has been handled already.
package struct DayPlan: Sendable, Equatable {
    /// One prayer of one day, with what is to be done at it.
    package struct Entry: Sendable, Equatable {
        package let announcement: Announcement
        package let enabled: Bool
    }

    package let entries: [Entry]

    /// The announcements in `from < at <= to`.
    package init(site: Site, config: Config, toggles: Toggles, after from: Instant, through to: Instant) {
        let dates = Self.dates(zone: site.zone, after: from, through: to)
        self.init(
            days: site.times.days(from: dates.first, count: dates.count), config: config,
            toggles: toggles, after: from, through: to)
    }

    /// The announcements in `from < at <= to`, from the times of the days that ``dates(zone:after:through:)`` names.
    init(
        days: some Sequence<SiteDay>, config: Config, toggles: Toggles, after from: Instant,
        through to: Instant
    ) {
        var entries: [Entry] = []
        for times in days {
            entries += Self.entries(on: times.date, times: times, config: config, toggles: toggles)
        }
        self.entries =
            entries
            .filter { from < $0.announcement.at && $0.announcement.at <= to }
            .sorted { $0.announcement.at < $1.announcement.at }
    }

    /// The dates whose announcements may lie in a stretch of time. A day's Isha may lie after the next midnight, and a
    /// reminder before the previous one: a day further each way.
    static func dates(zone: Zone, after from: Instant, through to: Instant) -> (first: CivilDate, count: Int)
    {
        let first = zone.civilDate(of: from).adding(days: -1)
        let last = zone.civilDate(of: to).adding(days: 1)
        return (first, max(0, last.dayNumber - first.dayNumber + 1))
    }

    /// The five prayers of one civil day, the disabled ones too; a prayer without an instant on that day is left out.
    package static func prayers(on date: CivilDate, site: Site, config: Config, toggles: Toggles) -> [Entry] {
        entries(on: date, times: site.times.day(date), config: config, toggles: toggles)
            .filter { $0.announcement.isAdhan }
    }

    /// Every announcement that belongs to one civil day, in order, whatever the instant: an Isha after midnight included.
    package static func announcements(
        on day: SiteDay, config: Config, toggles: Toggles
    ) -> [Entry] {
        entries(on: day.date, times: day, config: config, toggles: toggles)
            .sorted { $0.announcement.at < $1.announcement.at }
    }

    private static func entries(
        on date: CivilDate, times: SiteDay, config: Config, toggles: Toggles
    ) -> [Entry] {
        var entries: [Entry] = []
        for prayer in Prayer.prayers(on: date) {
            guard let at = times[prayer.event] else { continue }
            let settings = config[prayer]
            let enabled = toggles.isEnabled(prayer, in: config)
            let adhan = Announcement.adhan(prayer, on: date, at: at, settings: settings)
            entries.append(Entry(announcement: adhan, enabled: enabled))
            guard enabled else { continue }
            for before in settings.reminders {
                let reminder = Announcement(
                    .reminder(before: before, prayer, on: date), at: at - before, settings: settings)
                entries.append(Entry(announcement: reminder, enabled: true))
            }
        }
        return entries
    }
}

extension Prayer {
    /// The prayers of a date in order: on Fridays jumua stands in for dhuhr.
    package static func prayers(on date: CivilDate) -> [Prayer] {
        [.fajr, date.isFriday ? .jumua : .dhuhr, .asr, .maghrib, .isha]
    }
}
