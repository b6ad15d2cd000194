package import PrayerEngine
package import Texts

/// One of the five prayers of a day. Friday's jumua is the dhuhr of its day.
package enum DailyPrayer: Int, CaseIterable, Sendable, Comparable {
    case fajr, dhuhr, asr, maghrib, isha

    package init(_ prayer: Prayer) {
        self =
            switch prayer {
            case .fajr: .fajr
            case .dhuhr, .jumua: .dhuhr
            case .asr: .asr
            case .maghrib: .maghrib
            case .isha: .isha
            }
    }

    /// The name in files and documents: `fajr`, and `dhuhr` on Fridays, too.
    package var name: String { prayer.rawValue }

    package var event: DayEvent { prayer.event }

    private var prayer: Prayer {
        switch self {
        case .fajr: .fajr
        case .dhuhr: .dhuhr
        case .asr: .asr
        case .maghrib: .maghrib
        case .isha: .isha
        }
    }

    /// The prayer as adhand names it on a date.
    package func prayer(on date: CivilDate) -> Prayer {
        self == .dhuhr && date.isFriday ? .jumua : prayer
    }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
