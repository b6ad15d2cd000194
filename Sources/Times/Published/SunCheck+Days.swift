import PrayerEngine
import Settings

/// Finds single days and cells that do not fit.
extension SunCheck {
    /// Findings about days that stand out from the surrounding ones. A column that moves in steps stands out everywhere, and is
    /// ignored.
    func outliers() -> [TimetableFinding] {
        var found: [(date: CivilDate, event: DayEvent, by: Double)] = []
        for event in SunReference.events + [.fajr, .isha] {
            let all = outlierMinutes(event)
            let count = all.count { $0 != nil }
            guard count > 0, count <= max(6, days.count / 12) else { continue }
            for (index, by) in all.enumerated() { if let by { found.append((days[index].date, event, by)) } }
        }
        let byDate = Dictionary(grouping: found) { $0.date }
        return byDate.keys.sorted().map { date in
            let outliers = byDate[date] ?? []
            let words = outliers.map {
                "\($0.event.rawValue) is \(Self.minutes($0.by)) \($0.by > 0 ? "later" : "earlier")"
            }
            return TimetableFinding(
                .outlier, from: date, until: date, events: outliers.map(\.event.rawValue),
                "\(Self.list(words)) than the days around \(date) make likely")
        }
    }

    /// By how many minutes each day stands out; nil where it does not.
    func outlierMinutes(_ event: DayEvent) -> [Double?] {
        let isTwilight = event == .fajr || event == .isha
        let values: [Double?] =
            isTwilight
            ? days.map { day in day.instant(of: event, in: site.zone).map { minutesOfUTC($0, on: day.date) } }
            : deviationMinutes[event] ?? []
        return days.indices.map { index in
            guard let value = values[index], hourOff[event]?[index] == 0 else { return nil }
            let around = neighbours(index, within: 4).filter {
                values[$0] != nil && hourOff[event]?[$0] == 0
            }
            let before = around.count { $0 < index }
            // Without days on both sides, a time that moves by minutes a day cannot be predicted.
            guard isTwilight ? before >= 3 && around.count - before >= 3 : around.count >= 4,
                let median = Median.of(around.compactMap { values[$0] }), abs(value - median) > 3,
                !isStep(index, around, values)
            else { return nil }
            return value - median
        }
    }

    /// Whether a day is beside a jump, and agrees with the days on its own side: the jump is a separate finding.
    private func isStep(_ index: Int, _ around: [Int], _ values: [Double?]) -> Bool {
        guard let value = values[index],
            let before = Median.of(around.filter { $0 < index }.compactMap { values[$0] }),
            let after = Median.of(around.filter { $0 > index }.compactMap { values[$0] })
        else { return false }
        let leaps = (around + [index]).filter { around.contains($0 + 1) || $0 + 1 == index }.contains { day in
            guard let one = values[day], let next = values[day + 1] else { return false }
            return abs(next - one) > Self.longestStepMinutes
        }
        return leaps && min(abs(value - before), abs(value - after)) < abs(before - after) / 4
    }

    private static let plausible = 9.0...22.0
    private static let longestStepMinutes = 15.0

    func angles() -> [TimetableFinding] {
        [DayEvent.fajr, .isha].flatMap { event -> [TimetableFinding] in
            let times = days.map { $0.instant(of: event, in: site.zone) }
            let degrees = times.indices.map { index in
                times[index].map { site.place.sunDepression(at: $0) }
            }
            let odd = days.indices.filter { index in
                guard let angle = degrees[index], !isHourOff(index), angle.deepest >= 9 else { return false }
                return !Self.plausible.contains(angle.now)
            }
            let angles = spans(odd, gap: 3).map { span in
                let seen = days.indices.filter { (span.from...span.until).contains(days[$0].date) }
                    .compactMap { degrees[$0]?.now }
                let (low, high) = (Self.degrees(seen.min() ?? 0), Self.degrees(seen.max() ?? 0))
                let text = low == high ? low : "\(low) to \(high)"
                return TimetableFinding(
                    .implausibleAngle, from: span.from, until: span.until, events: [event.rawValue],
                    (seen.min() ?? 0) < 0
                        ? "at \(event.rawValue) the sun is up"
                        : "at \(event.rawValue) the sun is \(text) below the horizon, where 9° to 22° are usual"
                )
            }
            return angles + steps(event, times)
        }
    }

