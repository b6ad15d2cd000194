package import PrayerEngine

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
