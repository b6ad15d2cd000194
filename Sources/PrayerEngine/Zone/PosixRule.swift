/// A POSIX TZ rule: one offset, or two that alternate every year.
///
/// Grammar: POSIX.1-2024, "Environment Variables", TZ; with the wider range of hours (−167…167) of RFC 9636, section
/// 3.3.1.
struct PosixRule: Sendable, Equatable {
    let standard: LocalTimeKind
    private(set) var daylight: Daylight?

    struct Daylight: Sendable, Equatable {
        let kind: LocalTimeKind
        let start: YearlyMoment
        let end: YearlyMoment
    }

    init(standard: LocalTimeKind, daylight: Daylight? = nil) {
        self.standard = standard
        self.daylight = daylight
    }

    init(zone: String, _ text: String) throws(ZoneError) {
        var scanner = PosixScanner(text)
        guard let rule = scanner.rule() else { throw .badRule(zone: zone, text: text) }
        self = rule
    }

    /// The period around an instant, in Unix seconds, in which one offset applies.
    func span(at seconds: Double) -> ZoneSpan {
        guard let daylight else { return ZoneSpan(start: -.infinity, end: .infinity, kind: standard) }
        // Bound the instant, used for the year only, so that no input overflows it.
        let bounded = min(max(seconds, -1e12), 1e12)
        let year = CivilDate(dayNumber: Int(total: bounded.floorDays)).year
        var span = ZoneSpan(start: -.infinity, end: .infinity, kind: standard)
        for year in year - 1...year + 1 {
            let toDaylight = daylight.start.unixSeconds(year: year, offset: standard.offset)
            let toStandard = daylight.end.unixSeconds(year: year, offset: daylight.kind.offset)
            var changes = [(toStandard, standard), (toDaylight, daylight.kind)]
            // Of two changes at one instant, the one to daylight time wins: a rule expresses "daylight time all year" in this
            // way.
            if toDaylight < toStandard { changes.swapAt(0, 1) }
            for (instant, kind) in changes {
                if instant > seconds {
                    span.end = instant
                    return span
                }
                span.start = instant
                span.kind = kind
            }
        }
        return span
    }
}

/// A day of the year and a time on it, by local clocks.
struct YearlyMoment: Sendable, Equatable {
    enum Day: Sendable, Equatable {
        /// `M10.5.0`: the week'th (5: last) weekday (0 = Sunday) of a month.
        case weekday(month: Int, week: Int, weekday: Int)
        /// `J60`: 1…365, 29 February never counted.
        case julianWithoutLeapDay(Int)
        /// `59`: 0…365, 29 February counted.
        case dayOfYear(Int)
    }

    let day: Day
    /// Seconds after local midnight; may be negative or beyond a day.
    let second: Int

    func unixSeconds(year: Int, offset: Int) -> Double {
        Double(dayNumber(year: year) * 86_400 + second - offset)
    }

    private func dayNumber(year: Int) -> Int {
        // The calendar repeats every 400 years, so a year outside CivilDate's range is computed as its equivalent inside.
        let cycles = CivilDate.floorDivide(year - 2000, 400)
        let shift = cycles * 146_097
        let kept = year - cycles * 400
        func start(month: Int) -> Int { CivilDate.dayNumber(year: kept, month: month, day: 1) + shift }
        switch day {
        case .weekday(let month, let week, let weekday):
            let first = start(month: month)
            let length = (month == 12 ? start(month: 1) + yearLength(kept) : start(month: month + 1)) - first
            let firstWeekday = CivilDate.floorModulo(first + 4, 7)  // 1970-01-01 was a Thursday
            var offset = CivilDate.floorModulo(weekday - firstWeekday, 7) + 7 * (week - 1)
            if offset >= length { offset -= 7 }
            return first + offset
        case .julianWithoutLeapDay(let number):
            let isLeap = yearLength(kept) == 366
            return start(month: 1) + number - 1 + (isLeap && number >= 60 ? 1 : 0)
        case .dayOfYear(let number):
            return start(month: 1) + number
        }
    }

    private func yearLength(_ year: Int) -> Int {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
    }
}
