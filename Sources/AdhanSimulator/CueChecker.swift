import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Texts
import Times

/// Compares the events that clients receive with what happens: an announced sound begins or is released, once; every event has
/// its reason.
struct CueChecker {
    /// Announcements whose cue was reported, and which have neither begun, nor failed, nor been released since.
    private var open: [AnnouncementID: Instant] = [:]
    /// Announcements that were released, with their instants, and without an event since.
    private var released: [AnnouncementID: Instant] = [:]
    /// The kinds of open problems, and the time since which each is open.
    private var problems: [StatusProblem.Kind: Instant?] = [:]

    /// The events after which the plan is decided again.
    private static let decisions: Set<Notice.Kind> = [
        .configReloaded, .settingsChanged, .timetableChanged, .exceptionChanged, .hijriChanged, .fleetChanged,
        .toggleChanged, .muteChanged,
    ]

    /// Notes a start of the program: events of an earlier run no longer count.
    /// - Parameter isGappy: whether the disk lacks something.
    mutating func starts(isGappy: Bool) {
        (open, released) = ([:], [:])
        // A starting program does not know that the disk fails.
        problems[.disk] = nil
        if isGappy { problems = [:] }
    }

    /// The program dies during an event. A problem that this event ended may begin again. If its beginning is in the future of
    /// the clock, it may get another one.
    mutating func died(_ state: DaemonState, now: Instant) {
        let open = Set(state.problems(at: now).map(\.kind))
        problems = problems.filter { kind, since in
            open.contains(kind) && since.map { $0 <= now } ?? true
        }
    }

    /// - Parameter isCalm: the clock was not set, and nothing failed, for longer than a cue lasts.
    /// - Returns: the broken promise, if there is one.
    mutating func checkNotice(_ notice: Notice, _ state: DaemonState, isCalm: Bool) -> String? {
        // An announcement whose plan is decided again after its instant is late, and there is no time left for a cue.
        if Self.decisions.contains(notice.kind) { released = released.filter { notice.at < $0.value } }
        guard let text = notice.fields.id, let id = AnnouncementID(text) else { return nil }
        switch notice.kind {
        case .prayerCued:
            if open[id] != nil { return "\(id) is cued twice" }
            guard let at = notice.fields.scheduled, state.trust.trusted else {
                return "\(id) is cued by a clock that is not trusted"
            }
            let lead = Limits.cueLeadSeconds + state.inputs.config.prerollSeconds
            guard at > notice.at, at - notice.at <= lead + 0.001 else {
                return "\(id) is cued \(at - notice.at) s ahead"
            }
            (open[id], released[id]) = (at, nil)
        case .prayerReleased:
            guard let at = open.removeValue(forKey: id) else {
                return "\(id) is released and was not cued"
            }
            // A release with a cause is final until another decision cues the announcement again. Without a cause, the clock or
            // the plan has moved. They may move back when there is no time left for a cue; then the call is late, and begins at
            // once.
            if notice.fields.cause != nil { released[id] = at }
            return untrue(notice, id, state)
        case .prayerStarted, .reminderStarted:
            let isCued = open.removeValue(forKey: id) != nil
            // An adhan with the sound "silent" is reached without a sound, so its release is right.
            if state.saved.outcome(of: id) == .silent { return nil }
            if released[id] != nil { return "\(id) begins after its release, and no event says so" }
            // Without a cue, nothing may begin before its time: only a late call needs no cue. If the clock was set back since
            // the call, the call is late by the former clock.
            let isEarly = notice.fields.scheduled.map { notice.at < $0 - Limits.punctualSeconds } == true
            return isCalm && isEarly && !isCued
                ? "\(id) begins before its time, and was not cued" : nil
        // Without a cause, the sound was replaced by the signal, and the call continues.
        case .prayerFailed where notice.fields.cause != nil, .prayerInterrupted, .prayerFinished:
            open[id] = nil
        default: break
        }
        return nil
    }

    private func untrue(_ notice: Notice, _ id: AnnouncementID, _ state: DaemonState) -> String? {
        switch notice.fields.cause {
        case .mute:
            return state.saved.mute == nil ? "\(id) is released for a mute, and nothing is muted" : nil
        case .toggle:
            let config = state.inputs.config
            let isOff =
                !ReferencePlan.isEnabled(id.prayer, config, state.saved.toggles.switches)
                || ReferencePlan.isSilenced(id, config)
                || id.date.map {
                    ReferencePlan.isSkipped(id.prayer, on: $0, config, state.saved.toggles.skips)
                } == true
            return isOff ? nil : "\(id) is released for a switch, and is switched on"
        case .announcement:
            let others = state.jobs.contains { $0.announcement.id != id }
            return others || state.saved.outcome(of: id) == .skipped
                ? nil : "\(id) is released for another, and there is none"
        case .device, .end, .stop, .unknown:
            return "\(id) is released because of its \(notice.fields.cause?.rawValue ?? "")"
        case .shutdown, nil: return nil
        }
    }

