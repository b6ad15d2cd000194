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
        // A day's Isha may lie after the next midnight, and a reminder before the previous one: look a day further each way.
        let firstDay = site.zone.civilDate(of: from).adding(days: -1)
        let lastDay = site.zone.civilDate(of: to).adding(days: 1)
        var entries: [Entry] = []
        var day = firstDay
        while day <= lastDay {
            entries += Self.entries(on: day, times: site.timetable.day(day), config: config, toggles: toggles)
            day = day.adding(days: 1)
        }
        self.entries =
            entries
            .filter { from < $0.announcement.at && $0.announcement.at <= to }
            .sorted { ($0.announcement.at, $0.announcement.id) < ($1.announcement.at, $1.announcement.id) }
    }

    /// The five prayers of one civil day, the disabled ones too; a prayer without an instant on that day is left out.
    package static func prayers(on date: CivilDate, site: Site, config: Config, toggles: Toggles) -> [Entry] {
        entries(on: date, times: site.timetable.day(date), config: config, toggles: toggles)
            .filter { $0.announcement.isAdhan }
    }

    private static func entries(
        on date: CivilDate, times: DayTimes, config: Config, toggles: Toggles
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
                let reminder = Announcement.reminder(
                    before: before, of: prayer, on: date, prayerAt: at, settings: settings)
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
