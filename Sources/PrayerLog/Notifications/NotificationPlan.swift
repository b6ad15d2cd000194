package import PrayerEngine
import Texts

/// One notification at an instant.
package struct PersonalNotice: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// Seconds before the prayer.
        case reminder(beforeSeconds: Double)
        case prayer
        case snoozed
        /// Its time ends soon, and it is not marked.
        case followUp
    }

    package let slot: PrayerSlot
    package let kind: Kind
    package let at: Instant

    package init(_ slot: PrayerSlot, _ kind: Kind, at: Instant) {
        self.slot = slot
        self.kind = kind
        self.at = at
    }

    /// `prayer_asr_20261120`; shown at most once while the program runs.
    package var id: String {
        let name = slot.prayer.prayer(on: slot.date).rawValue
        let day = slot.date.description.filter { $0 != "-" }
        return switch kind {
        case .prayer: "prayer_\(name)_\(day)"
        case .reminder(let before): "reminder-\(DurationText.format(before))_\(name)_\(day)"
        case .followUp: "follow-up_\(name)_\(day)"
        case .snoozed: "snoozed-\(Int(at.unixSeconds))_\(name)_\(day)"
        }
    }

    /// The name in documents.
    package var kindName: String {
        switch kind {
        case .reminder: "reminder"
        case .prayer: "prayer"
        case .snoozed: "snoozed"
        case .followUp: "follow-up"
        }
    }
}

/// The coming notices. They are planned again after every change, so that they always fit the log, the times and the
/// settings.
package struct NotificationPlan: Equatable, Sendable {
    /// The notices in order; all of them in the future.
    package let notices: [PersonalNotice]

    /// The seconds after its instant for which a notice is still useful, so that a machine that slept shows no outdated notices.
    package static let graceSeconds = 120.0

    /// - Parameters:
    ///   - after: notifications at this instant or before it are not planned.
    ///   - snoozed: until when prayers were put off.
    package init(
        _ log: Logbook, zone: Zone, settings: CompanionSettings, snoozed: [PrayerSlot: Instant] = [:],
        after: Instant
    ) {
        let today = log.today
        let days = [today.yesterday, today.today, today.tomorrow]
        let starts = days.flatMap { day in DailyPrayer.allCases.map { day[$0].start } }
        var notices: [PersonalNotice] = []
        for day in days {
            for prayer in DailyPrayer.allCases where settings[prayer].enabled {
                let slot = PrayerSlot(day.date, prayer)
                guard [.upcoming, .open, .missed, .unlogged].contains(log.state(slot)) else { continue }
                let nextStart = starts.filter { $0 > day[prayer].start }.min()
                notices += Self.notices(slot, day, settings[prayer])
                // A postponed reminder is repeated until the next prayer, which has notices of its own.
                if let at = snoozed[slot], at < day[prayer].end, nextStart.map({ at < $0 }) ?? true {
                    notices.append(PersonalNotice(slot, .snoozed, at: at))
                }
            }
        }
        self.notices = notices.filter { notice in
            after < notice.at && !settings.isQuiet(Int(zone.clock(of: notice.at).secondOfDay) / 60)
        }.sorted { $0.at < $1.at }
    }

    private static func notices(
        _ slot: PrayerSlot, _ day: DayWindows, _ settings: CompanionSettings.PrayerSettings
    ) -> [PersonalNotice] {
        let window = day[slot.prayer]
        var notices = settings.reminderSeconds.map {
            PersonalNotice(slot, .reminder(beforeSeconds: $0), at: window.start - $0)
        }
        notices.append(PersonalNotice(slot, .prayer, at: window.start))
        let followUp = lastCall(slot.prayer, day) - settings.followUpSeconds
        // If a prayer's time is short, this reminder would come together with the prayer itself.
        if settings.followUpSeconds > 0, followUp > window.start + 60 {
            notices.append(PersonalNotice(slot, .followUp, at: followUp))
        }
        return notices
    }

    /// The latest time for a reminder of an unmarked prayer: the end of its time. Isha's ends at fajr, which would wake people,
    /// so the middle of the night between maghrib and fajr counts instead.
    private static func lastCall(_ prayer: DailyPrayer, _ day: DayWindows) -> Instant {
        guard prayer == .isha else { return day[prayer].end }
        let (start, end) = (day[.maghrib].start, day[.isha].end)
        return min(end, start + (end - start) / 2)
    }

    /// The notices that are due now, according to the previous plan, and still useful. Of several for one prayer, only the last
    /// is kept.
    package static func due(_ planned: [PersonalNotice], now: Instant, shown: Set<String>) -> [PersonalNotice]
    {
        let due = planned.filter { $0.at <= now && now - $0.at <= graceSeconds && !shown.contains($0.id) }
        return due.enumerated().filter { index, notice in
            !due[(index + 1)...].contains { $0.slot == notice.slot }
        }.map(\.element)
    }

    /// The instant at which a reminder that is postponed now is repeated; `nil` if the prayer's time ends before, or the next
    /// prayer comes before.
    package static func snooze(
        _ slot: PrayerSlot, at now: Instant, today: Today, settings: CompanionSettings
    ) -> Instant? {
        let askAgainAt = now + settings.snoozeSeconds
        guard let window = today.windows(slot.date)?[slot.prayer], askAgainAt < window.end,
            today.next.map({ askAgainAt < $0.at }) ?? true
        else { return nil }
        return askAgainAt
    }
}
