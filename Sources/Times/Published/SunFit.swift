import PrayerEngine

/// Whether the times of a table may be for a place: one rule for all callers and seasons. It examines every day separately: over
/// a year a place further north is early as often as late, and a median would hide that.
struct SunFit {
    /// Minutes by which a time may differ from the sun's before the place is doubted. Mosques call later than necessary, and some
    /// call maghrib when the redness has gone.
    static let plausible: [(event: DayEvent, minutes: ClosedRange<Double>)] = [
        (.sunrise, -12...12), (.maghrib, -12...35), (.dhuhr, -12...120),
    ]

    /// Tenths of the days on which a time may be off.
    private static let most = 6

    static func isOff(_ event: DayEvent, _ minutes: Double) -> Bool {
        plausible.contains { $0.event == event && !$0.minutes.contains(minutes) }
    }

    /// Whether enough of the known days are off to conclude that the timetable belongs to another place.
    static func doubts(off: Int, of days: Int) -> Bool { days > 0 && off * 10 >= days * most }

    /// The event that is off most often, and by how many minutes it usually is off on those days; `nil` where the table fits.
    /// - Parameter days: published minus computed minutes of each day, as far as they are known.
    static func deviation(_ days: [[DayEvent: Double]]) -> (event: DayEvent, minutes: Double)? {
        let known = days.filter { !$0.isEmpty }
        let off = known.map { day in day.filter { isOff($0.key, $0.value) } }
        guard doubts(off: off.count { !$0.isEmpty }, of: known.count) else { return nil }
        let minutes = plausible.map(\.event).map { event in (event, off.compactMap { $0[event] }) }
        guard let (event, found) = minutes.max(by: { $0.1.count < $1.1.count }) else { return nil }
        let (late, early) = (found.filter { $0 > 0 }, found.filter { $0 <= 0 })
        return Median.of(late.count >= early.count ? late : early).map { (event, $0) }
    }
}
