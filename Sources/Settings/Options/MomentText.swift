package import PrayerEngine
import Texts

/// An instant as people type it.
package enum MomentText {
    package static let allowed =
        "an instant such as 2026-11-20T18:00:00Z, or a time of the place such as 18:00, \"tomorrow 18:00\" or "
        + "\"2026-11-20 18:00\""

    /// `2026-11-20T18:00:00Z`, `now`, and in the place's own time `18:00`, `6pm`, `tomorrow 18:00`, `2026-11-20T18:00`.
    package static func read(_ text: String, now: Instant, in zone: Zone) -> Instant? {
        if let instant = InstantText.parse(text) { return instant }
        if text == "now" { return now }
        let today = zone.civilDate(of: now)
        var date = today
        var clock = Substring(text)
        if let separator = text.firstIndex(where: { $0 == "T" || $0 == " " }),
            let day = try? DateSelection.day(String(text[..<separator]), "", today: today)
        {
            date = day
            clock = text[text.index(after: separator)...]
        }
        guard let time = Spelling.timeOfDay(String(clock)), let second = ClockText.secondOfDay(time) else {
            return nil
        }
        return zone.instant(of: date, secondOfDay: Double(second))
    }
}
