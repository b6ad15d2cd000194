import Announcements
package import PrayerEngine
package import Protocol
import Settings
import StateFile
import Texts
import Times

/// Everything that is wrong now (`status.problems`). Each kind begins once and ends once; clients time and report it.
extension DaemonState {
    /// Days before the end of the timetable from which it is a problem.
    package static let timetableProblemDays = 14

    /// The most seconds before its instant at which an announcement is prepared.
    static let longestLeadSeconds = cueLeadSeconds + 60

    package func problems(at now: Instant) -> [StatusProblem] {
        let all =
            calls(at: now) + saved.problems.map(problem)
            + [clockProblem(at: now), diskProblem].compactMap(\.self)
        let order = StatusProblem.Kind.allCases
        return all.sorted { (order.firstIndex(of: $0.kind) ?? 0) < (order.firstIndex(of: $1.kind) ?? 0) }
    }

    // MARK: What is seen in the state

    /// Adhans since the last one that was played. A clock that was ahead may have recorded coming ones as missed. A failure
    /// counts by every clock, even by one that was set back to before the box was set up: the adhan was heard in part, or could
    /// not be prepared.
    private func calls(at now: Instant) -> [StatusProblem] {
        let known = trust.trusted ? now : trust.earliest(now, saved.clock)
        let lost = saved.handled.adhansLostSincePlayed.filter {
            // An adhan that was missed before this box was set up is no loss, and is not in the history either.
            $0.outcome == .failed || $0.at >= saved.since && $0.at <= known
        }
        return [(Outcome.missed, StatusProblem.Kind.missed), (.failed, .failed)].compactMap { outcome, kind in
            let all = lost.filter { $0.outcome == outcome }
            guard let first = all.first, let last = all.last else { return nil }
            let why = lossReasons[last.id].map { ": \($0)" } ?? ""
            let count = all.count > 1 ? " It is the last of \(all.count)." : ""
            return StatusProblem(
                kind, since: text(kind == .failed ? min(first.at, known) : first.at),
                message:
                    "\(dated(last)) \(kind == .missed ? "was not called" : "was not heard")\(why).\(count)",
                fix: "adhanctl doctor")
        }
    }

    /// `Dhuhr 12:03`, with its date where that is not today's.
    private func dated(_ lost: HandledAnnouncement) -> String {
        let title = Announcement(lost.id, at: lost.at, settings: inputs.config.settings(of: lost.id)).title
        return "\(title) \(InstantText.minute(lost.at, in: zone)) on \(zone.civilDate(of: lost.at))"
    }

    private func clockProblem(at now: Instant) -> StatusProblem? {
        guard !trust.trusted else { return nil }
        let doubt = ClockDoubt(now: InstantText.rfc3339(now, in: zone), seen: seenText)
        return StatusProblem(.clock, since: nil, message: doubt.sentence)
    }

    private var diskProblem: StatusProblem? {
        disk.problem.map {
            StatusProblem(
                .disk, since: disk.problemSince.map { text($0) }, message: "the state cannot be saved: \($0)",
                fix: inputs.stateDirectory.map { "df -h \($0)" })
        }
    }

    // MARK: What is noted

    private func problem(_ noted: NotedProblem) -> StatusProblem {
        let fix: String? =
            switch noted.kind {
            case .configuration: UnusableConfiguration.fix
            case .place: PlaceProblem.fix
            case .timetable: "adhanctl timetable check"
            default: "adhanctl doctor"
            }
        return StatusProblem(
            noted.kind, since: noted.since.map { text($0) }, message: noted.message, fix: fix)
    }

    /// Begins, continues or ends a problem: `nil` ends it.
    mutating func note(_ kind: StatusProblem.Kind, _ message: String?, at now: Instant) {
        guard let message else { return saved.problems.removeAll { $0.kind == kind } }
        if let index = saved.problems.firstIndex(where: { $0.kind == kind }) {
            saved.problems[index].message = message
        } else {
            // An untrusted clock does not know when the problem began.
            saved.problems.append(NotedProblem(kind, since: trust.trusted ? now : nil, message: message))
        }
    }

    /// Notes after every event the problems that can be seen at any time and whose beginning is worth keeping.
    mutating func noteProblems(at now: Instant) {
        note(.configuration, configurationProblem?.message, at: now)
        note(.place, inputs.placeProblem?.message, at: now)
        // Only a trusted clock knows the date.
        guard trust.trusted else { return }
        note(.timetable, timetableMessage(at: now), at: now)
        // A clock that was ahead has noted an instant in the future.
        disk.problemSince = disk.problemSince.map { min($0, now) }
        for index in saved.problems.indices {
            saved.problems[index].since = saved.problems[index].since.map { min($0, now) }
        }
    }

