package import PrayerEngine
import Settings
package import Texts
package import Times

/// A published table for people.
package enum TimetableText {
    /// The understood content, a week of it beside the computed times, and the findings.
    /// - Parameter isChecked: whether the times were compared with the sun, so that no finding is good news.
    package static func render(
        _ document: TimetableDocument, table: PublishedTimetable, site: Site, today: CivilDate,
        isChecked: Bool = true, _ style: Style
    ) -> String {
        var text = summary(document, style)
        text += week(table, site: site, from: weekStart(table, document, today), style)
        if isChecked || !document.findings.isEmpty { text += findings(document.findings, style) }
        return text
    }

    /// The understood content and the findings, without the week to compare.
    package static func digest(_ document: TimetableDocument) -> [String] {
        (summary(document, .plain) + findings(document.findings, .plain)).split(separator: "\n").map(
            String.init)
    }

    private static func summary(_ document: TimetableDocument, _ style: Style) -> String {
        var facts = TextTable([.left, .left])
        func add(_ name: String, _ value: String) { facts.add([.init(name, .faint), .init(value)]) }
        var days = CountText.of(document.days, "day")
        if let first = document.first, let last = document.last { days += ", \(first) to \(last)" }
        if document.year == .every { days += ", for every year" }
        if let format = document.format { add("format", format) }
        add("days", days)
        if !document.missing.isEmpty { add("missing", document.missing.map(\.text).joined(separator: ", ")) }
        if let clock = document.clock { add("clock", clockText(clock)) }
        if document.hours == 12 { add("hours", "12, read by am and pm or by their columns") }
        if let asr = document.asr { add("asr", asr) }
        let named = document.columns.sorted {
            (TimetableColumn(name: $0.key), $0.key) < (TimetableColumn(name: $1.key), $1.key)
        }
        let columns = named.map {
            $0.key == $0.value ? $0.key : "\($0.key): \"\(TimetableError.excerpt($0.value))\""
        }
        if !columns.isEmpty {
            let lines = Wrapping.lines(columns.joined(separator: ", "), indent: 9)
            for (index, line) in lines.enumerated() { add(index == 0 ? "columns" : "", line) }
        }
        for source in document.sources {
            add(
                "source",
                "\(source.name): \(TimetableError.excerpt(source.file)), \(source.format), \(source.imported)"
            )
        }
        return facts.rendered(style) + document.remarks.map { note("note", $0, .plain, style) }.joined()
    }

    private static func clockText(_ clock: String) -> String {
        switch clock {
        case "winter": "winter time all year; summer time is added"
        case "summer": "summer time all year; in winter an hour is taken off"
        default: "the clock on the wall"
        }
    }

    /// The week to compare with the printed timetable on the wall.
    private static func weekStart(
        _ table: PublishedTimetable, _ document: TimetableDocument, _ today: CivilDate
    ) -> CivilDate {
        guard table.published(on: today, in: .utc) == nil, let first = document.first else { return today }
        return first
    }

    /// Published times, each with its distance from the computed one in minutes.
    package static func week(
        _ table: PublishedTimetable, site: Site, from first: CivilDate, _ style: Style
    ) -> String {
        let columns = table.columns.filter { $0.event != .dhuhr || $0.isBeginning || isIqama($0) }
        guard !columns.isEmpty else { return "" }
        var text = TextTable([.left, .left] + columns.map { _ in .left })
        text.add([.init("Date", .heading), ""] + columns.map { .init($0.name, .heading) })
        for index in 0..<7 {
            let date = first.adding(days: index)
            guard let day = table.published(on: date, in: site.zone) else { continue }
            let computed = site.computedTimes.day(date)
            var row: [TextTable.Cell] = [.init("\(date)"), .init(LocalText.weekday(date), .faint)]
            for column in columns {
                guard let minutes = day.cellMinutes[column] else {
                    row.append("")
                    continue
                }
                var cell = ClockText.format(minutes)
                if column.isBeginning, let instant = computed[column.event] {
                    let own = SunReference.minutes(of: instant, after: date, in: site.zone).rounded()
                    let difference = Int(SunReference.difference(minutes, own))
                    if difference != 0 { cell += difference > 0 ? " +\(difference)" : " \(difference)" }
                }
                row.append(.init(cell))
            }
            text.add(row)
        }
        return "\n" + text.rendered(style)
            + style("beside each time: minutes from the computed one\n", .faint)
    }

    private static func isIqama(_ column: TimetableColumn) -> Bool {
        if case .iqama = column { return true }
        return false
    }

    package static func findings(_ findings: [TimetableFinding], _ style: Style) -> String {
        guard !findings.isEmpty else { return "\nchecked against the sun: nothing to remark\n" }
        // Facts that help to understand the rest come first.
        let ordered = findings.filter { $0.kind == .otherPlace } + findings.filter { $0.kind != .otherPlace }
        return "\n"
            + ordered.map { finding in
                let span = DateSpan(finding.from, finding.until).text
                let text = finding.kind.namesDays ? finding.text : "\(span): \(finding.text)"
                return note(
                    finding.severity.rawValue, text, finding.severity == .warning ? .caution : .faint, style)
            }.joined()
    }

    private static func note(_ word: String, _ text: String, _ tone: Style.Tone, _ style: Style) -> String {
        let lines = Wrapping.lines(text, indent: 9)
        let head = word + String(repeating: " ", count: max(1, 9 - word.count))
        return lines.enumerated().map { index, line in
            (index == 0 ? style(head, tone) : String(repeating: " ", count: 9)) + line + "\n"
        }.joined()
    }
}

private func < (a: (TimetableColumn?, String), b: (TimetableColumn?, String)) -> Bool {
    switch (a.0, b.0) {
    case (let x?, let y?): x < y
    case (nil, nil): a.1 < b.1
    default: a.0 != nil
    }
}
