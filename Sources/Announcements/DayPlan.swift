package import PrayerEngine
package import Protocol
package import Settings
import Texts
package import Times

/// An announcement of a day, and whether it is to be called.
package struct PlannedAnnouncement: Sendable, Equatable {
    package let announcement: Announcement
    package let enabled: Bool
    /// Why it is not called, unless a switch is the cause.
    package var reason: String?
    /// Whether it is not called because this day's was skipped.
    package var isSkipped = false

    package init(announcement: Announcement, enabled: Bool, reason: String? = nil, isSkipped: Bool = false) {
        (self.announcement, self.enabled) = (announcement, enabled)
        (self.reason, self.isSkipped) = (reason, isSkipped)
    }
}

/// Every announcement of a period, in order, from the configuration and the toggles alone; outcomes are not considered.
package struct DayPlan: Sendable, Equatable {
    package let entries: [PlannedAnnouncement]

    /// The announcements in `from < at <= to`.
    package init(site: Site, config: Config, toggles: Toggles, after from: Instant, through to: Instant) {
        let dates = Self.dates(zone: site.zone, after: from, through: to, reach: CallTimes.reach(config))
        self.init(
            days: site.times.days(from: dates.first, count: dates.count), site: site, config: config,
            toggles: toggles, after: from, through: to)
    }

    /// The announcements in `from < at <= to`, from the times of the days that ``dates(zone:after:through:)`` returns.
    package init(
        days: some Sequence<SiteDay>, site: Site, config: Config, toggles: Toggles, after from: Instant,
        through to: Instant
    ) {
        let calls = CallTimes(config, site: site)
        var entries: [PlannedAnnouncement] = []
        for times in days {
            entries += Self.entries(times, calls, config: config, toggles: toggles)
        }
        self.entries =
            entries
            .filter { from < $0.announcement.at && $0.announcement.at <= to }
            .sorted { $0.announcement.at < $1.announcement.at }
    }

    /// The dates whose announcements may be in a period. A day's Isha may be after the next midnight, and a reminder before the
    /// previous one: a day more on each side.
    package static func dates(zone: Zone, after from: Instant, through to: Instant, reach: Int = 1)
        -> (first: CivilDate, count: Int)
    {
        let first = zone.civilDate(of: from).adding(days: -reach)
        let last = zone.civilDate(of: to).adding(days: reach)
        return (first, max(0, last.dayNumber - first.dayNumber + 1))
    }

    /// The five prayers of one civil day, including disabled ones; a prayer without an instant on that day is left out.
    package static func prayers(
        on date: CivilDate, site: Site, config: Config, toggles: Toggles
    ) -> [PlannedAnnouncement] {
        entries(site.times.day(date), CallTimes(config, site: site), config: config, toggles: toggles)
            .filter { $0.announcement.isAdhan }
            .sorted { $0.announcement.at < $1.announcement.at }
    }

    /// Every announcement that belongs to one civil day, in order, whatever its instant: an Isha after midnight included.
    package static func announcements(
        on day: SiteDay, site: Site, config: Config, toggles: Toggles
    ) -> [PlannedAnnouncement] {
        entries(day, CallTimes(config, site: site), config: config, toggles: toggles)
            .sorted { $0.announcement.at < $1.announcement.at }
    }

    private static func entries(
        _ day: SiteDay, _ timed: CallTimes, config: Config, toggles: Toggles
    ) -> [PlannedAnnouncement] {
        var entries: [PlannedAnnouncement] = []
        for prayer in day.prayers {
            let isSilent = day.isSilent(prayer)
            let isOn = toggles.isEnabled(prayer, in: config) && !isSilent
            let isSkipped = isOn && toggles.skips.contains(prayer, on: day)
            let enabled = isOn && !isSkipped
            for call in calls(of: prayer, on: day, config: config) {
                let reason = isSilent ? silenced : nil
                entries.append(
                    PlannedAnnouncement(
                        announcement: call, enabled: enabled, reason: reason, isSkipped: isSkipped))
                guard enabled else { continue }
                entries += config[prayer].reminderSeconds.map { before in
                    let id = AnnouncementID.reminder(
                        beforeSeconds: before, prayer, slot: call.id.slot, on: day.date)
                    let reminder = Announcement(id, at: call.at - before, settings: config[prayer])
                    return PlannedAnnouncement(announcement: reminder, enabled: true)
                }
            }
            guard enabled else { continue }
            entries += congregations(of: prayer, on: day, config).map {
                PlannedAnnouncement(announcement: $0, enabled: true)
            }
        }
        let others = observances(
            day, config, isFajrEnabled: toggles.isEnabled(.fajr, on: day.date, in: config))
        return entries
            + (others + timed.announcements(on: day)).map {
                PlannedAnnouncement(announcement: $0, enabled: true)
            }
    }

    package static let silenced =
        "the timetable does not have this day, and timetable.missing is \"silent\""

    /// The adhans of one prayer: one, or on a Friday one for each congregation that has one.
    private static func calls(of prayer: Prayer, on day: SiteDay, config: Config) -> [Announcement] {
        var settings = config[prayer]
        guard prayer == .jumua, !day.slots.isEmpty else {
            guard let at = day.call(of: prayer) else { return [] }
            if prayer == .maghrib, day.observances.isFasting {
                settings.precede(by: config.ramadan, on: day.date)
            }
            return [.adhan(prayer, on: day.date, at: at, settings: settings)]
        }
        return day.slots.compactMap { slot in
            guard let at = slot.adhan else { return nil }
            settings.sound = slot.sound ?? config[.jumua].sound
            return Announcement(.adhan(.jumua, slot: slot.number, on: day.date), at: at, settings: settings)
        }
    }

    /// The announcements of a prayer's congregations. A silent one is only displayed.
    private static func congregations(of prayer: Prayer, on day: SiteDay, _ config: Config) -> [Announcement]
    {
        guard prayer == .jumua, !day.slots.isEmpty else {
            guard let stands = day.congregations[prayer == .jumua ? .dhuhr : prayer] else { return [] }
            return iqama(.iqama(prayer, on: day.date), stands.at, day.call(of: prayer), config)
        }
        return day.slots.flatMap { slot -> [Announcement] in
            var announcements: [Announcement] = []
            if let khutba = slot.khutba,
                config.jumua.khutbaSound.sounds(on: day.date) != [AdhanSettings.silent]
            {
                let id = AnnouncementID.khutba(slot: slot.number, on: day.date)
                announcements.append(Announcement(id, at: khutba.at, settings: config.settings(of: id)))
            }
            guard let stands = slot.prayer else { return announcements }
            return announcements
                + iqama(.iqama(.jumua, slot: slot.number, on: day.date), stands.at, slot.adhan, config)
        }
    }

    private static func iqama(
        _ id: AnnouncementID, _ stands: Instant, _ call: Instant?, _ config: Config
    ) -> [Announcement] {
        guard let date = id.date else { return [] }
        let settings = config.settings(of: id)
        // No rule puts a congregation before its adhan.
        let at = max(stands, call ?? stands)
        let reminders = settings.reminderSeconds.map { before in
            Announcement(
                .iqamaReminder(beforeSeconds: before, id.prayer, slot: id.slot, on: date),
                at: stands - before,
                settings: settings)
        }
        let isSilent = settings.sound.sounds(on: date) == [AdhanSettings.silent]
        return (isSilent ? [] : [Announcement(id, at: at, settings: settings)]) + reminders
    }

    private static func observances(_ day: SiteDay, _ config: Config, isFajrEnabled: Bool) -> [Announcement] {
        let observances = day.observances
        func announcement(_ id: AnnouncementID, _ at: Instant) -> Announcement {
            Announcement(id, at: at, settings: config.settings(of: id))
        }
        var all = observances.takbirat.enumerated().map { index, at in
            announcement(.takbirat(index + 1, on: day.date), at)
        }
        guard isFajrEnabled else { return all }
        all += observances.wake.enumerated().map { index, at in
            announcement(.wake(index + 1, on: day.date), at)
        }
        if let imsak = observances.imsak { all.append(announcement(.imsak(on: day.date), imsak.at)) }
        return all
    }
}

