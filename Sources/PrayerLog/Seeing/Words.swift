import AdhanCore
package import Languages
package import PrayerEngine

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

    func count(_ key: String, _ number: Int) -> String { tell(key, ["n": String(number)]) }

    /// `6 h 12 min`, `10 min`, `40 s`: rounded down.
    func span(_ seconds: Double) -> String {
        guard seconds >= 60 else { return count("seconds", Int(max(0, seconds))) }
        let (hours, minutes) = Int(seconds / 60).quotientAndRemainder(dividingBy: 60)
        return ((hours > 0 ? [count("hours", hours)] : []) + (minutes > 0 ? [count("minutes", minutes)] : []))
            .joined(separator: " ")
    }
}
