package import Protocol
package import Texts

/// Lines of `adhanctl log` and `debug monitor`, and the table of `debug timers`.
package enum JournalText {
    /// `2026-11-20 16:32:00.003  info     Maghrib: adhan started …`
    package static func line(_ entry: LogEntry, _ style: Style) -> String {
        let time = "\(LocalText.date(entry.at)) \(entry.at.dropFirst(11).prefix(12))"
        let level = entry.level + String(repeating: " ", count: max(0, 7 - entry.level.count))
        return "\(style(time, .faint))  \(style(level, tone(entry.level)))  \(entry.message)\n"
    }

    /// The line with the kind of the event, for people who debug adhand.
    package static func monitorLine(_ entry: LogEntry, _ style: Style) -> String {
        let time = entry.at.dropFirst(11).prefix(12)
        let kind = entry.event + String(repeating: " ", count: max(0, 18 - entry.event.count))
        return "\(style(String(time), .faint))  \(style(kind, tone(entry.level)))  \(entry.message)\n"
    }

    package static func timers(_ reply: TimersReply, _ style: Style) -> String {
        guard !reply.timers.isEmpty || !reply.housekeeping.isEmpty else { return "no timer is armed\n" }
        var table = TextTable([.left, .left, .left])
        for (entries, tone) in [(reply.timers, Style.Tone.plain), (reply.housekeeping, .faint)] {
            for entry in entries {
                table.add([
                    .init(LocalText.date(entry.at), tone),
                    .init(String(entry.at.dropFirst(11).prefix(12)), tone),
                    .init(entry.id, tone),
                ])
            }
        }
        return table.rendered(style)
    }

    private static func tone(_ level: String) -> Style.Tone {
        switch level {
        case "error": .alarm
        case "warning": .caution
        case "debug": .faint
        default: .plain
        }
    }
}
