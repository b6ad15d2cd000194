import AdhanCore
package import PrayerEngine

/// The words of one language that the companion shows.
package struct Words: Sendable, Equatable {
    /// By ``DailyPrayer/name``, and `jumua`.
    package var prayers: [String: String]
    /// By ``PrayerState``.
    package var states: [String: String]
    /// Monday first.
    package var weekdays: [String]

    package func title(_ slot: PrayerSlot) -> String {
        let prayer = slot.prayer.prayer(on: slot.date)
        return prayers[prayer.rawValue] ?? prayer.title
    }

    /// Heading of a column that holds dhuhr and jumua.
    package func title(_ prayer: DailyPrayer) -> String { prayers[prayer.name] ?? prayer.name }

    package func state(_ state: PrayerState) -> String { states[state.rawValue] ?? state.rawValue }

    package func weekday(_ date: CivilDate) -> String { weekdays[date.weekday - 1] }

    package static let english = Words(
        prayers: Dictionary(uniqueKeysWithValues: Prayer.allCases.map { ($0.rawValue, $0.title) }),
        states: [
            "upcoming": "to come", "open": "now", "prayed": "prayed", "late": "late", "made-up": "made up",
            "missed": "missed", "excused": "excused", "unlogged": "not logged",
        ],
        weekdays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
}
