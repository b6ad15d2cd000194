import Protocol
import Texts

/// Checks the latest calls, and whether they can be remembered.
extension Doctor {
    /// Days of the history that doctor examines by default.
    package static let usualDays = 7

    static func announcements(_ facts: DoctorFacts) -> DoctorCheck {
        guard let history = facts.history else {
            return DoctorCheck(
                .announcements, .warning, "What was called lately is not known while adhand does not answer.")
        }
        let days = history.days == 1 ? "day" : "\(history.days) days"
        let due = history.announcements.filter(\.isDue)
        let bad = due.last { $0.outcome != .played }
        // An adhan that the history lists as played may have been nearly inaudible.
        if due.allSatisfy({ $0.outcome.isHeardSomewhere }),
            let problem = facts.status?.problems?.first(where: { $0.kind == .inaudible })
        {
            return DoctorCheck(
                .announcements, .problem, "An adhan could hardly be heard: \(problem.message).",
                fix: "adhanctl history")
        }
        guard history.due > 0 else {
            return DoctorCheck(.announcements, .ok, "No adhan was due in the last \(days).")
        }
        guard let bad else {
            let all = history.due == 1 ? "The only adhan" : "All \(history.due) adhans"
            return DoctorCheck(
                .announcements, .ok,
                "\(all) due in the last \(days) \(history.due == 1 ? "was" : "were") played.")
        }
        let when = LocalText.date(bad.scheduled) + " " + LocalText.minute(bad.scheduled)
        let title = Prayer(rawValue: bad.prayer)?.title ?? bad.prayer
        let reason = bad.reason.flatMap { $0.isEmpty ? nil : ": \($0)" } ?? ""
        // A missed adhan stays a problem until the examined days have passed, whatever played since.
        return DoctorCheck(
            .announcements,
            // An adhan that was heard somewhere was called.
            due.allSatisfy({ $0.outcome.isHeardSomewhere }) ? .warning : .problem,
            "\(history.played) of \(count(history.due, "adhan")) due in the last \(days) \(history.played == 1 ? "was" : "were") "
                + "played. The last that was not, \(title) of \(when), \(verb(bad.outcome))\(reason).",
            fix: "adhanctl history")
    }

    private static func verb(_ outcome: Outcome) -> String {
        switch outcome {
        case .failed: "failed"
        case .missed: "was missed"
        case .interrupted: "was cut short"
        case .partial: "was not heard everywhere"
        default: "is recorded as \(outcome.rawValue)"
        }
    }

    /// With less space than this, a history, a state file and their copies may no longer fit.
    private static let leastBytes = 10 << 20
    private static let leastFiles = 16

    static func disk(_ facts: DoctorFacts) -> DoctorCheck {
        let disk = facts.disk
        if let problem = facts.status?.stateProblem {
            return DoctorCheck(
                .disk, .problem,
                "adhand cannot save what it has called and what you set: \(problem). After a restart that is forgotten.",
                fix: "df -h \(disk.path)")
        }
        guard disk.exists else {
            return DoctorCheck(
                .disk, facts.status == nil ? .ok : .warning,
                "\(disk.path) is not there yet; adhand makes it when it starts.")
        }
        if disk.isReadOnly {
            return DoctorCheck(
                .disk, .problem,
                "The disk of \(disk.path) is read-only, as a damaged memory card becomes: adhand forgets everything at "
                    + "a restart.", fix: "sudo mount -o remount,rw \(disk.path)")
        }
        if let free = disk.freeBytes, free < leastBytes {
            return DoctorCheck(
                .disk, .problem, "The disk of \(disk.path) is full: \(megabytes(free)) MB are left.",
                fix: "df -h \(disk.path)")
        }
        if let files = disk.freeFiles, files < leastFiles {
            return DoctorCheck(
                .disk, .problem, "The disk of \(disk.path) has no room for another file.",
                fix: "df -i \(disk.path)")
        }
        if disk.isWritable == false {
            return DoctorCheck(
                .disk, .problem, "\(disk.path) cannot be written to.", fix: "ls -ld \(disk.path)")
        }
        if let loss = facts.status?.stateLoss {
            return DoctorCheck(
                .disk, loss.restored ? .warning : .problem,
                "\(loss.message). \(StateLoss.remedy(fix: loss.fix))",
                fix: sudo(loss.fix, facts))
        }
        if let problem = facts.status?.settingsProblem {
            return DoctorCheck(
                .disk, .problem, "\(problem.message). Set again what is missing.", fix: problem.fix)
        }
        let room = disk.freeBytes.map { "; there is room for \(megabytes($0)) MB more" } ?? ""
        return DoctorCheck(.disk, .ok, "State and history are kept in \(disk.path)\(room).")
    }

    private static func megabytes(_ bytes: Int) -> Int { bytes >> 20 }
}
