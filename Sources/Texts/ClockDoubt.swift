import PrayerEngine

/// Why the clock is not trusted, and the remedy.
package struct ClockDoubt: Sendable {
    /// `adhand has already seen Friday 27 November 2026, 14:05, and the clock shows Monday 23 November 2026, 02:57`
    package let why: String
    /// The remedy, in whole sentences.
    package let remedy: String

    package static let headline = "Nothing is called until the clock is set"

    /// Makes the texts. Instants are in RFC 3339; `seen` contradicts the clock, `nil` when it shows a time before adhand's first
    /// release.
    package init(now: String, seen: String?) {
        let shown = Self.moment(now)
        let set = "onnect the network, or type \"sudo date --set='YYYY-MM-DD HH:MM'\" with the right time."
        guard let seen else {
            let isEarly = InstantText.parse(now).map { $0 < adhandRelease } ?? false
            why = "the clock shows \(shown), which is \(isEarly ? "before adhand was made" : "long past")"
            remedy = "C\(set)"
            return
        }
        why = "adhand has already seen \(Self.moment(seen)), and the clock shows \(shown)"
        remedy = "If \(shown) is right, type \"sudo date --set=now\". If it is wrong, c\(set)"
    }

    /// The sentence for the log.
    package var sentence: String { "nothing is called until the clock is set: \(why). \(remedy)" }

    private static func moment(_ instant: String) -> String {
        let date = CivilDate(LocalText.date(instant)).map(LocalText.long) ?? LocalText.date(instant)
        return "\(date), \(LocalText.minute(instant))"
    }
}
