package import PrayerEngine
import Settings
package import Times

/// Facts about a timetable, for programs: an imported one, or the one in force.
package struct TimetableDocument: Sendable, Encodable {
    package enum Year: Sendable, Equatable, Encodable {
        case of(Int)
        case every

        package func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .of(let year): try value.encode(year)
            case .every: try value.encode("every")
            }
        }
    }

    package var name: String?
    package var format: String?
    package var clock: String?
    package var hours: Int?
    package var year: Year?
    package var asr: String?
    package var days: Int
    package var first: CivilDate?
    package var last: CivilDate?
    package var missing: [DateSpan]
    /// Headers in the file, by the names of the columns.
    package var columns: [String: String]
    package var findings: [TimetableFinding]
    /// Decisions that were made while reading, one sentence each.
    package var remarks: [String] = []
    package var sources: [PublishedTimetable.Source] = []
    /// Whether it is in force now.
    package var saved: Bool
    /// Whether a running daemon uses it; `nil` where no daemon was to read it.
    package var reloaded: Bool?

    package init(
        name: String?, format: String?, clock: String?, hours: Int?, year: Year?, asr: String?, days: Int,
        first: CivilDate?, last: CivilDate?, missing: [DateSpan], columns: [String: String],
        findings: [TimetableFinding], saved: Bool
    ) {
        self.name = name
        self.format = format
        self.clock = clock
        self.hours = hours
        self.year = year
        self.asr = asr
        self.days = days
        self.first = first
        self.last = last
        self.missing = missing
        self.columns = columns
        self.findings = findings
        self.saved = saved
    }

    /// The timetable in force, or the part of it that has a name.
    package init(_ table: PublishedTimetable, name: String?, findings: [TimetableFinding]) {
        let newest = table.sources.max { $0.id < $1.id }
        let years = Set(table.dated.keys.map(\.year))
        var columns: [String: String] = [:]
        for column in table.columns { columns[column.name] = column.name }
        self.init(
            name: name ?? newest?.name, format: newest?.format, clock: newest?.clock, hours: 24,
            year: !table.everyYear.isEmpty ? .every : years.count == 1 ? years.first.map { .of($0) } : nil,
            asr: nil,
            days: table.dated.count + table.everyYear.count, first: table.span?.lowerBound,
            last: table.span?.upperBound, missing: TimetableCheck.missing(in: table), columns: columns,
            findings: findings, saved: !table.isEmpty)
        sources = table.sources
    }

    private enum Key: String, CodingKey {
        case name, format, clock, hours, year, asr, days, first, last, missing, columns, findings, remarks,
            sources
        case saved, reloaded
    }

    /// Every key is present; a value that is not known is `null`.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(name, forKey: .name)
        try values.encode(format, forKey: .format)
        try values.encode(clock, forKey: .clock)
        try values.encode(hours, forKey: .hours)
        try values.encode(year, forKey: .year)
        try values.encode(asr, forKey: .asr)
        try values.encode(days, forKey: .days)
        try values.encode(first?.description, forKey: .first)
        try values.encode(last?.description, forKey: .last)
        try values.encode(missing, forKey: .missing)
        try values.encode(columns, forKey: .columns)
        try values.encode(findings, forKey: .findings)
        try values.encode(remarks, forKey: .remarks)
        try values.encode(sources, forKey: .sources)
        try values.encode(saved, forKey: .saved)
        try values.encodeIfPresent(reloaded, forKey: .reloaded)
    }
}
