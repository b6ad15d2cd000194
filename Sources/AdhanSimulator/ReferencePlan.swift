import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// The checker's own plan: the times of a day, the configuration, the switches and the mosque's decisions, independent of the
/// daemon's plan. Cached as long as it is valid: the same days are needed again and again.
struct ReferencePlan {
    struct Entry {
        let id: AnnouncementID
        let at: Instant
        let isEnabled: Bool
        let isSilent: Bool
        /// Precedence: -1 a call, 0 a reminder, 1 a congregation and a mosque's other announcements, 2 an adhan.
        let rank: Int

        var isReminder: Bool { rank == 0 }
    }

    static let callRank = -1

    private(set) var entries: [Entry] = []
    private var site = ""
    private var config: Config?
    private var switches: [Prayer: Bool] = [:]
    private var skips = PrayerSkips()
    private var exceptions = DayExceptions()
    private var hijri = HijriCalendar()
    private var from = Instant(unixSeconds: 0)
    private var through = Instant(unixSeconds: 0)

    mutating func plan(_ state: DaemonState, around now: Instant) -> [Entry] {
        let (first, last) = (now - 86_400, now + Limits.horizonSeconds)
        let (site, config) = (state.inputs.site, state.inputs.config)
        let (switches, exceptions) = (state.saved.toggles.switches, state.saved.exceptions)
        let skips = state.saved.toggles.skips
        var hijri = config.calculation.hijri(by: state.inputs.site.calculation.hijri.rule)
        _ = hijri.add(state.saved.pins)
        guard
            site.name != self.site || config != self.config || switches != self.switches || first < from
                || through < last || skips != self.skips || exceptions != self.exceptions
                || hijri != self.hijri
        else { return entries }
        (self.site, self.config, self.switches) = (site.name, config, switches)
        (self.exceptions, self.hijri, self.skips) = (exceptions, hijri, skips)
        (from, through) = (first - 3600, last + 4 * 86_400)
        entries = []
        // A person's decision about the calendar also moves the Ramadan of a method.
        var calculation = site.calculation
        calculation.hijri = hijri
        let timetable = ComputedTimes(place: site.place, calculation: calculation, zone: site.zone)
        var date = site.zone.civilDate(of: from).adding(days: -2)
        let end = site.zone.civilDate(of: through).adding(days: 2)
        while date <= end {
            add(date, timetable)
            date = date.adding(days: 1)
        }
        entries = entries.filter { from < $0.at && $0.at <= through }.sorted { $0.at < $1.at }
        return entries
    }

    private mutating func add(_ date: CivilDate, _ timetable: ComputedTimes) {
        guard let config else { return }
        let day = MosqueReferencePlan(
            date: date, sky: timetable.day(date), config: config, hijri: hijri, zone: timetable.zone,
            byHand: exceptions[date])
        let digits = date.description.filter { $0 != "-" }
        let (hijri, exceptions) = (hijri, exceptions)
        let reference = CallReferencePlan(day: day) { other in
            MosqueReferencePlan(
                date: other, sky: timetable.day(other), config: config, hijri: hijri, zone: timetable.zone,
                byHand: exceptions[other])
        }
        for call in reference.calls {
            append("call_\(call.name)_\(digits)", call.at, true, isSilent: call.isSilent, rank: Self.callRank)
        }
        let noon = date.weekday == 5 ? Prayer.jumua : .dhuhr
        let hasSlots = date.weekday == 5 && day.hasSlots && !day.isSilenced(.jumua)
        var prayers: [(Prayer, DayEvent)] = [
            (.fajr, .fajr), (noon, .dhuhr), (.asr, .asr), (.maghrib, .maghrib), (.isha, .isha),
        ]
        if hasSlots {
            prayers[1] = (.dhuhr, .dhuhr)
            if config.jumua.replacesDhuhr { prayers.remove(at: 1) }
            addFriday(day, digits, config, isSkipped: Self.isSkipped(.jumua, on: date, config, skips))
        }
        for (prayer, event) in prayers {
            guard let at = day.time(of: event) else { continue }
            let isEnabled =
                Self.isEnabled(prayer, config, switches)
                && !Self.isSkipped(prayer, on: date, config, skips)
            let isIftar = prayer == .maghrib && day.isFasting && !config.ramadan.iftarSound.isEmpty
            let isSilent =
                RotationReferencePlan.sounds(config[prayer].sound, on: date) == ["silent"] && !isIftar
            addCall(
                "\(prayer.rawValue)_\(digits)", at, prayer, isEnabled && !day.isSilenced(prayer), isSilent,
                config)
            guard isEnabled, !day.isSilenced(prayer),
                let stands = day.iqama(of: prayer == .jumua ? .dhuhr : prayer)
            else { continue }
            addIqama("\(prayer.rawValue)_\(digits)", stands, call: at, config)
        }
        guard !day.isSilenced else { return }
        for (index, at) in day.takbirat.enumerated() {
            append(Self.numbered("takbirat", index) + "_\(digits)", at, true, isSilent: false, rank: 1)
        }
        guard Self.isEnabled(.fajr, config, switches), !skips.contains(.fajr, on: date) else { return }
        for (index, at) in day.wakes.enumerated() {
            append(Self.numbered("wake", index) + "_\(digits)", at, true, isSilent: false, rank: 1)
        }
        if let at = day.imsak { append("imsak_\(digits)", at, true, isSilent: false, rank: 1) }
    }

