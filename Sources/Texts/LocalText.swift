package import PrayerEngine

/// Parts of an RFC 3339 instant in its own local time, for documents without a known zone.
package enum LocalText {
    /// `2026-11-20`
    package static func date(_ instant: String) -> String {
        String(instant.prefix(10))
    }

    /// `16:32`
    package static func minute(_ instant: String) -> String {
        String(instant.dropFirst(11).prefix(5))
    }

    /// `16:32:00`
    package static func second(_ instant: String) -> String {
        String(instant.dropFirst(11).prefix(8))
    }

    /// `16:32`, or `16:32 tomorrow`, relative to `now`.
    package static func spoken(_ instant: String, now: String) -> String {
        let time = minute(instant)
        guard let day = CivilDate(date(instant)), let today = CivilDate(date(now)), day != today else {
            return time
        }
        if day == today.adding(days: 1) { return "\(time) tomorrow" }
        if day == today.adding(days: -1) { return "\(time) yesterday" }
        return "\(time) on \(day)"
    }

    /// `Friday 20 November 2026`
    package static func long(_ date: CivilDate) -> String {
        "\(weekdays[date.weekday - 1]) \(date.day) \(months[date.month - 1]) \(date.year)"
    }

    /// `Fri`
    package static func weekday(_ date: CivilDate) -> String {
        String(weekdays[date.weekday - 1].prefix(3))
    }

    /// `Nov`, for the month 11.
    package static func shortMonth(_ month: Int) -> String {
        String(months[month - 1].prefix(3))
    }

    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    /// `40 s`, `24 min`, `1 h 24 min`, `3 d 4 h`: the two largest units of a duration in seconds, rounded down.
    package static func span(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds > 0, seconds < 1e9 else { return "0 s" }
        let total = Int(seconds)
        let (days, hours, minutes) = (total / 86_400, total / 3600 % 24, total / 60 % 60)
        if days > 0 { return hours > 0 ? "\(days) d \(hours) h" : "\(days) d" }
        if hours > 0 { return minutes > 0 ? "\(hours) h \(minutes) min" : "\(hours) h" }
        return minutes > 0 ? "\(minutes) min" : "\(total) s"
    }

    /// The duration like ``span(_:)``, with its seconds below an hour: `2 min 4 s`.
    package static func exactSpan(_ seconds: Double) -> String {
        guard seconds.isFinite, (60..<3600).contains(seconds) else { return span(seconds) }
        let rest = Int(seconds) % 60
        return span(seconds) + (rest > 0 ? " \(rest) s" : "")
    }
}
