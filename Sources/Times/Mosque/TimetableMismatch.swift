package import PrayerEngine
package import Settings
import Texts

/// Why a timetable is probably not for the place at which it is called: the box has moved, or the wrong timetable was imported.
public struct TimetableMismatch: Sendable, Equatable {
    /// The signs by which a timetable does not fit its place.
    public enum Code: String, Codable, Sendable, CaseIterable {
        /// Its times contradict the sun.
        case sun
        /// It was imported for another place; the sun does not distinguish the two.
        case elsewhere
    }

    package let code: Code
    /// The place for which it was imported, where that is known and different.
    package let importedFor: String?
    /// The size of the mismatch.
    let extent: String
    /// One sentence.
    package let sentence: String

    /// Kilometres beyond which a timetable belongs to another mosque.
    package static let anotherTownKilometres = 25.0

    /// Days that are compared with the sun: enough for every season, and cheap.
    private static let sampledDays = 48

    /// Compares the table with the site; `nil` when it fits, has no day to come, or cannot be assessed.
    package init?(_ table: PublishedTimetable, at site: Site, from today: CivilDate) {
        let dates = Self.dates(of: table, from: today)
        guard !dates.isEmpty else { return nil }
        let (other, kilometres) = Self.origin(of: table, farFrom: site.place)
        importedFor = other
        let origin = other.map { " (it was imported for \($0))" } ?? ""
        if let (event, minutes) = Self.deviation(of: table, at: site, dates) {
            code = .sun
            extent = "\(event.rawValue) \(Int(minutes.rounded()))"
            let sun = event == .dhuhr ? "noon" : event == .maghrib ? "sunset" : event.rawValue
            sentence =
                "the timetable does not fit \(site.name)\(origin): its \(event.rawValue) is usually "
                + "\(SunCheck.minutes(minutes)) \(minutes > 0 ? "after" : "before") the \(sun) there"
        } else if let other {
            code = .elsewhere
            extent = "\(other) \(Int(kilometres.rounded()))"
            sentence =
                "the timetable was imported for \(other), \(NumberText.decimals(kilometres, 0)) km from \(site.name); "
                + "if it is meant for both, \"adhanctl setup --yes --timetable keep\" says so"
        } else {
            return nil
        }
    }

    /// Days of the table, past ones too, evenly spread: its place does not depend on the season. None, where it has no day to
    /// come.
    private static func dates(of table: PublishedTimetable, from today: CivilDate) -> [CivilDate] {
        guard !table.everyYear.isEmpty || table.dated.keys.contains(where: { today <= $0 }) else { return [] }
        var all = Set(table.dated.keys)
        for date in (0..<366).map(today.adding(days:)) where table.everyYear[MonthDay(date)] != nil {
            all.insert(date)
        }
        let sorted = all.sorted()
        guard sorted.count > sampledDays else { return sorted }
        return (0..<sampledDays).map { sorted[$0 * sorted.count / sampledDays] }
    }

    /// The last import that is known to be for a distant place.
    private static func origin(of table: PublishedTimetable, farFrom place: Place) -> (
        String?, kilometres: Double
    ) {
        for source in table.sources.sorted(by: { $0.id > $1.id }) {
            guard let other = source.place, !source.isFor(place) else { continue }
            return (other.name, other.kilometres(to: place))
        }
        return (nil, 0)
    }

    private static func deviation(
        of table: PublishedTimetable, at site: Site, _ dates: [CivilDate]
    ) -> (event: DayEvent, minutes: Double)? {
        let sun = SunReference(place: site.place, zone: site.zone, dates: dates)
        return SunFit.deviation(
            dates.map { date in
                let published = table.published(on: date, in: site.zone)
                let known = SunFit.plausible.compactMap { event, _ -> (DayEvent, Double)? in
                    guard let printed = published?.minutes(of: event),
                        let computed = sun[date].minutes(of: event, asr: .standard)
                    else { return nil }
                    return (event, SunReference.difference(printed, computed))
                }
                return Dictionary(known) { $1 }
            })
    }
}

extension Site {
    /// Decisions for another place: the timetable, and times set by hand from a day on.
    package func placeProblems(from today: CivilDate) -> [InputsProblem] {
        let mismatch = TimetableMismatch(times.table, at: self, from: today).map { mismatch in
            InputsProblem(
                mismatch.code == .sun ? .timetableAgainstSun : .timetableElsewhere, of: name,
                extent: mismatch.extent, mismatch.sentence)
        }
        return [mismatch].compactMap(\.self) + exceptionProblems(from: today).map(\.problem)
    }

    /// Times set by hand that are probably for another place.
    package func exceptionProblems(from today: CivilDate) -> [(
        exception: DayException, problem: InputsProblem
    )] {
        guard !times.exceptions.isEmpty else { return [] }
        let usual = applying(exceptions: DayExceptions()).times
        return times.exceptions.all.filter { today <= $0.date }.compactMap { exception in
            let day = usual.day(exception.date)
            func problem(_ code: InputsProblem.Code, _ reason: String) -> InputsProblem {
                InputsProblem(
                    code, of: "\(exception.date) \(exception.prayer.rawValue)",
                    "\(exception.sentence(hasSlots: !day.jumuaIsDhuhr)), set by hand: \(reason)")
            }
            do throws(DayException.CheckRefusal) {
                try exception.check(on: day, next: usual.day(exception.date.adding(days: 1)), in: zone)
            } catch {
                return (exception, problem(.exceptionImpossible, error.reason))
            }
            return exception.cautions(on: day, in: zone).first.map {
                (exception, problem(.exceptionDoubtful, $0))
            }
        }
    }
}
