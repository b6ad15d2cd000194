import PrayerEngine
import Settings

/// Finds days on which a table is an hour off.
extension SunCheck {
    private static let hour = 48.0...72.0

    private static func hourSign(_ deviation: Double?) -> Int {
        guard let deviation, hour.contains(abs(deviation)) else { return 0 }
        return deviation < 0 ? -1 : 1
    }

    mutating func findHours() {
        for event in SunReference.events {
            let deviations = deviationMinutes[event] ?? []
            // A column that is usually an hour off has an offset, unless the others agree.
            hourOff[event] = deviations.map(Self.hourSign)
        }
        let shared = days.indices.map { index -> Int in
            [-1, 1].first { sign in
                SunReference.events.count { hourOff[$0]?[index] == sign } >= 2
            } ?? 0
        }
        for event in SunReference.events { dropDrift(event, shared) }
        for event in [DayEvent.fajr, .isha] { hourOff[event] = twilightHours(event, shared) }
    }

    /// Drops a column that is off alone and drifted there: its place or its method differs, but not its clock.
    private mutating func dropDrift(_ event: DayEvent, _ shared: [Int]) {
        guard var off = hourOff[event], let deviations = deviationMinutes[event] else { return }
        var start = 0
        while start < off.count {
            var end = start
            while end < off.count, off[end] == off[start] { end += 1 }
            if off[start] != 0, !(start..<end).contains(where: { shared[$0] != 0 }) {
                let before = start > 0 ? deviations[start - 1] : nil
                let after = end < off.count ? deviations[end] : nil
                let leaps = [(before, deviations[start]), (deviations[end - 1], after)].contains { a, b in
                    guard let a, let b else { return false }
                    return abs(a - b) > 30
                }
                if !leaps { for index in start..<end { off[index] = 0 } }
            }
            start = end
        }
        hourOff[event] = off
    }

    /// Finds hours in Fajr and Isha, which have no instant of the Sun's own. With the others an hour off, they are off if an hour
    /// restores the angle of the other days; alone, if they differ by an hour from the surrounding days.
    private func twilightHours(_ event: DayEvent, _ shared: [Int]) -> [Int] {
        let times = days.map { day in
            day.instant(of: event, in: site.zone)
        }
        let good = zip(times, shared).compactMap { $1 == 0 ? $0 : nil }
        let usual = Median.of(good.lazy.map { site.place.sunDepression(at: $0).now }.prefix(400)) ?? 15
        return days.indices.map { index in
            guard let time = times[index] else { return 0 }
            let sign = shared[index]
            if sign != 0 {
                let asIs = abs(site.place.sunDepression(at: time).now - usual)
                let moved = abs(site.place.sunDepression(at: time - Double(sign) * 3600).now - usual)
                return moved < asIs ? sign : 0
            }
            let around = neighbours(index, within: 10)
            guard around.count >= 8, around.allSatisfy({ shared[$0] == 0 }),
                let median = Median.of(
                    around.compactMap { other in
                        times[other].map { minutesOfUTC($0, on: days[other].date) }
                    })
            else { return 0 }
            return Self.hourSign(minutesOfUTC(time, on: days[index].date) - median)
        }
    }

    /// Minutes of UTC after the date's midnight there: that clock is never set, so days compare.
    func minutesOfUTC(_ instant: Instant, on date: CivilDate) -> Double {
        (instant.unixSeconds - Double(date.dayNumber) * 86_400) / 60
    }

    /// Positions of the days around one, without itself.
    func neighbours(_ index: Int, within reach: Int) -> [Int] {
        (max(0, index - reach)...min(days.count - 1, index + reach)).filter {
            $0 != index && abs(days[$0].date.dayNumber - days[index].date.dayNumber) <= reach + 2
        }
    }

    func clockFindings() -> [TimetableFinding] {
        [-1, 1].flatMap { sign -> [TimetableFinding] in
            let wrong = days.indices.filter { index in hourOff.values.contains { $0[index] == sign } }
            return spans(wrong, gap: 3).map { finding($0, sign) }
        }
    }

    private func finding(_ span: DateSpan, _ sign: Int) -> TimetableFinding {
        let inside = days.indices.filter { (span.from...span.until).contains(days[$0].date) }
        let events = TimetableColumn.events.filter { event in
            let off = inside.count { hourOff[event]?[$0] == sign }
            return off * 2 >= inside.count
        }
        let named =
            events.isEmpty
            ? TimetableColumn.events.filter { event in
                inside.contains { hourOff[event]?[$0] == sign }
            } : events
        let direction = sign < 0 ? "early" : "late"
        let names = named.map(\.rawValue)
        let verb = names.count == 1 ? "is" : "are"
        let when = span.days == 1 ? "on \(span.text)" : "from \(span.text)"
        let off = "\(Self.list(names)) \(verb) an hour \(direction) \(when)"
        if names.count > 1, let change = missingChange(on: inside.map { days[$0].date }, sign) {
            return TimetableFinding(
                .oldZoneFiles, from: span.from, until: span.until, events: names,
                "\(off) by this machine's zone files, which are too old: \(change.sentence). The table seems to be right; "
                    + "run \"\(ZoneFilesWarning.fix)\" and import it again")
        }
        return TimetableFinding(
            .wrongClock, from: span.from, until: span.until, events: names,
            off + ": "
                + (names.count == 1 ? "a slip in one column?" : "the table is by another clock on these days")
        )
    }

    /// The most days between a change and its ``ZoneChange/instant``, which lies somewhere after it.
    private static let longestSinceChangeDays = 120

    /// The change of the clocks that the zone's files lack, if it explains the hour by which the days are off.
    private func missingChange(on dates: [CivilDate], _ sign: Int) -> ZoneChange? {
        ZoneChange.all.first { change in
            let first = site.zone.civilDate(of: change.instant).adding(days: -Self.longestSinceChangeDays)
            return change.isMissing(in: site.zone)
                && dates.allSatisfy { date in
                    let offset = site.zone.offset(at: site.zone.instant(of: date, secondOfDay: 43_200))
                    return date >= first && change.offsetSeconds - offset == sign * 3600
                }
        }
    }
}
