package import PrayerEngine

/// Something about a table that a person should look at.
package struct TimetableFinding: Sendable, Equatable, Encodable {
    package enum Kind: String, CaseIterable, Sendable, Encodable {
        case otherPlace = "other-place"
        case wrongClock = "wrong-clock"
        case oldZoneFiles = "old-zone-files"
        case offset
        case outlier
        case otherAsrSchool = "other-asr-school"
        case implausibleAngle = "implausible-angle"
        case order
        case earlyMaghrib = "early-maghrib"
        case weekday
        case missingDays = "missing-days"
        case duplicateDay = "duplicate-day"
        case endsSoon = "ends-soon"
        case otherYear = "other-year"
        case iqamaBeforeAdhan = "iqama-before-adhan"
        case iqamaTooLate = "iqama-too-late"
        case unreadableCell = "unreadable-cell"

        /// Whether the sentence names its days itself, or is about the table as a whole.
        package var namesDays: Bool {
            switch self {
            case .otherPlace, .outlier, .order, .weekday, .missingDays, .duplicateDay, .endsSoon, .otherYear,
                .iqamaBeforeAdhan, .iqamaTooLate:
                true
            case .wrongClock, .oldZoneFiles, .offset, .otherAsrSchool, .implausibleAngle, .earlyMaghrib,
                .unreadableCell:
                false
            }
        }
    }

    package enum Severity: String, Sendable, Encodable {
        case note, warning
    }

    package let kind: Kind
    package let severity: Severity
    package let from: CivilDate
    package let until: CivilDate
    /// Names of columns.
    package let events: [String]
    package let text: String
    /// The first affected cell, if the finding is about cells.
    package let cell: Cell?

    /// A cell's place and its text. The column is in `events`.
    package struct Cell: Sendable, Equatable, Encodable {
        package let file: String
        package let line: Int
        package let text: String

        package init(file: String, line: Int, text: String) {
            (self.file, self.line, self.text) = (file, line, text)
        }
    }

    package init(
        _ kind: Kind, _ severity: Severity = .warning, from: CivilDate, until: CivilDate,
        events: [String] = [], cell: Cell? = nil, _ text: String
    ) {
        self.cell = cell
        self.kind = kind
        self.severity = severity
        self.from = from
        self.until = until
        self.events = events
        self.text = text
    }

    private enum Key: String, CodingKey { case kind, severity, from, until, events, text, cell }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(cell, forKey: .cell)
        try values.encode(kind, forKey: .kind)
        try values.encode(severity, forKey: .severity)
        try values.encode(from.description, forKey: .from)
        try values.encode(until.description, forKey: .until)
        try values.encode(events, forKey: .events)
        try values.encode(text, forKey: .text)
    }
}

/// Consecutive days.
package struct DateSpan: Sendable, Equatable, Encodable {
    package var from: CivilDate
    package var until: CivilDate

    package init(_ from: CivilDate, _ until: CivilDate) { (self.from, self.until) = (from, until) }

    private enum Key: String, CodingKey { case from, until }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(from.description, forKey: .from)
        try values.encode(until.description, forKey: .until)
    }

    /// `on 26 Jun 2026`, `26–30 Jun …` in plain dates.
    package var text: String { from == until ? "\(from)" : "\(from) to \(until)" }

    /// `on 2026-06-01`, `from 2026-06-01 to 2026-08-03`, `all year`
    package var when: String {
        if isAllYear { return "all year" }
        return from == until ? "on \(from)" : "from \(from) to \(until)"
    }

    var isAllYear: Bool { days >= 365 }

    package var days: Int { until.dayNumber - from.dayNumber + 1 }

    /// Sorted dates as spans; dates at most `gap` days apart belong together.
    package static func runs(_ dates: some Sequence<CivilDate>, gap: Int = 1) -> [DateSpan] {
        var spans: [DateSpan] = []
        for date in dates {
            if let last = spans.last, date.dayNumber - last.until.dayNumber <= gap {
                spans[spans.count - 1].until = date
            } else {
                spans.append(DateSpan(date, date))
            }
        }
        return spans
    }
}
