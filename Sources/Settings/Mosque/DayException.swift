package import PrayerEngine
package import Texts

/// A time that was set by hand for one prayer of one day. It is final: nothing rounds, limits or adjusts it.
package struct DayException: Sendable, Equatable {
    package let date: CivilDate
    package let prayer: Prayer
    /// The time of the adhan (for a Friday's congregation: of the khutba), in minutes after midnight by the wall clock, 0..<1440.
    package var adhanMinutes: Int?
    /// The time of the iqama, in minutes after midnight by the wall clock, 0..<1440.
    package var iqamaMinutes: Int?
    package var reason: String?

    package init(
        date: CivilDate, prayer: Prayer, adhanMinutes: Int? = nil, iqamaMinutes: Int? = nil,
        reason: String? = nil
    ) {
        self.date = date
        self.prayer = prayer
        self.adhanMinutes = adhanMinutes
        self.iqamaMinutes = iqamaMinutes
        self.reason = reason
    }

    /// The column that it sets: on a Friday with congregations of its own the first of them, otherwise Dhuhr, at which Jumua is
    /// called then.
    package func beginning(hasSlots: Bool) -> TimetableColumn {
        prayer == .jumua && hasSlots ? .khutba(slot: 1) : .begins(prayer.event)
    }

    package func congregation(hasSlots: Bool) -> TimetableColumn {
        if prayer == .jumua { return hasSlots ? .jumuaIqama(slot: 1) : .iqama(.dhuhr, slot: 1) }
        return .iqama(prayer, slot: 1)
    }

    /// `Maghrib on Saturday 20 March 2027: 18:31, iqama 18:40 (a wedding)`
    package func sentence(hasSlots: Bool) -> String {
        var times: [String] = []
        if let adhanMinutes {
            times.append((prayer == .jumua && hasSlots ? "khutba " : "") + ClockText.format(adhanMinutes))
        }
        if let iqamaMinutes { times.append("iqama \(ClockText.format(iqamaMinutes))") }
        let because = reason.map { " (\($0))" } ?? ""
        return "\(prayer.title) on \(LocalText.long(date)): \(times.joined(separator: ", "))\(because)"
    }
}

/// All times that were set by hand.
package struct DayExceptions: Sendable, Equatable {
    private var byDate: [CivilDate: [Prayer: DayException]] = [:]

    /// The most exceptions. A mosque sets a few a year; only a runaway program sets more.
    package static let most = 400
    /// Days after which an exception is forgotten.
    package static let daysKept = 60

    package init(_ all: [DayException] = []) {
        for exception in all { set(exception) }
    }

    package var isEmpty: Bool { byDate.isEmpty }
    package var count: Int { byDate.values.reduce(0) { $0 + $1.count } }

    package subscript(date: CivilDate) -> [Prayer: DayException] { byDate[date] ?? [:] }

    /// The exceptions by date, and in the order of prayers.
    package var all: [DayException] {
        byDate.sorted { $0.key < $1.key }.flatMap { _, day in Prayer.allCases.compactMap { day[$0] } }
    }

    package mutating func set(_ exception: DayException) {
        byDate[exception.date, default: [:]][exception.prayer] = exception
    }

    package mutating func remove(_ prayer: Prayer, on date: CivilDate) -> DayException? {
        let removed = byDate[date]?.removeValue(forKey: prayer)
        if byDate[date]?.isEmpty == true { byDate[date] = nil }
        return removed
    }

    package mutating func forget(before date: CivilDate) {
        byDate = byDate.filter { date <= $0.key }
    }
}
