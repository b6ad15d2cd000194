/// A problem of the sounds or times that a configuration leads to. Two are the same problem when all but their sentences is equal:
/// wording decides nothing.
package struct InputsProblem: Sendable, Hashable {
    package enum Code: String, Sendable, CaseIterable {
        /// There is no such sound, and adhand may not read it.
        case soundMissing, soundUnreadable
        case iqamaBeforeAdhan, iqamaTooLate, iqamaTooSoon
        /// A clock time at which no congregation of that prayer stands up.
        case iqamaAtNight
        /// An adhan is anchored to an iqama that nothing names, or is longer than the time before it.
        case anchorMissing, anchorTooShort
        case slotBeforeDhuhr, slotAfterAsr, slotBeforeKhutba
        case wakeAfterFajr, imsakAfterFajr, ishaBeforeItsTime
        /// The timetable is another place's, by its times or by its import.
        case timetableAgainstSun, timetableElsewhere
        /// A time set by hand that cannot be, or that is hardly meant.
        case exceptionImpossible, exceptionDoubtful
        /// A finding of the check of a timetable.
        case timetableFinding
    }

    package let code: Code
    /// The prayer, congregation, sound, place or day that has it.
    package let subject: String
    /// How far it goes, in days or values: a change with which it goes further is to blame for it.
    package let extent: String
    package let sentence: String

    package init(_ code: Code, of subject: String, extent: String = "", _ sentence: String) {
        (self.code, self.subject, self.extent, self.sentence) = (code, subject, extent, sentence)
    }

    /// On days of a year.
    package init(_ code: Code, of subject: String, on spans: [DateSpan], _ sentence: String) {
        // The year that is looked at begins today, and another day tomorrow.
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
