import Announcements
import Envelope
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// A mosque's manual decisions about months, its timetable, and the resulting site.
extension DaemonState {
    // MARK: Months

    /// The calendar from the configuration, without manual changes.
    private var configuredHijri: HijriCalendar {
        inputs.config.calculation.hijri(by: inputs.site.calculation.hijri.rule)
    }

    mutating func hijriSighted(on text: String?, _ batch: inout EffectBatch) throws(ControlError)
        -> ChangeReply
    {
        let day = try evening(text, at: batch.now)
        guard let pin = inputs.site.calculation.hijri.sighted(onEveningOf: day) else {
            throw .invalidTime(
                value: day.description,
                reason:
                    "no month begins with the evening of \(LocalText.long(day)), nor within two days of it")
        }
        return try set(pin, &batch)
    }

    mutating func hijriComplete(on text: String?, _ batch: inout EffectBatch) throws(ControlError)
        -> ChangeReply
    {
        let day = try evening(text, at: batch.now)
        let hijri = inputs.site.calculation.hijri
        // The length of a month is open until the evening of its 29th; on its first two days a person means the previous month.
        let today = hijri.date(day)
        guard today.day >= 29 || today.day <= 2 else {
            let evening = day.adding(days: 29 - today.day)
            throw .invalidTime(
                value: day.description,
                reason:
                    "it is \(today.text), and how long a month is is known from the evening of its 29th on, "
                    + "which is \(LocalText.long(evening))")
        }
        return try set(hijri.completed(on: day), &batch)
    }

    mutating func removeHijriPin(_ text: String, _ batch: inout EffectBatch) throws(ControlError)
        -> ChangeReply
    {
        guard let month = HijriMonth(text) else { throw .invalidParameter(parameter: "month") }
        guard saved.pins[month] != nil else {
            let isConfigured = configuredHijri.pins[month] != nil
            throw .nothingSet(
                what: isConfigured
                    ? "the configuration says when \(month.text) begins; change it there"
                    : "nobody has said when \(month.text) begins")
        }
        reconcile(&batch)
        saved.pins[month] = nil
        saved.fleet.household(decides: .month(month))
        renewSite(at: batch.now)
        let first = inputs.site.calculation.hijri.firstDay(of: month)
        let message = "undone: 1 \(month.text) is \(LocalText.long(first))"
        changeSite(.hijriChanged, message, &batch)
        return ChangeReply(message)
    }

    func hijriPins() -> HijriPinsReply {
        HijriPinsReply(
            configured: configuredHijri.pins, commanded: saved.pins, calendar: inputs.site.calculation.hijri)
    }

    /// The evening that a person means: before Fajr it is that of the previous day.
    private func evening(_ text: String?, at now: Instant) throws(ControlError) -> CivilDate {
        if let text { return try day(named: text) }
        try refuseByClock("today", "name the day as YYYY-MM-DD")
        let today = zone.civilDate(of: now)
        guard let fajr = inputs.site.times.day(today)[.fajr], now < fajr else { return today }
        return today.adding(days: -1)
    }

    mutating func set(_ pin: HijriCalendar.Pin, _ batch: inout EffectBatch) throws(ControlError)
        -> ChangeReply
    {
        if let configured = configuredHijri.pins[pin.month], configured != pin.date {
            throw .invalidTime(
                value: pin.date.description,
                reason: "the configuration says that 1 \(pin.month.text) is \(configured), and has its way")
        }
        var pins = saved.pins
        pins[pin.month] = pin.date
        do throws(HijriPinRefusal) {
            // Pins that were set aside before do not conflict with a new one.
            _ = try inputs.site.calculation.hijri.pinning(pin.month, to: pin.date)
        } catch {
            throw .invalidTime(value: pin.date.description, reason: error.message)
        }
        reconcile(&batch)
        saved.pins = pins
        saved.fleet.household(decides: .month(pin.month))
        let eve =
            inputs.site.calculation.hijri.dayBegins == .maghrib
            ? "; it begins with the evening of \(LocalText.long(pin.date.adding(days: -1)))" : ""
        let message = "1 \(pin.month.text) is \(LocalText.long(pin.date))\(eve)"
        changeSite(.hijriChanged, message, &batch)
        return ChangeReply(message)
    }

    // MARK: The timetable

