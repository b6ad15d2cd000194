import AdhanCore
import PrayerEngine

/// The judge's own plan: the times of a day, the configuration and the switches, and nothing of the daemon's plan. Kept for as
/// long as it holds: it is asked for the same days again and again.
struct Almanac {
    struct Entry {
        let id: AnnouncementID
        let at: Instant
        let isEnabled: Bool
        let isSilent: Bool
        let isReminder: Bool
    }

    private(set) var entries: [Entry] = []
    private var site = ""
    private var config: Config?
    private var switches: [Prayer: Bool] = [:]
    private var from = Instant(unixSeconds: 0)
    private var through = Instant(unixSeconds: 0)

    mutating func plan(_ state: DaemonState, around now: Instant) -> [Entry] {
        let (first, last) = (now - 86_400, now + Promise.horizon)
        let (site, config) = (state.world.site, state.world.config)
        let switches = state.saved.toggles.switches
        guard
            site.name != self.site || config != self.config || switches != self.switches || first < from
                || through < last
        else { return entries }
        (self.site, self.config, self.switches) = (site.name, config, switches)
        (from, through) = (first - 3600, last + 4 * 86_400)
        entries = []
        var date = site.zone.civilDate(of: from).adding(days: -1)
        let end = site.zone.civilDate(of: through).adding(days: 1)
        while date <= end {
            add(date, site)
            date = date.adding(days: 1)
        }
        entries = entries.filter { from < $0.at && $0.at <= through }.sorted { $0.at < $1.at }
        return entries
    }

    private mutating func add(_ date: CivilDate, _ site: Site) {
        guard let config else { return }
        let times = site.timetable.day(date)
        let digits = date.description.filter { $0 != "-" }
        let noon = date.weekday == 5 ? Prayer.jumua : .dhuhr
        let prayers: [(Prayer, DayEvent)] = [
            (.fajr, .fajr), (noon, .dhuhr), (.asr, .asr), (.maghrib, .maghrib), (.isha, .isha),
        ]
        for (prayer, event) in prayers {
            guard let at = times[event] else { continue }
            let settings = config[prayer]
            let isEnabled = Self.isEnabled(prayer, config, switches)
            append("\(prayer.rawValue)_\(digits)", at, isEnabled, isSilent: settings.sound == ["silent"])
            guard isEnabled else { continue }
            for before in settings.reminders {
                append(
                    "reminder-\(Self.words(before))_\(prayer.rawValue)_\(digits)", at - before, true,
                    isSilent: settings.reminderSound == "silent", isReminder: true)
            }
        }
    }

    /// What the core does not read as an identity is left out, and found missing when the daemon arms it.
    private mutating func append(
        _ text: String, _ at: Instant, _ isEnabled: Bool, isSilent: Bool, isReminder: Bool = false
    ) {
        guard let id = AnnouncementID(text) else { return }
        entries.append(
            Entry(id: id, at: at, isEnabled: isEnabled, isSilent: isSilent, isReminder: isReminder))
    }

    /// A switch set by hand goes before the file; jumua without one of its own follows dhuhr's, unless the file tells the two
    /// apart.
    static func isEnabled(_ prayer: Prayer, _ config: Config, _ switches: [Prayer: Bool]) -> Bool {
        if let own = switches[prayer] { return own }
        if prayer == .jumua, config[.jumua].enabled == config[.dhuhr].enabled, let noon = switches[.dhuhr] {
            return noon
        }
        return config[prayer].enabled
    }

    /// `10m`, `1h`, `5s`: only what the configurations here have.
    private static func words(_ seconds: Double) -> String {
        let whole = Int(seconds)
        let parts = [(whole / 3600, "h"), (whole % 3600 / 60, "m"), (whole % 60, "s")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }

    /// Seconds by which an announcement may be late at most, with what is on time.
    static func grace(of id: AnnouncementID, in config: Config) -> Double {
        let grace = config[id.prayer].lateGrace
        if case .reminder(let before) = id.kind { return min(grace, before) }
        return grace
    }
}
