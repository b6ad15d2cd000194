package import PrayerEngine

/// Compares a table with the Sun: findings that a person should see before a congregation uses it.
package struct SunCheck: Sendable {
    let days: [PublishedDay]
    let site: Site
    let sun: SunReference
    /// The school that the table's Asr follows.
    package let asr: AsrSchool
    /// Published minus computed in minutes, by event and day; nil where either is missing.
    let deviationMinutes: [DayEvent: [Double?]]
    /// Sign of the hour by which a column is off, by event and day; 0 where it is not.
    var hourOff: [DayEvent: [Int]] = [:]

    /// Prepares the check of `days`, in the order of their dates. `asr`: the table's own school; nil: as configured.
    package init(_ days: [PublishedDay], site: Site, asr: AsrSchool? = nil, sun: SunReference? = nil) {
        self.days = days
        self.site = site
        let sun = sun ?? SunReference(place: site.place, zone: site.zone, dates: days.map(\.date))
        self.sun = sun
        func deviations(_ event: DayEvent, _ school: AsrSchool) -> [Double?] {
            days.map { day in
                guard let published = day.minutes(of: event),
                    let computed = sun[day.date].minutes(of: event, asr: school)
                else { return nil }
                return SunReference.difference(published, computed)
            }
        }
        let meant = asr ?? site.calculation.asr
        let other: AsrSchool = meant == .standard ? .hanafi : .standard
        let (own, others) = (deviations(.asr, meant), deviations(.asr, other))
        // On an unshifted day the right school is minutes away, the other one 25 to 80.
        func isOther() -> Bool {
            guard let mine = Median.of(own.compactMap { $0 }), let its = Median.of(others.compactMap { $0 })
            else { return false }
            return (25...80).contains(abs(mine)) && abs(its) < abs(mine) && abs(its) < 20
        }
        isOtherSchool = isOther()
        self.asr = isOtherSchool ? other : meant
        var all: [DayEvent: [Double?]] = [.asr: isOtherSchool ? others : own]
        for event in [DayEvent.sunrise, .dhuhr, .maghrib] { all[event] = deviations(event, meant) }
        self.deviationMinutes = all
        findHours()
    }

    let isOtherSchool: Bool

    /// The findings, in the order of the days.
    package func findings() -> [TimetableFinding] {
        guard !days.isEmpty else { return [] }
        // Findings about single days of a table for another place mean nothing.
        let isElsewhere = placeFinding()
        var findings =
            isElsewhere.map { [$0] } ?? clockFindings() + earlyMaghrib() + schoolFinding() + offsets()
        findings += orderFindings() + (isElsewhere == nil ? outliers() + angles() : []) + iqamas()
        return findings.enumerated().sorted {
            ($0.element.from, $0.offset) < ($1.element.from, $1.offset)
        }.map(\.element)
    }

    /// Converts positions of days into spans of consecutive days.
    func spans(_ indices: some Sequence<Int>, gap: Int = 1) -> [DateSpan] {
        DateSpan.runs(indices.map { days[$0].date }, gap: gap)
    }

    func isHourOff(_ index: Int) -> Bool { hourOff.values.contains { $0[index] != 0 } }

    /// Names in a sentence: `fajr, sunrise and dhuhr`.
    static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// `3 min`, `1 h 2 min`
    static func minutes(_ value: Double) -> String {
        let minutes = Int(abs(value).rounded())
        return minutes < 90 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private func schoolFinding() -> [TimetableFinding] {
        guard isOtherSchool, let first = days.first, let last = days.last else { return [] }
        let configured: AsrSchool = asr == .standard ? .hanafi : .standard
        return [
            TimetableFinding(
                .otherAsrSchool, from: first.date, until: last.date, events: ["asr"],
                "asr is that of the other school: \(asr.rawValue), where \(configured.rawValue) was expected")
        ]
    }

    private func offsets() -> [TimetableFinding] {
        guard let first = days.first, let last = days.last else { return [] }
        return SunReference.events.compactMap { event in
            let steady = (deviationMinutes[event] ?? []).enumerated()
                .compactMap { hourOff[event]?[$0.offset] == 0 ? $0.element : nil }
            guard let median = Median.of(steady), abs(median) >= 3 else { return nil }
            let what =
                event == .dhuhr ? "noon" : event == .maghrib ? "sunset" : "the computed \(event.rawValue)"
            var text =
                "\(event.rawValue) is usually \(Self.minutes(median)) \(median > 0 ? "after" : "before") \(what)"
            if abs(median) > 10 { text += "; is the table for \(site.name), and the location right?" }
            return TimetableFinding(
                .offset, abs(median) > 10 ? .warning : .note, from: first.date, until: last.date,
                events: [event.rawValue], text)
        }
    }

    private func earlyMaghrib() -> [TimetableFinding] {
        let early = days.indices.filter { deviationMinutes[.maghrib]?[$0].map { $0 < -2 } ?? false }
        return spans(early, gap: 2).map { span in
            let most =
                zip(days, deviationMinutes[.maghrib] ?? [])
                .filter { (span.from...span.until).contains($0.0.date) }.compactMap(\.1).min() ?? 0
            return TimetableFinding(
                .earlyMaghrib, from: span.from, until: span.until, events: ["maghrib"],
                "maghrib is up to \(Self.minutes(most)) before sunset; people break their fast by it")
        }
    }
}
