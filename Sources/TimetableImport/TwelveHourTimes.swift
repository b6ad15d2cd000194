import PrayerEngine
import Settings
import Texts

/// Times that may lack their am and pm.
struct TwelveHourTimes {
    /// Whether unmarked times count to 12, among the beginnings and among the congregations.
    private let begins: Bool
    private let congregations: Bool
    /// 24 or 12, of the beginnings where there are any.
    let hours: Int
    /// Whether am and pm had to be guessed anywhere.
    let isGuess: Bool

    /// `stated` comes from a person.
    init(_ days: some Collection<[TimetableColumn: RawCell]>, stated: Int? = nil) {
        var tally: [Bool: (late: Int, early: Int, marked: Int)] = [:]
        for cells in days {
            for (column, cell) in cells {
                // An event that is always after noon tells: it is 13 and more, or it counts to 12.
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
        // Isha is the next time the hand is there after maghrib.
        if event == .isha, let maghrib { return Self.later(reading.morning, than: maghrib, grace: 0) }
        return Self.minutes(reading, of: event)
    }

    func congregation(_ reading: PrintedTime, of column: TimetableColumn, adhan: Int?) -> Int {
        guard congregations, reading.isOpen else { return reading.minutes }
        if let adhan { return Self.later(reading.morning, than: adhan, grace: Self.grace) }
        return Self.minutes(reading, of: column.event)
    }

    /// The meaning of a time on twelve hours beside which no other time of the day helps.
    static func minutes(_ reading: PrintedTime, of event: DayEvent) -> Int {
        guard reading.isOpen else { return reading.minutes }
        switch event {
        case .asr, .maghrib: return reading.morning + 720
        case .dhuhr: return IqamaReading.afternoon(reading.morning, .dhuhr) ?? reading.morning
        case .isha: return IqamaReading.afternoon(reading.morning, .isha) ?? reading.morning
        default: return reading.morning
        }
    }

    /// Minutes after its adhan within which a congregation stands up, and before it: a table may be by another clock.
    private static let (longest, grace) = (360, 60)

    /// The time at which a congregation can stand up: as it is read; the other half of the day, where that alone is possible and
    /// nothing is printed beside it; `nil` where neither is.
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

    /// Of the two times of day that a hand shows, the one that comes first after another, or `grace` before it.
    private static func later(_ morning: Int, than other: Int, grace: Int) -> Int {
        func wait(_ minutes: Int) -> Int { ((minutes - other + grace) % 1440 + 1440) % 1440 }
        return wait(morning) <= wait(morning + 720) ? morning : morning + 720
    }
}
