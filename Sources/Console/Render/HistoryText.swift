package import Protocol
package import Texts

/// `adhanctl history` for people.
package enum HistoryText {
    package static func render(_ history: HistoryDocument, _ style: Style) -> String {
        let days = history.days == 1 ? "day" : "\(history.days) days"
        guard !history.announcements.isEmpty else { return "nothing was due in the last \(days)\n" }
        var table = TextTable([.left, .left, .left, .left, .right, .left])
        for entry in history.announcements {
            table.add([
                .init(LocalText.date(entry.scheduled)), .init(LocalText.second(entry.scheduled)),
                .init(title(entry)), .init(entry.outcome.rawValue, tone(entry.outcome)),
                .init(entry.latenessMs.map(lateness) ?? ""), .init(detail(entry), .faint),
            ])
        }
        return table.rendered(style) + "\n" + summary(history, days: days, style)
    }

    private static func summary(_ history: HistoryDocument, days: String, _ style: Style) -> String {
        guard history.due > 0 else {
            return
                "no adhan was due in the last \(days); what people triggered, silenced or ended does not count\n"
        }
        let percent = NumberText.decimals(Double(history.played) / Double(history.due) * 100, 0)
        let isComplete = history.played == history.due
        let partial = history.partial ?? 0
        let text =
            "\(history.played) of \(history.due) adhans due in the last \(days) \(history.played == 1 ? "was" : "were") played (\(percent) %)"
            + (partial > 0 ? ", and \(partial) not on every output" : "")
        return style(text, isComplete ? .good : .caution) + "\n"
    }

    /// `Fajr`, `reminder-10m Fajr`
    private static func title(_ entry: HistoryEntry) -> String {
        guard let id = AnnouncementID(entry.id) else { return entry.id }
        if case .call(let name) = id.kind { return "call \(name)" }
        let name = id.slot == 1 ? id.prayer.title : "\(id.prayer.title) \(id.slot)"
        return id.kind == .adhan ? name : "\(id.label) \(name)"
    }

    /// `3 ms late`, `2.5 s late`, `1 ms early`
    private static func lateness(_ milliseconds: Double) -> String {
        let size = abs(milliseconds)
        let amount =
            size < 1000 ? "\(NumberText.decimals(size, 0)) ms" : "\(NumberText.decimals(size / 1000, 1)) s"
        return "\(amount) \(milliseconds < 0 ? "early" : "late")"
    }

    private static func detail(_ entry: HistoryEntry) -> String {
        var (parts, reasons): ([String], [String]) = ([], [])
        if let rate = entry.rate, rate > 0, entry.framesPlayed > 0 {
            parts.append("\(NumberText.decimals(Double(entry.framesPlayed) / Double(rate), 1)) s")
        }
        if let device = entry.device { parts.append("on \"\(device)\"") }
        if entry.dropouts > 0 { parts.append("dropouts: \(entry.dropouts)") }
        if let reason = entry.reason { reasons.append(reason) }
        // If no other reason is known, the person who ended the adhan is given as the reason.
        if entry.reason == nil, let endedBy = entry.endedBy { reasons.append("ended by \(endedBy)") }
        let outputs = (entry.outputs ?? []).named.map { "\($0.name) \($0.outcome.rawValue)" }
        guard !outputs.isEmpty else { return (parts + reasons).joined(separator: ", ") }
        // Lists and reasons contain commas, so the parts are separated by semicolons.
        return ([parts.joined(separator: ", ")] + reasons + [outputs.joined(separator: ", ")])
            .filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private static func tone(_ outcome: Outcome) -> Style.Tone {
        switch outcome {
        case .played, .playing: .good
        case .missed, .failed: .alarm
        case .muted, .quiet, .partial, .interrupted: .caution
        case .upcoming, .disabled, .silent, .skipped: .faint
        }
    }
}
