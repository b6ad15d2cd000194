package import PrayerEngine
import Protocol
package import Settings
package import Texts
package import Times

/// Adhans of a year that quiet windows silence everywhere.
package struct QuietYear: Sendable, Equatable {
    package struct Silence: Sendable, Equatable {
        package let window: String
        package let prayer: Prayer
        package internal(set) var days: Int
        package let first: CivilDate
        package internal(set) var last: CivilDate

        /// One sentence.
        package var sentence: String {
            let when =
                days == 1 ? "on \(first)" : "on \(days) days of the coming year, from \(first) to \(last)"
            return "the quiet window \"\(window)\" silences \(prayer.title) \(when)"
        }
    }

    /// The silences in the order of the windows, and of the day.
    package private(set) var silences: [Silence] = []

    /// - Parameter days: the number of days, from `first` on.
    package init(site: Site, config: Config, from first: CivilDate, days: Int = 365) {
        guard config.quiet.contains(where: \.isSilent) else { return }
        let planning = OutputPlanning(config: config, mutes: [], zone: site.zone)
        for day in site.times.days(from: first, count: days) {
            for entry in DayPlan.announcements(
                on: day, site: site, config: config, toggles: Toggles())
            where entry.enabled && entry.announcement.isAdhan && !entry.announcement.isSilent {
                let announcement = entry.announcement
                let shares = planning.shares(of: announcement, at: announcement.at)
                if let window = shares.silencing?.quiet { add(window, announcement.prayer, on: day.date) }
            }
        }
        let (windows, prayers) = (config.quiet.map(\.name), Prayer.allCases)
        func place(_ silence: Silence) -> (Int, Int) {
            (windows.firstIndex(of: silence.window) ?? 0, prayers.firstIndex(of: silence.prayer) ?? 0)
        }
        silences.sort { place($0) < place($1) }
    }

    private mutating func add(_ window: String, _ prayer: Prayer, on date: CivilDate) {
        guard let index = silences.firstIndex(where: { $0.window == window && $0.prayer == prayer }) else {
            silences.append(Silence(window: window, prayer: prayer, days: 1, first: date, last: date))
            return
        }
        // Two congregations of one Friday count as one day.
        if silences[index].last != date { silences[index].days += 1 }
        silences[index].last = date
    }
}
