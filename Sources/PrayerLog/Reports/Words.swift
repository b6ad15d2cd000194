package import Languages
package import PrayerEngine
import Texts

/// The log in the words of a language.
extension Language {
    package func title(_ slot: PrayerSlot) -> String {
        let prayer = slot.prayer.prayer(on: slot.date)
        return prayers[prayer.rawValue] ?? prayer.rawValue
    }

    /// Heading of a column that holds dhuhr and jumua.
    package func title(_ prayer: DailyPrayer) -> String { prayers[prayer.name] ?? prayer.name }

    package func state(_ state: PrayerState) -> String {
        PersonalPhrase(state).map { text($0) } ?? state.rawValue
    }

    package func weekday(_ date: CivilDate) -> String {
        weekdays.indices.contains(date.weekday - 1) ? weekdays[date.weekday - 1] : ""
    }

    package func title(_ badge: Badge) -> String { PersonalPhrase(badge).map { text($0) } ?? badge.rawValue }

    /// The condition for a badge, with the number that it needs.
    package func meaning(_ badge: Badge) -> String {
        let phrase: PersonalPhrase =
            switch badge {
            case .firstPrayer, .consistent, .steadfast, .thousand: .countKept
            case .perfectDay: .countPerfect
            case .weekWarrior, .monthMaster, .seasonKeeper, .yearKeeper: .inARow
            case .earlyBird: .countFajr
            case .inTime: .countInTime
            case .friday: .countFriday
            case .debtPaid: .countMadeUp
            }
        let prayer = badge == .friday ? Prayer.jumua : .fajr
        return text(
            phrase, ["n": String(badge.needed), "prayer": prayers[prayer.rawValue] ?? prayer.rawValue])
    }

    /// Warns that no place was chosen for these times.
    package func guessedPlace(_ name: String) -> String {
        text(.approximate, ["place": name, "command": "adhanctl setup"])
    }

    func count(_ phrase: PersonalPhrase, _ number: Int) -> String { text(phrase, ["n": String(number)]) }

    /// `6 h 12 min`, `10 min`, `40 s`: rounded down.
    func span(_ seconds: Double) -> String {
        guard seconds >= 60 else { return count(.seconds, Int(max(0, seconds))) }
        let (hours, minutes) = Int(seconds / 60).quotientAndRemainder(dividingBy: 60)
        return ((hours > 0 ? [count(.hours, hours)] : []) + (minutes > 0 ? [count(.minutes, minutes)] : []))
            .joined(separator: " ")
    }
}

extension PersonalPhrase {
    init?(_ state: PrayerState) { self.init(rawValue: state.rawValue) }

    init?(_ badge: Badge) { self.init(rawValue: "badge-" + badge.rawValue) }
}
