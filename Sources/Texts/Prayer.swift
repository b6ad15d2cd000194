package import PrayerEngine

/// The prayers that can be announced: the five daily prayers, and Friday's, which replaces dhuhr.
public enum Prayer: String, CaseIterable, Codable, Sendable {
    case fajr, dhuhr, asr, maghrib, isha, jumua

    /// The name in a sentence or a heading: "Fajr", "Jumu'ah".
    public var title: String {
        self == .jumua ? "Jumu'ah" : rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }

    /// Hashes the prayer's position: the raw value would be hashed as a text.
    public func hash(into hasher: inout Hasher) { hasher.combine(order) }

    private var order: Int {
        switch self {
        case .fajr: 0
        case .dhuhr: 1
        case .asr: 2
        case .maghrib: 3
        case .isha: 4
        case .jumua: 5
        }
    }

    /// The event of the day at which it is called; jumua is called at dhuhr.
    package var event: DayEvent {
        switch self {
        case .fajr: .fajr
        case .dhuhr, .jumua: .dhuhr
        case .asr: .asr
        case .maghrib: .maghrib
        case .isha: .isha
        }
    }
}

extension Prayer {
    /// The prayers of a date in order: on Fridays jumua replaces dhuhr.
    package static func prayers(on date: CivilDate) -> [Prayer] {
        [.fajr, date.isFriday ? .jumua : .dhuhr, .asr, .maghrib, .isha]
    }
}

extension DayEvent {
    /// The name in a heading: "Fajr", "Last third".
    package var title: String {
        self == .lastThird ? "Last third" : rawValue.prefix(1).uppercased() + rawValue.dropFirst()
    }
}
