package import PrayerEngine
package import Settings
import Texts

/// The warning about a timetable on a day, before people notice a wrong time.
package struct TimetableHealth: Sendable, Equatable {
    /// One sentence with the remedy.
    package let sentence: String
    /// Days until the last day of the timetable; negative when it is past, and `Int.max` for a timetable of every year.
    package let daysLeft: Int
    /// Whether the timetable lacks the day itself.
    package let isMissing: Bool

    /// Whether the warning is about the end of the timetable, and not about a missing day.
    package var isEnding: Bool { daysLeft < 0 || !isMissing }

    /// Days before its end from which the warning is given.
    package static let noticeDays = 30

    /// `nil` when all is well, or nothing is published.
    package init?(_ table: PublishedTimetable, missing: MissingDays, on today: CivilDate) {
        guard !table.isEmpty else { return nil }
        func has(_ date: CivilDate) -> Bool {
            table.dated[date] != nil || table.everyYear[MonthDay(date)] != nil
        }
        let instead = missing == .silent ? "nothing is called" : "times are computed"
        let remedy = "import the next one: adhanctl timetable import FILE"
        isMissing = !has(today)
        let last = table.everyYear.isEmpty ? table.span?.upperBound : nil
        daysLeft = last.map { $0.dayNumber - today.dayNumber } ?? Int.max
        if let last, daysLeft < 0 {
            sentence = "the timetable ended on \(LocalText.long(last)), and \(instead); \(remedy)"
        } else if isMissing {
            sentence = "the timetable does not have \(LocalText.long(today)), and \(instead)"
        } else if let last, daysLeft <= Self.noticeDays {
            let when = daysLeft == 0 ? "today" : daysLeft == 1 ? "tomorrow" : "in \(daysLeft) days"
            sentence = "the timetable ends \(when), on \(LocalText.long(last)); \(remedy)"
        } else {
            return nil
        }
    }

    /// Whether it is logged at the midnight that begins the day: a missing day always, an end once a week.
    package var isReported: Bool { isMissing && daysLeft >= 0 || daysLeft.isMultiple(of: 7) }
}
