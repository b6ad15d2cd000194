package import PrayerEngine
import Texts

/// The rule for days that the timetable lacks.
public enum MissingDays: String, CaseIterable, Sendable, Codable {
    case compute, silent
}

/// The announcement of a congregation.
package struct IqamaAnnouncement: Sendable, Equatable {
    /// The sound, as for an adhan; `silent` shows the time and makes no sound.
    package var sound: RotatingSound = "silent"
    /// Percent of perceived loudness, 0...100.
    package var volumePercent = 80
    /// Seconds before it, in the order of the file, each 1...21600, all different.
    package var reminderSeconds: [Double] = []
    package var reminderSound: RotatingSound = "signal"

    package init() {}
}

/// The first or the last day on which something holds.
package enum DayBound: Sendable, Equatable {
    case date(CivilDate)
    case everyYear(MonthDay)
    case winterTime, summerTime

    package init?(_ text: String) {
        switch text {
        case "winter-time": self = .winterTime
        case "summer-time": self = .summerTime
        default:
            if let date = CivilDate(text) {
                self = .date(date)
            } else if let day = MonthDay(text) {
                self = .everyYear(day)
            } else {
                return nil
            }
        }
    }

    package var text: String {
        switch self {
        case .date(let date): date.description
        case .everyYear(let day): day.description
        case .winterTime: "winter-time"
        case .summerTime: "summer-time"
        }
    }
}

/// When something holds: always, between dates, or in a part of every year. Both ends are included.
package struct Validity: Sendable, Equatable {
    package var from: DayBound?
    package var until: DayBound?

    package init(from: DayBound? = nil, until: DayBound? = nil) {
        self.from = from
        self.until = until
    }

    package func contains(_ date: CivilDate, _ clock: SeasonClock) -> Bool {
        switch (from, until) {
        case (.winterTime?, _), (nil, .summerTime?): return !clock.isSummer(date)
        case (.summerTime?, _), (nil, .winterTime?): return clock.isSummer(date)
        case (.everyYear(let from)?, .everyYear(let until)?):
            return YearSeason.days(from: from, until: until).contains(date, clock)
        default:
            if case .date(let from)? = from, date < from { return false }
            if case .date(let until)? = until, until < date { return false }
            return true
        }
    }

    /// Why two ends are incompatible; `nil` when they are not.
    package static func fault(from: DayBound?, until: DayBound?) -> (field: String, reason: String)? {
        switch (from, until) {
        case (nil, nil), (.winterTime?, nil), (.summerTime?, nil), (nil, .winterTime?), (nil, .summerTime?),
            (.winterTime?, .summerTime?), (.summerTime?, .winterTime?), (.everyYear?, .everyYear?),
            (.date?, nil), (nil, .date?):
            return nil
        case (.date(let from)?, .date(let until)?):
            return until < from ? ("until", "is before from; nothing would ever hold") : nil
        case (.everyYear?, nil):
            return ("from", "is a day of every year and needs until beside it")
        case (nil, .everyYear?):
            return ("until", "is a day of every year and needs from beside it")
        default:
            return (
                "until",
                "does not go with from; write two dates, two days such as 03-15, or one of winter-time and summer-time"
            )
        }
    }

    /// The validity as a part of every year; `nil` for dates and for always.
    package var season: YearSeason? {
        switch (from, until) {
        case (.winterTime?, _), (nil, .summerTime?): .winterTime
        case (.summerTime?, _), (nil, .winterTime?): .summerTime
        case (.everyYear(let from)?, .everyYear(let until)?): .days(from: from, until: until)
        default: nil
        }
    }
}

/// Friday's congregations.
package struct JumuaSettings: Sendable, Equatable {
    package struct Slot: Sendable, Equatable {
        /// The time of a slot's first adhan.
        package enum FirstAdhan: Sendable, Equatable {
            case none, dhuhr
            /// A clock time, in minutes after midnight.
            case clock(minutes: Int)
            /// A time before the khutba, in minutes.
            case beforeKhutba(minutes: Int)

            package init?(_ text: String) {
                switch text {
                case "none": self = .none
                case "dhuhr": self = .dhuhr
                default:
                    if text.hasPrefix("khutba-"), let seconds = DurationText.parse(text.dropFirst(7)),
                        seconds >= 60, seconds <= 4 * 3600, seconds.truncatingRemainder(dividingBy: 60) == 0
                    {
                        self = .beforeKhutba(minutes: Int(seconds) / 60)
                    } else if let minutes = ClockText.parse(text) {
                        self = .clock(minutes: minutes)
                    } else {
                        return nil
                    }
                }
            }

            package var text: String {
                switch self {
                case .none: "none"
                case .dhuhr: "dhuhr"
                case .clock(let minutes): ClockText.format(minutes)
                case .beforeKhutba(let minutes): "khutba-\(DurationText.format(Double(minutes * 60)))"
                }
            }
        }

        package var adhan = FirstAdhan.dhuhr
        package var khutba: IqamaTime?
        /// The time of the prayer; minutes without an event count from the khutba.
        package var prayer: IqamaTime?
        /// The sound; `nil`: as configured in `[adhan.jumua]`.
        package var sound: RotatingSound?
        package var validity = Validity()

        package init() {}
    }

    /// Whether Dhuhr is not called on a Friday that has slots.
    package var replacesDhuhr = true
    /// The sound for the moment when the imam begins.
    package var khutbaSound = RotatingSound([AdhanSettings.silent])
    package var slots: [Slot] = []

    package init() {}
}

/// The differences in Ramadan, which begins at the maghrib before its first day.
package struct RamadanSettings: Sendable, Equatable {
    /// The wake-ups before fajr, to eat.
    package var wake: [IqamaTime] = []
    package var wakeSound: RotatingSound = ["signal"]
    package var imsak: IqamaTime?
    package var imsakSound: RotatingSound = ["signal"]
    /// The sound played at maghrib before its adhan; empty for none.
    package var iftarSound: RotatingSound = []
    package var isha: IqamaTime?
    package var tarawih: IqamaTime?
    package var qiyam: IqamaTime?
    /// Percent of perceived loudness for wake, imsak and iftar.
    package var volumePercent = 80

    package init() {}
}

/// The two feasts.
package struct EidSettings: Sendable, Equatable {
    /// The times of the prayers, in minutes after midnight.
    package var prayerMinutes: [Int] = []
    /// The sound of the takbirat; empty: none are played.
    package var takbiratSound: RotatingSound = []
    package var takbirat: [IqamaTime] = TimetableColumn.prayers.map { .after($0.event, minutes: 15) }
    package var volumePercent = 80

    package init() {}
}