    /// `8.9°`
    private static func degrees(_ value: Double) -> String {
        let tenths = Int((abs(value) * 10).rounded())
        return "\(value < 0 ? "-" : "")\(tenths / 10).\(tenths % 10)°"
    }

    private func steps(_ event: DayEvent, _ times: [Instant?]) -> [TimetableFinding] {
        let outliers = outlierMinutes(event)
        let steps = days.indices.dropFirst().filter { index in
            guard let time = times[index], let before = times[index - 1],
                days[index].date.dayNumber == days[index - 1].date.dayNumber + 1,
                !isHourOff(index), !isHourOff(index - 1), outliers[index] == nil, outliers[index - 1] == nil
            else { return false }
            return abs(time - before - 86_400) / 60 > Self.longestStepMinutes
        }
        return spans(steps, gap: 2).map {
            TimetableFinding(
                .implausibleAngle, from: $0.from, until: $0.until, events: [event.rawValue],
                "\(event.rawValue) leaps by more than 15 min from one day to the next")
        }
    }

    func orderFindings() -> [TimetableFinding] {
        let order: [DayEvent] = [.imsak, .fajr, .sunrise, .dhuhr, .asr, .maghrib, .isha]
        var broken: [String: [Int]] = [:]
        for (index, day) in days.enumerated() {
            let known = order.compactMap { event in day.minutes(of: event).map { (event, $0) } }
            for ((earlier, a), (later, b)) in zip(known, known.dropFirst()) {
                if a < b || (a == b && later == .isha) { continue }
                broken["\(earlier.rawValue) \(later.rawValue)", default: []].append(index)
            }
        }
        return broken.sorted { $0.key < $1.key }.flatMap { pair, indices in
            let names = pair.split(separator: " ").map(String.init)
            return spans(indices).map { span in
                TimetableFinding(
                    .order, from: span.from, until: span.until, events: names,
                    "\(names[1]) does not come after \(names[0]) \(span.days == 1 ? "on" : "from") \(span.text)"
                )
            }
        }
    }

    /// Findings about congregations compared with the events before and after them.
    func iqamas() -> [TimetableFinding] {
        let columns = Set(days.flatMap(\.cellMinutes.keys)).filter {
            if case .iqama = $0 { true } else { false }
        }
        guard !columns.isEmpty else { return [] }
        var early: [TimetableColumn: [Int]] = [:]
        var late: [TimetableColumn: [Int]] = [:]
        for (index, day) in days.enumerated() {
            var computed: DayTimes?
            func minutes(_ event: DayEvent) -> Int? {
                if let published = day.minutes(of: event) { return published }
                if computed == nil { computed = site.computedTimes.day(day.date) }
                return computed?[event].map {
                    Int(SunReference.minutes(of: $0, after: day.date, in: site.zone).rounded(.down))
                }
            }
            for column in columns {
                guard let adhan = minutes(column.event), let iqama = day.minutes(of: column, adhan: adhan)
                else { continue }
                if iqama < adhan { early[column, default: []].append(index) }
                if let next = Self.end(of: column.event), let end = minutes(next), iqama >= end {
                    late[column, default: []].append(index)
                }
            }
        }
        return columns.sorted().flatMap { column -> [TimetableFinding] in
            let name = column.name
            let next = Self.end(of: column.event)?.rawValue ?? ""
            return spans(early[column] ?? [], gap: 8).map {
                TimetableFinding(
                    .iqamaBeforeAdhan, from: $0.from, until: $0.until, events: [name],
                    "\(name) is before \(column.event.rawValue) \($0.days == 1 ? "on" : "from") \($0.text)")
            }
                + spans(late[column] ?? [], gap: 8).map {
                    TimetableFinding(
                        .iqamaTooLate, from: $0.from, until: $0.until, events: [name],
                        "\(name) would come after \(next) \($0.days == 1 ? "on" : "from") \($0.text)")
                }
        }
    }

    private static func end(of event: DayEvent) -> DayEvent? {
        switch event {
        case .fajr: .sunrise
        case .dhuhr: .asr
        case .asr: .maghrib
        case .maghrib: .isha
        default: nil
        }
    }
}
