import Protocol
import Texts
import Times

/// Checks a mosque's timetable and overrides.
extension Doctor {
    private static func exception(
        _ problem: StatusDocument.ExceptionProblem, _ facts: DoctorFacts
    ) -> DoctorCheck {
        DoctorCheck(.timetable, .warning, PlainText.sentence(problem.message), fix: sudo(problem.fix, facts))
    }

    static func timetable(_ facts: DoctorFacts) -> DoctorCheck {
        let byHand = facts.status?.exceptionProblem
        guard let timetable = facts.status?.timetable else {
            if let byHand { return exception(byHand, facts) }
            return DoctorCheck(.timetable, .ok, "No timetable is published; times are computed.")
        }
        let command = sudo("adhanctl timetable import FILE", facts)
        if let problem = timetable.problem {
            return DoctorCheck(
                .timetable, .problem,
                "The timetable cannot be used\(timetable.days + timetable.everyYear > 0 ? ", and the one before it stays in force" : ""): \(PlainText.sentence(problem))",
                fix: timetable.days + timetable.everyYear > 0
                    ? sudo("adhanctl timetable undo", facts) : command)
        }
        if let mismatch = timetable.mismatch, let warning = timetable.warning {
            let isWrong = mismatch == .sun
            let zone = self.timezone(facts)
            // Once the clock is corrected, the times may be right, so advise no removal.
            if isWrong, zone.verdict != .ok {
                return DoctorCheck(
                    .timetable, .problem,
                    "\(PlainText.sentence(warning)) The time zone does not fit the location either: set the time zone right first, then "
                        + "run \"\(sudo("adhanctl doctor", facts))\" again.", fix: zone.fix)
            }
            return DoctorCheck(
                .timetable, isWrong ? .problem : .warning,
                PlainText.sentence(warning) + (isWrong ? " Every published time is wrong here." : ""),
                fix: isWrong ? sudo("adhanctl timetable remove", facts) : command)
        }
        if let byHand { return exception(byHand, facts) }
        if let warning = timetable.warning {
            return DoctorCheck(.timetable, .warning, PlainText.sentence(warning), fix: command)
        }
        let events = timetable.published.isEmpty ? "no time" : PlainText.list(timetable.published)
        return DoctorCheck(.timetable, .ok, "The timetable publishes \(events) of today.")
    }

    /// The most sentences that are shown; `adhanctl check` prints all of them.
    private static let mostShown = 3

    /// Compares iqamas, Friday's congregations and Ramadan's times with the prayers of a year.
    static func mosqueTimes(_ facts: DoctorFacts) -> DoctorCheck {
        guard let all = facts.mosqueProblems else {
            return DoctorCheck(
                .mosqueTimes, .ok, "Not compared with the prayers: adhand did not look at the configuration.")
        }
        // A finding of the timetable's check is not reported twice.
        let status = facts.status
        let elsewhere = [status?.timetable?.warning, status?.exceptionProblem?.message]
        let problems = all.filter { !elsewhere.contains($0) }
        guard !problems.isEmpty else {
            return DoctorCheck(
                .mosqueTimes, .ok,
                "No iqama and no time of Friday or Ramadan contradicts the prayers of the coming year.")
        }
        let rest = problems.count - mostShown
        let more = rest > 0 ? " There \(rest == 1 ? "is 1 more" : "are \(rest) more")." : ""
        return DoctorCheck(
            .mosqueTimes, .warning,
            problems.prefix(mostShown).map { PlainText.sentence($0) }.joined(separator: " ") + more,
            fix: sudo("adhanctl check", facts))
    }
}