    /// On a Friday without a Dhuhr of its own, Jumu'ah is skipped with Dhuhr.
    static func isSkipped(
        _ prayer: Prayer, on date: CivilDate, _ config: Config, _ skips: PrayerSkips
    ) -> Bool {
        if skips.contains(prayer, on: date) { return true }
        return prayer == .jumua && (config.jumua.replacesDhuhr || config.jumua.slots.isEmpty)
            && skips.contains(.dhuhr, on: date)
    }

    private mutating func addFriday(
        _ day: MosqueReferencePlan, _ digits: String, _ config: Config, isSkipped: Bool
    ) {
        guard !day.isSilenced(.jumua) else { return }
        let isEnabled = Self.isEnabled(.jumua, config, switches) && !isSkipped
        for (index, slot) in config.jumua.slots.enumerated() {
            let name = Self.numbered("jumua", index) + "_\(digits)"
            let (khutba, stands, call) = (
                day.khutba(index), day.standsOnFriday(index), day.callOnFriday(index)
            )
            if let call {
                let sound = slot.sound ?? config[.jumua].sound
                addCall(
                    name, call, .jumua, isEnabled,
                    RotationReferencePlan.sounds(sound, on: day.date) == ["silent"], config)
            }
            guard isEnabled else { continue }
            if let khutba, config.jumua.khutbaSound != ["silent"] {
                append(Self.numbered("khutba", index) + "_\(digits)", khutba, true, isSilent: false, rank: 1)
            }
            if let stands { addIqama(name, stands, call: call, config) }
        }
    }

    private mutating func addCall(
        _ name: String, _ at: Instant, _ prayer: Prayer, _ isEnabled: Bool, _ isSilent: Bool, _ config: Config
    ) {
        append(name, at, isEnabled, isSilent: isSilent, rank: 2)
        guard isEnabled else { return }
        for before in config[prayer].reminderSeconds {
            append(
                "reminder-\(Self.words(before))_\(name)", at - before, true,
                isSilent: RotationReferencePlan.sounds(config[prayer].reminderSound, of: name) == ["silent"],
                rank: 0)
        }
    }

    private mutating func addIqama(_ name: String, _ stands: Instant, call: Instant?, _ config: Config) {
        if config.iqamaAnnouncement.sound != ["silent"] {
            append("iqama_\(name)", max(stands, call ?? stands), true, isSilent: false, rank: 1)
        }
        for before in config.iqamaAnnouncement.reminderSeconds {
            append(
                "iqama-reminder-\(Self.words(before))_\(name)", stands - before, true, isSilent: false,
                rank: 0)
        }
    }

    /// Leaves out an announcement whose name is no valid identity. If the daemon arms it, the check finds it missing.
    private mutating func append(
        _ text: String, _ at: Instant, _ isEnabled: Bool, isSilent: Bool, rank: Int
    ) {
        guard let id = AnnouncementID(text) else { return }
        entries.append(Entry(id: id, at: at, isEnabled: isEnabled, isSilent: isSilent, rank: rank))
    }

    private static func numbered(_ name: String, _ index: Int) -> String {
        index == 0 ? name : "\(name)-\(index + 1)"
    }

    /// Whether nothing is called on the day of an identity because the timetable lacks it.
    static func isSilenced(_ id: AnnouncementID, _ config: Config) -> Bool {
        guard let date = id.date, config.missing == .silent, !config.iqama.isEmpty else { return false }
        return ScenarioChoices.printed(on: date) == nil
    }

    /// Whether a prayer is enabled. A switch set by hand overrides the file; jumua without one of its own follows dhuhr's, unless
    /// the file distinguishes the two.
    static func isEnabled(_ prayer: Prayer, _ config: Config, _ switches: [Prayer: Bool]) -> Bool {
        if let own = switches[prayer] { return own }
        if prayer == .jumua, config[.jumua].enabled == config[.dhuhr].enabled, let noon = switches[.dhuhr] {
            return noon
        }
        return config[prayer].enabled
    }

    /// The forms of the configurations here: `10m`, `1h`, `5s`.
    private static func words(_ seconds: Double) -> String {
        let whole = Int(seconds)
        let parts = [(whole / 3600, "h"), (whole % 3600 / 60, "m"), (whole % 60, "s")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
    }

    /// Seconds by which an announcement may be late at most, punctuality included.
    static func grace(of id: AnnouncementID, in config: Config) -> Double {
        if case .call(let name) = id.kind {
            return config.calls.first { $0.name == name }?.lateGraceSeconds ?? 120
        }
        let grace = config[id.prayer].lateGraceSeconds
        switch id.kind {
        case .reminder(let before), .iqamaReminder(let before): return min(grace, before)
        default: return grace
        }
    }
}