    /// Checks after every event that exactly the prepared sounds are cued by an event.
    mutating func check(_ state: DaemonState, now: Instant) -> String? {
        let cued = state.jobs.filter { $0.phase == .cued && !$0.announcement.isTest }.map(\.announcement.id)
        if let silent = cued.first(where: { open[$0] == nil }) {
            return "\(silent) is prepared, and no event says so"
        }
        let pending = open.keys.filter { id in
            !cued.contains(id) && !state.jobs.contains { $0.announcement.id == id }
        }
        if let lost = pending.first { return "\(lost) is cued by its event, and is not" }
        return checkProblems(state, now: now)
    }

    // MARK: Problems

    private mutating func checkProblems(_ state: DaemonState, now: Instant) -> String? {
        let all = state.problems(at: now)
        let kinds = all.map(\.kind)
        guard Set(kinds).count == kinds.count else { return "a problem stands twice: \(kinds)" }
        for problem in all {
            if problem.severity != problem.kind.severity || problem.message.isEmpty {
                return "the problem \(problem.kind) says nothing"
            }
            let since = problem.since.flatMap { InstantText.parse($0) }
            if state.trust.trusted, let since,
                since > now + (problem.kind == .failed ? Limits.cueLeadSeconds + 60 : 0.002)
            {
                return "the problem \(problem.kind) begins in \(since - now) s"
            }
        }
        if kinds.contains(.clock) == state.trust.trusted {
            return "the clock's problem and its trust contradict"
        }
        if kinds.contains(.disk) != (state.disk.problem != nil) {
            return "the disk's problem is not the disk's"
        }
        if kinds.contains(.configuration) != (state.configurationProblem != nil) {
            return "the configuration's problem is not the configuration's"
        }
        if kinds.contains(.place) != (state.inputs.placeProblem != nil) {
            return "the place's problem is not the place's"
        }
        // A continuing problem keeps its beginning, unless the clock shows that it cannot have begun then.
        for problem in all where problem.kind != .missed && problem.kind != .failed {
            let since = problem.since.flatMap { InstantText.parse($0) }
            guard let before = problems[problem.kind] else { continue }
            // The disk stores milliseconds.
            let isSame =
                before == since || before.flatMap { before in since.map { abs($0 - before) < 0.002 } } == true
            if !isSame, before.map({ $0 <= now }) ?? true {
                return "the problem \(problem.kind) begins again: \(problem.since ?? "unknown")"
            }
        }
        problems = Dictionary(
            uniqueKeysWithValues: all.map { ($0.kind, $0.since.flatMap { InstantText.parse($0) }) })
        return nil
    }

    /// If the latest adhan with an outcome of its own was played, nothing counts as missed or failed any more.
    static func checkLost(_ entry: HistoryEntry, _ id: AnnouncementID, _ state: DaemonState, now: Instant)
        -> String?
    {
        guard id.kind == .adhan, state.trust.trusted else { return nil }
        let kinds = state.problems(at: now).map(\.kind)
        switch entry.outcome {
        case .played, .partial:
            let rest = kinds.filter { $0 == .missed || $0 == .failed }
            return rest.isEmpty ? nil : "\(id) was played, and there still is \(rest)"
        case .missed: return kinds.contains(.missed) ? nil : "\(id) was missed, and that is no problem"
        case .failed: return kinds.contains(.failed) ? nil : "\(id) failed, and that is no problem"
        default: return nil
        }
    }
}

extension Checker {
    mutating func checkNotice(_ notice: Notice, state: DaemonState, elapsed: Double) {
        if let broken = cues.checkNotice(notice, state, isCalm: isCalm(since: 30, elapsed)) {
            self.broken(broken)
        }
    }

    /// Checks a tone: nothing else may play, no cue may be near, and the configured interval must have passed.
    mutating func keptAwake(_ state: DaemonState, isFree: Bool, now: Instant, elapsed: Double) {
        injectedTones += 1
        guard let interval = state.inputs.config.keepAwakeSeconds else {
            return broken("a tone that nobody wants")
        }
        require(isFree && state.jobs.isEmpty, "a tone while something is prepared or sounds")
        require(state.trust.trusted, "a tone by a clock that is not trusted")
        // The interval is measured by the wall clock, which may run slow or fast.
        if let last = toneAt, !isClockTouched, isCalm(since: interval, elapsed) {
            require(elapsed - last >= interval * 0.99, "a tone \(elapsed - last) s after the last")
        }
        if let last = cueAt, isCalm(since: 30, elapsed) {
            require(
                elapsed - last >= Limits.toneDistanceSeconds * 0.99, "a tone \(elapsed - last) s after a cue")
        }
        let lead = Limits.cueLeadSeconds + state.inputs.config.prerollSeconds
        let reference = QuietReferencePlan(state)
        for entry in referencePlan.plan(state, around: now)
        where entry.at > now && entry.isEnabled && !entry.isSilent {
            let wait = entry.at - lead - now
            guard wait < Limits.toneDistanceSeconds + 2,
                !isSilenced(entry.id, by: state.saved.mute, at: entry.at),
                !reference.isSilent(entry.id, at: entry.at),
                state.saved.outcome(of: entry.id)?.isFinal != true
            else { continue }
            broken("a tone \(wait) s before the cue of \(entry.id)")
        }
        toneAt = elapsed
    }
}
