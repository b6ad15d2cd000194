package import PrayerEngine
package import Settings

/// All findings about a table: from the Sun, and from its dates.
package enum TimetableCheck {
    /// The days of a table. `year`: the year in which rows for every year are examined.
    package static func days(of table: PublishedTimetable, in zone: Zone, year: Int) -> [PublishedDay] {
        var dates = Set(table.dated.keys)
        for day in table.everyYear.keys {
            if let date = CivilDate(year: year, month: day.month, day: day.day) { dates.insert(date) }
        }
        return dates.sorted().compactMap { table.published(on: $0, in: zone) }
    }

    /// Days without a row between the first and the last; in a table for every year, of the whole year.
    package static func missing(in table: PublishedTimetable) -> [DateSpan] {
        let dates = table.dated.keys.sorted()
        var spans: [DateSpan] = []
        for (date, next) in zip(dates, dates.dropFirst()) where next.dayNumber > date.dayNumber + 1 {
            let gap = (date.dayNumber + 1..<next.dayNumber).map(CivilDate.init(dayNumber:))
            spans += DateSpan.runs(gap.filter { table.everyYear[MonthDay($0)] == nil })
        }
        return spans
    }

    package static func findings(
        _ table: PublishedTimetable, site: Site, asr: AsrSchool? = nil, today: CivilDate
    ) -> [TimetableFinding] {
        let days = days(of: table, in: site.zone, year: today.year)
        return SunCheck(days, site: site, asr: asr).findings()
            + dateFindings(table, today: today, missing: site.times.mosque.missing)
    }

    /// Findings about dates. `policy`: the rule for days that the table lacks.
    package static func dateFindings(
        _ table: PublishedTimetable, today: CivilDate, missing policy: MissingDays
    ) -> [TimetableFinding] {
        let instead = policy == .silent ? "nothing is called" : "the times are computed"
        var findings = missing(in: table).map { span in
            TimetableFinding(
                .missingDays, from: span.from, until: span.until,
                "\(span.text) \(span.days == 1 ? "has" : "have") no row; \(instead) on "
                    + (span.days == 1 ? "that day" : "those days"))
        }
        findings += missingEveryYear(table, today, instead)
        guard let span = table.span, table.everyYear.count < 365 else { return findings }
        let left = span.upperBound.dayNumber - today.dayNumber
        if left < 0 {
            findings.append(
                TimetableFinding(
                    .otherYear, from: span.lowerBound, until: span.upperBound,
                    "all days of the table are past: it ended on \(span.upperBound)"))
        } else if left < 30 {
            findings.append(
                TimetableFinding(
                    .endsSoon, .note, from: span.upperBound, until: span.upperBound,
                    "the table ends on \(span.upperBound); from the day after, \(instead)"))
        }
        return findings
    }

    private static func missingEveryYear(
        _ table: PublishedTimetable, _ today: CivilDate, _ instead: String
    ) -> [TimetableFinding] {
        guard !table.everyYear.isEmpty, let first = CivilDate(year: 2024, month: 1, day: 1) else { return [] }
        let missing = (0..<366).map { first.adding(days: $0) }.filter { table.everyYear[MonthDay($0)] == nil }
        return DateSpan.runs(missing).map { span in
            let (from, until) = (MonthDay(span.from), MonthDay(span.until))
            func dated(_ day: MonthDay) -> CivilDate {
                CivilDate(year: today.year, month: day.month, day: day.day)
                    ?? CivilDate(dayNumber: span.from.dayNumber)
            }
            let text = span.days == 1 ? "\(from) has" : "\(from) to \(until) have"
            return TimetableFinding(
                .missingDays, span.days == 1 && from == MonthDay(month: 2, day: 29) ? .note : .warning,
                from: dated(from), until: dated(until),
                "\(text) no row; \(instead) then, every year")
        }
    }
}