    private func timetableMessage(at now: Instant) -> String? {
        if let reason = inputs.timetableProblem { return "the timetable cannot be used: \(reason)" }
        let table = inputs.site.times.table
        let missing = inputs.config.missing
        guard let health = TimetableHealth(table, missing: missing, on: zone.civilDate(of: now)) else {
            return nil
        }
        let ends = health.daysLeft <= Self.timetableProblemDays
        return ends || health.isMissing && missing == .silent ? health.sentence : nil
    }

    /// Notes a device that opened, or that none did. With neither a device nor a problem none was needed, and the note stays.
    mutating func noteDevice(_ device: String?, _ problems: [String], at now: Instant) {
        if device != nil {
            note(.device, nil, at: now)
        } else if !problems.isEmpty {
            note(.device, "no sound device opens: \(problems.joined(separator: "; "))", at: now)
        }
    }

    /// Notes the same for one output. Where several are named, the problem covers all required ones that do not open.
    mutating func note(_ problems: [String], _ device: String?, of output: String, at now: Instant) {
        guard hasOutputs else { return noteDevice(device, problems, at: now) }
        if device != nil {
            devices.closed[output] = nil
        } else if !problems.isEmpty {
            devices.closed[output] = problems.joined(separator: "; ")
        } else {
            return
        }
        noteClosedOutputs(at: now)
    }

    /// Whether an announcement that is not heard on an output is a problem. Always true where no output is named.
    func isRequired(_ output: String?) -> Bool {
        inputs.config.outputs.first { $0.name == output }?.isRequired ?? true
    }

    private mutating func noteClosedOutputs(at now: Instant) {
        let closed = inputs.config.outputs.filter(\.isRequired).compactMap { output in
            devices.closed[output.name].map { "\"\(output.name)\": \($0)" }
        }
        let message = "no sound device opens on \(closed.joined(separator: "; "))"
        note(.device, closed.isEmpty ? nil : message, at: now)
    }

    /// Notes a silent mixer before an adhan, whatever the device reports about that adhan afterwards.
    mutating func noteSilence(_ announcement: Announcement, _ result: PreflightResult, at now: Instant) {
        let silent = result.outputs.compactMap { found in
            found.silence.flatMap { isRequired(found.output) ? (output: found.output, reason: $0) : nil }
        }
        guard let first = silent.first else { return }
        cues.silent.insert(announcement.id)
        let at = InstantText.minute(announcement.at, in: zone)
        let place = silent.map { "\"\($0.output)\": \($0.reason)" }.joined(separator: "; ")
        note(
            .inaudible,
            hasOutputs
                ? "Nobody would hear \(announcement.title) at \(at) on \(place)"
                : "Nobody would hear \(announcement.title) at \(at): \(first.reason)", at: now)
    }

    /// Notes that an adhan has its outcome.
    /// - Parameter shortfall: the share that was heard, where that was too small.
    mutating func noteEnd(
        of job: Job, _ outcome: Outcome, _ reason: String?, shortfall: String?, at now: Instant
    ) {
        let announcement = job.announcement
        guard announcement.isAdhan else { return }
        if outcome == .partial {
            let at = InstantText.minute(announcement.at, in: zone)
            let message =
                "\(announcement.title) \(at) on \(zone.civilDate(of: announcement.at)) was not heard everywhere"
            note(.partial, "\(message)\(reason.map { ": \($0)" } ?? "").", at: now)
        }
        if let shortfall, outcome != .partial {
            return note(.inaudible, "\(announcement.title): \(shortfall)", at: now)
        }
        guard outcome == .played || outcome == .partial else { return }
        if hasOutputs {
            for part in job.parts where part.end?.outcome == .played { devices.closed[part.output] = nil }
            noteClosedOutputs(at: now)
        } else {
            note(.device, nil, at: now)
        }
        guard outcome == .played else { return }
        note(.partial, nil, at: now)
        if !cues.silent.contains(announcement.id) { note(.inaudible, nil, at: now) }
    }

    /// Restores the reasons why adhans were lost from this run of the program and the end of the history.
    mutating func learnReasons(_ entries: [HistoryEntry]) {
        for entry in entries {
            guard let id = AnnouncementID(entry.id), id.kind == .adhan else { continue }
            switch entry.outcome {
            case .played, .partial: lossReasons = [:]
            case .missed, .failed: lossReasons[id] = entry.reason
            default: break
            }
        }
    }
}
