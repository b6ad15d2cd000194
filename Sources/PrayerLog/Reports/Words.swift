package import Languages
package import PrayerEngine
import Texts

/// How a language says what is in the log.
extension Language {
    package func title(_ slot: PrayerSlot) -> String {
        let prayer = slot.prayer.prayer(on: slot.date)
        return prayers[prayer.rawValue] ?? prayer.rawValue
    }

    /// Heading of a column that holds dhuhr and jumua.
    package func title(_ prayer: DailyPrayer) -> String { prayers[prayer.name] ?? prayer.name }

    package func state(_ state: PrayerState) -> String { tell(state.rawValue) }

    package func weekday(_ date: CivilDate) -> String {
        weekdays.indices.contains(date.weekday - 1) ? weekdays[date.weekday - 1] : ""
    }

    package func title(_ badge: Badge) -> String { tell("badge-" + badge.rawValue) }

    /// The count for a badge, and how much of it is needed.
    package func meaning(_ badge: Badge) -> String {
        let key =
            switch badge {
            case .firstPrayer, .consistent, .steadfast, .thousand: "count-kept"
            case .perfectDay: "count-perfect"
            case .weekWarrior, .monthMaster, .seasonKeeper, .yearKeeper: "in-a-row"
            case .earlyBird: "count-fajr"
            case .inTime: "count-in-time"
            case .friday: "count-friday"
            case .debtPaid: "count-made-up"
            }
        let prayer = badge == .friday ? Prayer.jumua : .fajr
        return tell(
            key, ["n": String(badge.needed), "prayer": prayers[prayer.rawValue] ?? prayer.rawValue])
    }

    /// Says that nobody chose the place of the times.
    package func guessedPlace(_ name: String) -> String {
        tell("approximate", ["place": name, "command": "adhanctl setup"])
    }

    func count(_ key: String, _ number: Int) -> String { tell(key, ["n": String(number)]) }

    /// `6 h 12 min`, `10 min`, `40 s`: rounded down.
    func span(_ seconds: Double) -> String {
        guard seconds >= 60 else { return count("seconds", Int(max(0, seconds))) }
        let (hours, minutes) = Int(seconds / 60).quotientAndRemainder(dividingBy: 60)
        return ((hours > 0 ? [count("hours", hours)] : []) + (minutes > 0 ? [count("minutes", minutes)] : []))
            .joined(separator: " ")
    }
}
