import PrayerEngine
import Settings
import Texts

/// Reads times that may lack am and pm.
struct TwelveHourTimes {
    /// Whether unmarked times are on a 12-hour clock, for beginnings and for congregations.
    private let begins: Bool
    private let congregations: Bool
    /// 24 or 12; from the beginnings if the file has any.
    let hours: Int
    /// Whether am and pm had to be guessed anywhere.
    let isGuess: Bool

    /// `stated`: the number of hours that a person stated.
    init(_ days: some Collection<[TimetableColumn: RawCell]>, stated: Int? = nil) {
        var tally: [Bool: (late: Int, early: Int, marked: Int)] = [:]
        for cells in days {
            for (column, cell) in cells {
                // An event that is always after noon shows the clock: it is 13 and more, or the clock has 12 hours.
                guard column.event == .asr || column.event == .maghrib,
                    let reading = Self.reading(cell.text, column)
                else { continue }
                var count = tally[column.isBeginning] ?? (0, 0, 0)
                if reading.half != nil {
                    count.marked += 1
                } else if reading.hour >= 12 {
                    count.late += 1
                } else {
                    count.early += 1
                }
                tally[column.isBeginning] = count
            }
        }
        func isTwelve(_ isBeginning: Bool) -> Bool {
            if let stated { return stated == 12 }
            guard let count = tally[isBeginning] else { return false }
            return count.early > count.late
        }
        (begins, congregations) = (isTwelve(true), isTwelve(false))
        let all = tally[true] ?? tally[false] ?? (0, 0, 0)
        hours =
            stated
            ?? (begins || (tally[true] == nil && congregations) || all.marked > all.late + all.early
                ? 12 : 24)
        isGuess = stated == nil && (begins || congregations)
    }

    private static func reading(_ text: String, _ column: TimetableColumn) -> PrintedTime? {
        if column.isBeginning { return PrintedTime(text) }
        guard case .success(let readings) = IqamaCell.read(text, of: column.event),
            case .clock(let clock)? = readings.first
        else {
            return nil
        }
        return clock
    }

    func minutes(_ reading: PrintedTime, of event: DayEvent, maghrib: Int?) -> Int {
        guard begins, reading.isOpen else { return reading.minutes }
        // Isha is the next time after maghrib that the clock face shows this time.
        if event == .isha, let maghrib { return Self.later(reading.morning, than: maghrib, grace: 0) }
        return Self.minutes(reading, of: event)
    }

    func congregation(_ reading: PrintedTime, of column: TimetableColumn, adhan: Int?) -> Int {
        guard congregations, reading.isOpen else { return reading.minutes }
        if let adhan { return Self.later(reading.morning, than: adhan, grace: Self.grace) }
        return Self.minutes(reading, of: column.event)
    }

    /// The meaning of a 12-hour time without other times of the day to compare.
    static func minutes(_ reading: PrintedTime, of event: DayEvent) -> Int {
        guard reading.isOpen else { return reading.minutes }
        switch event {
        case .asr, .maghrib: return reading.morning + 720
        case .dhuhr: return IqamaReading.afternoon(reading.morning, .dhuhr) ?? reading.morning
        case .isha: return IqamaReading.afternoon(reading.morning, .isha) ?? reading.morning
        default: return reading.morning
        }
    }

    /// The minutes after its adhan within which a congregation begins, and before it: a table may follow another clock.
    private static let (longest, grace) = (360, 60)

    /// The time at which a congregation can begin: as read, or in the other half of the day if only that is possible and no am or
    /// pm is printed; `nil` if neither is possible.
    func possible(_ minutes: Int, _ reading: PrintedTime, of prayer: Prayer, adhan: Int?) -> Int? {
        guard let adhan else {
            return reading.isOpen ? IqamaReading.afternoon(minutes, prayer) ?? minutes : minutes
        }
        func fits(_ minutes: Int) -> Bool {
            ((minutes - adhan + Self.grace) % 1440 + 1440) % 1440 <= Self.longest + Self.grace
        }
        if fits(minutes) { return minutes }
        let other = (minutes + 720) % 1440
        return reading.isOpen && fits(other) ? other : nil
    }

    /// Of the two times of day that a clock face shows, the first one after another time, or up to `grace` before it.
    private static func later(_ morning: Int, than other: Int, grace: Int) -> Int {
        func wait(_ minutes: Int) -> Int { ((minutes - other + grace) % 1440 + 1440) % 1440 }
        return wait(morning) <= wait(morning + 720) ? morning : morning + 720
    }
}
