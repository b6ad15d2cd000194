package import PrayerEngine
package import Settings
package import Times

/// Decisions for a place besides its configuration: the timetable, and times set by hand from today on.
package struct PlaceBelongings: Sendable, Equatable {
    package let table: PublishedTimetable
    package let exceptions: DayExceptions

    package init(
        table: PublishedTimetable = PublishedTimetable(), exceptions: DayExceptions = DayExceptions()
    ) {
        self.table = table
        self.exceptions = exceptions
    }

    package var isEmpty: Bool { table.isEmpty && exceptions.isEmpty }
}

/// The decision about a timetable or times set by hand that may belong to another place.
package enum KeepOrRemove: String, Sendable, CaseIterable {
    case keep, remove
}

/// A change of the configured place: the belongings of the old place need a decision.
package struct PlaceMove: Sendable {
    /// Why the timetable needs a decision; `nil` when it does not.
    package let timetable: String?
    /// Why the times set by hand need a decision.
    package let exceptions: String?

    /// - Parameters:
    ///   - old: the configured location before; `nil` when none was chosen. Where none is chosen now either, the location of
    ///     the zone before.
    ///   - clockChanges: whether the place gets another time zone, by whose clock the table is read then.
    ///   - site: the place as it will be.
    package init(
        _ belongings: PlaceBelongings, from old: ConfiguredLocation?, clockChanges: Bool = false,
        to site: Site, today: CivilDate
    ) {
        let kilometres = old.map {
            GreatCircle.kilometres(
                from: ($0.latitude, $0.longitude), to: (site.place.latitude, site.place.longitude))
        }
        let isFar = kilometres.map { $0 > TimetableMismatch.anotherTownKilometres } ?? false
        // If the place does not change, doctor reports a mismatch, and setup does not ask.
        let isChanged = clockChanges || kilometres.map { $0 > 0 } ?? true
        let mismatch = isChanged ? TimetableMismatch(belongings.table, at: site, from: today) : nil
        // A person who returns to the place of a timetable keeps it.
        let isHome =
            belongings.table.sources.allSatisfy { $0.isFor(site.place) } && !belongings.table.sources.isEmpty
        if !belongings.table.isEmpty, isFar && !isHome || mismatch != nil {
            timetable = "there is a timetable" + PlaceMove.origin(belongings.table, old)
        } else {
            timetable = nil
        }
        let coming = belongings.exceptions.all.filter { today <= $0.date }
        let doubtful =
            isChanged
            ? site.applying(exceptions: belongings.exceptions).exceptionProblems(from: today) : []
        if let first = coming.first, isFar || !doubtful.isEmpty {
            let others = coming.count > 1 ? " and \(coming.count - 1) more" : ""
            exceptions = "times are set by hand (\(first.sentence(hasSlots: false))\(others))"
        } else {
            exceptions = nil
        }
    }

    private static func origin(_ table: PublishedTimetable, _ old: ConfiguredLocation?) -> String {
        let name = table.sources.last { $0.place != nil }?.place?.name ?? old?.name
        return name.map { " for \($0)" } ?? " that was imported for another place"
    }

    /// The matters that need a decision, in one sentence with the command to type; `nil` if there are none.
    package func refusal(timetable keepsTimetable: Bool, exceptions keepsExceptions: Bool) -> String? {
        var open: [String] = []
        if let timetable, !keepsTimetable {
            open.append("\(timetable): give --timetable keep, --timetable remove or --timetable FILE")
        }
        if let exceptions, !keepsExceptions {
            open.append("\(exceptions): give --exceptions keep or --exceptions remove")
        }
        guard !open.isEmpty else { return nil }
        return "the place changes, and \(open.joined(separator: "; "))"
    }
}