extension Config {
    /// The announcement that an identity names.
    package func settings(of id: AnnouncementID) -> AdhanSettings {
        var settings = self[id.prayer]
        func sounds(_ sound: RotatingSound, _ volume: Int) -> AdhanSettings {
            settings.sound = sound
            settings.volumePercent = volume
            settings.fadeInSeconds = 0
            return settings
        }
        switch id.kind {
        case .adhan, .reminder, .simulated, .test: return settings
        case .iqama, .iqamaReminder:
            settings.reminderSeconds = iqamaAnnouncement.reminderSeconds
            settings.reminderSound = iqamaAnnouncement.reminderSound
            return sounds(iqamaAnnouncement.sound, iqamaAnnouncement.volumePercent)
        case .khutba: return sounds(jumua.khutbaSound, self[.jumua].volumePercent)
        case .wake: return sounds(ramadan.wakeSound, ramadan.volumePercent)
        case .imsak: return sounds(ramadan.imsakSound, ramadan.volumePercent)
        case .takbirat: return sounds(eid.takbiratSound, eid.volumePercent)
        case .call(let name):
            let call = calls.first { $0.name == name } ?? CallSettings()
            (settings.sound, settings.volumePercent) = (call.sound, call.volumePercent)
            (settings.fadeInSeconds, settings.lateGraceSeconds) = (call.fadeInSeconds, call.lateGraceSeconds)
            return settings
        }
    }
}

extension AdhanSettings {
    /// Adds the sound before maghrib's adhan on a fasting day.
    fileprivate mutating func precede(by ramadan: RamadanSettings, on date: CivilDate) {
        let (iftar, adhan) = (ramadan.iftarSound.sounds(on: date), sound.sounds(on: date))
        guard !iftar.isEmpty, iftar != [Self.silent] else { return }
        sound = RotatingSound(iftar + (adhan == [Self.silent] ? [] : adhan))
    }
}
