package import PrayerEngine
import Texts

/// The kinds of announcement to which a window can apply, by their names in the agenda.
package enum AnnouncedKind: String, CaseIterable, Sendable {
    case adhan, iqama, khutba, reminder, imsak, wake, takbirat, call

    /// The name of iftar, which is a line of its own in the agenda and sounds as the beginning of Maghrib's adhan.
    static let partOfAdhan = "iftar"
}

/// A `[[quiet]]` window: hours in which sounds are quieter, or silent.
package struct QuietWindow: Sendable, Equatable {
    package var name = ""
    /// Minutes after midnight by the wall clock, both or neither; neither: the whole day. A window that ends at or before its
    /// beginning's time ends on the next day.
    package var fromMinutes: Int?
    package var untilMinutes: Int?
    /// The days of the week on which it begins, 1 (Monday) to 7; none: every day.
    package var days: [Int] = []
    /// The first and the last day on which it begins, both included.
    package var firstDay: DayBound?
    package var lastDay: DayBound?
    /// Names of outputs; none: all.
    package var outputs: [String] = []
    /// The kinds of announcement; none: all.
    package var kinds: [AnnouncedKind] = []
    /// Percent of perceived loudness; nothing in the window is louder, and 0 is silence.
    package var volumePercent = 0

    package init() {}

    /// The name of the only output where none is configured.
    package static let mainOutput = "main"
    /// The name under which mutes of one output are shown, which no window has.
    package static let muteName = "mute"
    /// The most windows of one configuration.
    package static let most = 32

    package var isSilent: Bool { volumePercent == 0 }

    package func concerns(_ kind: AnnouncedKind, on output: String) -> Bool {
        (kinds.isEmpty || kinds.contains(kind)) && (outputs.isEmpty || outputs.contains(output))
    }

    /// Whether it is in force: its first minute is included, its last is not. The clock's reading decides, so an hour that occurs
    /// twice counts twice.
    package func holds(at instant: Instant, in zone: Zone) -> Bool { holds(at: zone.clock(of: instant)) }

    func holds(at clock: LocalClock) -> Bool {
        guard let fromMinutes, let untilMinutes else { return begins(on: clock.date) }
        let (first, end) = (Double(fromMinutes * 60), Double(untilMinutes * 60))
        if fromMinutes < untilMinutes {
            return first <= clock.secondOfDay && clock.secondOfDay < end && begins(on: clock.date)
        }
        return first <= clock.secondOfDay && begins(on: clock.date)
            || clock.secondOfDay < end && begins(on: clock.date.adding(days: -1))
    }

    private func begins(on date: CivilDate) -> Bool {
        guard days.isEmpty || days.contains(date.weekday) else { return false }
        if case .everyYear(let first)? = firstDay, case .everyYear(let last)? = lastDay {
            let day = MonthDay(date)
            return first <= last ? first <= day && day <= last : first <= day || day <= last
        }
        if case .date(let first)? = firstDay, date < first { return false }
        if case .date(let last)? = lastDay, last < date { return false }
        return true
    }

    /// The next instant at which it is not in force; `nil` where that is more than a year ahead.
    package func end(after instant: Instant, in zone: Zone) -> Instant? {
        let limit = instant + 370 * 86_400
        var changes: [Instant] = []
        // A change of the last day may still repeat a reading.
        var change = zone.nextTransition(after: instant - 86_400)
        while let next = change, next <= limit {
            changes.append(next)
            change = zone.nextTransition(after: next)
        }
        let today = zone.civilDate(of: instant)
        let ends = (0...370).map {
            zone.instant(of: today.adding(days: $0), secondOfDay: Double((untilMinutes ?? 0) * 60))
        }
        // The second occurrence of a repeated reading is an end, too.
        let again = changes.flatMap { change in
            ends.map { $0 + Double(zone.offset(at: change - 1) - zone.offset(at: change)) }
                .filter { $0 > change && $0 - change < 86_400 }
        }
        return (changes + ends + again).sorted().first { $0 > instant && !holds(at: $0, in: zone) }
    }

    /// `quiet window "night-law" until 06:00`
    package var words: String {
        let end = untilMinutes.map { "until \(ClockText.format($0))" } ?? "for the whole day"
        return "quiet window \"\(name)\" \(end)"
    }
}

extension [QuietWindow] {
    /// The window that makes a sound quieter than its own volume at an instant: the one with the lowest volume, and among equals
    /// the first in the file. A window never makes a sound louder.
    package func lowering(
        _ volumePercent: Int, of kind: AnnouncedKind, on output: String, at instant: Instant, in zone: Zone
    ) -> QuietWindow? {
        let inForce = filter { $0.concerns(kind, on: output) && $0.holds(at: instant, in: zone) }
        guard let lowest = inForce.min(by: { $0.volumePercent < $1.volumePercent }) else { return nil }
        return lowest.volumePercent < volumePercent || lowest.isSilent ? lowest : nil
    }
}