    mutating func timetableRead(
        _ reading: TimetableReading, _ problems: [InputsProblem]?, _ request: RequestID?,
        _ batch: inout EffectBatch
    ) {
        switch reading {
        case .unusable(let reason):
            inputs.timetableProblem = reason
            batch.publish(
                .timetableChanged, .error,
                "the timetable cannot be used, the one before stays in force: \(reason)",
                Notice.Fields(reason: reason))
            if let request { batch.add(.reply(request, .refused(.timetableInvalid(reason: reason)))) }
        case .table(let table):
            // An announcement that has just become due was due by the earlier times.
            reconcile(&batch)
            inputs.timetableProblem = nil
            inputs.site = inputs.site.applying(table: table)
            let news = (problems ?? []).filter { !inputs.mosqueProblems.contains($0) }
            if let problems { inputs.mosqueProblems = problems }
            noteTimetable(table, &batch)
            let message = Self.sentence(of: table)
            changeSite(.timetableChanged, message, &batch)
            for problem in news { batch.publish(.timetableChanged, .warning, problem.sentence) }
            if let request {
                let next =
                    nextAdhan(at: batch.now).map { "; next is \(upcomingText($0, now: batch.now))" } ?? ""
                batch.add(
                    .reply(request, .document(ChangeReply(message + next, problems: news.map(\.sentence)))))
            }
        }
    }

    /// Saves whether a timetable is in force: if all its files disappear, its absence is reported.
    private mutating func noteTimetable(_ table: PublishedTimetable, _ batch: inout EffectBatch) {
        guard let kept = inputs.kept, kept.hasTimetable != !table.isEmpty else { return }
        let noted = kept.having(timetable: !table.isEmpty)
        inputs.kept = noted
        batch.add(.keep(noted))
    }

    /// Reports a timetable problem at the start, after a reload and at midnight, before a wrong time is called.
    mutating func reportTimetableProblem(
        atMidnight: Bool = false, afterReload: Bool = false, _ batch: inout EffectBatch
    ) {
        let today = zone.civilDate(of: batch.now)
        checkPlace(at: batch.now)
        // A reload reports it with the problems of the mosque's times.
        if !afterReload {
            for problem in inputs.site.placeProblems(from: today) {
                batch.publish(.timetableChanged, .warning, problem.sentence)
            }
        }
        let health = TimetableHealth(inputs.site.times.table, missing: inputs.config.missing, on: today)
        if let health, health.isReported || !atMidnight {
            batch.publish(health.isEnding ? .timetableEnding : .timetableChanged, .warning, health.sentence)
        }
        guard let reason = inputs.timetableProblem else { return }
        let instead =
            inputs.site.times.table.isEmpty ? "times are computed" : "the one before stays in force"
        batch.publish(
            .timetableChanged, .error, "the timetable cannot be used, \(instead): \(reason)",
            Notice.Fields(reason: reason))
    }

    private static func sentence(of table: PublishedTimetable) -> String {
        if table.isEmpty { return "no timetable is published; times are computed" }
        var parts: [String] = []
        if let span = table.span {
            parts.append("\(table.dated.count) days from \(span.lowerBound) to \(span.upperBound)")
        }
        if !table.everyYear.isEmpty { parts.append("\(table.everyYear.count) days of every year") }
        return "the timetable has " + parts.joined(separator: " and ")
    }

    // MARK: Consequences

    func day(named text: String) throws(ControlError) -> CivilDate { try dates(from: text, days: 1)[0] }

    /// Applies the manual decisions to the site; repeated whenever they or the configuration change.
    mutating func renewSite(at now: Instant) {
        var hijri = configuredHijri
        _ = hijri.add(saved.pins)
        inputs.site = inputs.site.applying(exceptions: saved.exceptions, hijri: hijri)
        checkPlace(at: now)
        planCache.invalidate()
    }

    mutating func checkPlace(at now: Instant) {
        let today = zone.civilDate(of: now)
        timetableMismatch = TimetableMismatch(inputs.site.times.table, at: inputs.site, from: today)
        exceptionProblem = inputs.site.exceptionProblems(from: today).first.map {
            ($0.exception, $0.problem.sentence)
        }
    }

    mutating func changeSite(_ kind: Notice.Kind, _ message: String, _ batch: inout EffectBatch) {
        renewSite(at: batch.now)
        batch.publish(kind, .notice, message)
        publishPlan(&batch)
    }
}
