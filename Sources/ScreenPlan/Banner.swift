package import PrayerEngine
import Protocol
package import Texts

/// An announcement that the home screen derives and shows while it applies.
package struct Banner: Sendable, Equatable {
    /// The kinds in the order in which they are shown, the most important first.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Voluntary prayers are to wait until `until`.
        case forbidden
        case eid
        /// From `date` on the iqama is at `at`.
        case iqamaChange = "iqama-change"
        case tarawih, qiyam

        fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
    }

    package let kind: Kind
    package let from: Instant
    package let until: Instant
    package let prayer: Prayer?
    package let date: CivilDate
    package let at: Instant
    /// The later prayers of the same feast.
    package var later: [Instant] = []

    /// Minutes by which an iqama has to move for people to be informed.
    static let tellableChangeMinutes = 5
    /// The seconds until the Sun is up, before it culminates, and before it has set.
    private static let afterSunriseSeconds = 900.0
    private static let beforeNoonSeconds = 600.0
    private static let beforeSunsetSeconds = 900.0

    static func all(
        _ schedule: Schedule, _ settings: DisplaySettings, from start: Instant, until end: Instant
    ) -> [Banner] {
        (iqamaChanges(schedule, days: settings.noticeDays) + feasts(schedule, days: settings.noticeDays)
            + (settings.forbiddenTimes ? forbidden(schedule) : []))
            .filter { start < $0.until && $0.from < end }.sorted {
                ($0.kind.rank, $0.at) < ($1.kind.rank, $1.at)
            }
    }

    private static func feasts(_ schedule: Schedule, days: Int) -> [Banner] {
        let eids = Dictionary(grouping: schedule.occasions.filter { $0.kind == .eid }, by: \.date)
        return eids.compactMap { date, prayers -> Banner? in
            guard let first = prayers.first, let last = prayers.last else { return nil }
            return Banner(
                kind: .eid, from: schedule.zone.startOfDay(date.adding(days: -days)), until: last.at,
                prayer: nil, date: date, at: first.at, later: prayers.dropFirst().map(\.at))
        }
            + schedule.occasions.filter { $0.kind == .tarawih || $0.kind == .qiyam }.map { occasion in
                Banner(
                    kind: occasion.kind == .tarawih ? .tarawih : .qiyam,
                    from: schedule.zone.startOfDay(occasion.date), until: occasion.at, prayer: nil,
                    date: occasion.date, at: occasion.at)
            }
    }

    /// A mosque changes its iqama in jumps. An iqama that follows the adhan moves a minute a day, and is not announced.
    private static func iqamaChanges(_ schedule: Schedule, days: Int) -> [Banner] {
        let zone = schedule.zone
        let standing = Congregation.all(in: schedule).filter { $0.iqama != nil && $0.slot == 1 }
        var before: [Prayer: (date: CivilDate, minute: Int, gap: Int)] = [:]
        var banners: [Banner] = []
        for congregation in standing {
            guard let iqama = congregation.iqama else { continue }
            let minute = Int(zone.clock(of: iqama.at + 0.5).secondOfDay) / 60
            let gap = Int((iqama.at - (congregation.adhan?.at ?? iqama.at)) / 60)
            defer { before[congregation.prayer] = (congregation.date, minute, gap) }
            guard let last = before[congregation.prayer], abs(minute - last.minute) >= tellableChangeMinutes,
                abs(gap - last.gap) >= tellableChangeMinutes,
                congregation.date.dayNumber - last.date.dayNumber <= 7
            else { continue }
            banners.append(
                Banner(
                    kind: .iqamaChange, from: zone.startOfDay(congregation.date.adding(days: -days)),
                    until: iqama.at, prayer: congregation.prayer, date: congregation.date, at: iqama.at))
        }
        return banners
    }

    private static func forbidden(_ schedule: Schedule) -> [Banner] {
        schedule.occasions.compactMap { occasion in
            let (from, until): (Instant, Instant)
            switch (occasion.kind, occasion.prayer) {
            case (.sunrise, _): (from, until) = (occasion.at, occasion.at + afterSunriseSeconds)
            // On a Friday the call may come long before or after noon.
            case (.adhan, .dhuhr): (from, until) = (occasion.at - beforeNoonSeconds, occasion.at)
            case (.adhan, .maghrib): (from, until) = (occasion.at - beforeSunsetSeconds, occasion.at)
            default: return nil
            }
            return Banner(
                kind: .forbidden, from: from, until: until, prayer: occasion.prayer, date: occasion.date,
                at: until)
        }
    }
}
