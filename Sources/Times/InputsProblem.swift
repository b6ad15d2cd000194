/// A problem of the sounds or times of a configuration. Two problems are equal when everything but their sentences is equal:
/// wording decides nothing.
package struct InputsProblem: Sendable, Hashable {
    package enum Code: String, Sendable, CaseIterable {
        /// The sound does not exist, or adhand may not read it.
        case soundMissing, soundUnreadable
        case iqamaBeforeAdhan, iqamaTooLate, iqamaTooSoon
        /// A clock time at which no congregation of that prayer is held.
        case iqamaAtNight
        /// An adhan is anchored to an iqama that is not configured, or is longer than the time before it.
        case anchorMissing, anchorTooShort
        case slotBeforeDhuhr, slotAfterAsr, slotBeforeKhutba
        case wakeAfterFajr, imsakAfterFajr, ishaBeforeItsTime
        /// The timetable belongs to another place, according to its times or its import.
        case timetableAgainstSun, timetableElsewhere
        /// A time set by hand that is impossible, or probably a mistake.
        case exceptionImpossible, exceptionDoubtful
        /// A finding of the check of a timetable.
        case timetableFinding
    }

    package let code: Code
    /// The affected prayer, congregation, sound, place or day.
    package let subject: String
    /// The extent in days or values: a change that increases it causes a new problem.
    package let extent: String
    package let sentence: String

    package init(_ code: Code, of subject: String, extent: String = "", _ sentence: String) {
        (self.code, self.subject, self.extent, self.sentence) = (code, subject, extent, sentence)
    }

    /// On days of a year.
    package init(_ code: Code, of subject: String, on spans: [DateSpan], _ sentence: String) {
        // The examined year begins today, and tomorrow on another day.
        let days = spans.map { $0.isAllYear ? "year" : "\($0.from)/\($0.until)" }
        self.init(code, of: subject, extent: days.joined(separator: " "), sentence)
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.code == b.code && a.subject == b.subject && a.extent == b.extent
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(subject)
        hasher.combine(extent)
    }
}
