import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile

/// Checks that the timers are right and complete.
extension Checker {
    /// Checks that the state in force when the program ended is in force after its start.
    mutating func checkKept(_ state: DaemonState) {
        guard let kept else { return }
        require(
            state.saved.exceptions == kept.exceptions && state.saved.pins == kept.pins,
            "what was decided by hand did not outlive the restart")
        require(state.saved.toggles == kept.toggles, "the switches did not outlive the restart")
        if let mute = kept.mute, mute.until == nil, mute.scope == .all {
            require(state.saved.mute.isSame(as: mute), "the mute did not outlive the restart")
        }
    }

    mutating func checkPlan(_ state: DaemonState, timers: [ArmedTimer], now: Instant) {
        guard state.trust.trusted else {
            let armed = timers.contains { if case .announcement = $0.purpose { true } else { false } }
            require(!armed, "announcements are armed by a clock that is not trusted")
            let isFar = state.trust.floor - now > Limits.horizonSeconds
            return require(
                isFar || timers.contains { $0.purpose == .clockKnown && $0.at == state.trust.floor },
                "nothing is armed for when the clock can be trusted")
        }
        let plan = referencePlan.plan(state, around: now)
        var coming = state.simulated.filter { $0.at > now }.map {
            ReferencePlan.Entry(
                id: $0.id, at: $0.at, isEnabled: true, isSilent: $0.isSilent, rank: 2)
        }
        let (past, future) = (now - 86_400, now + Limits.horizonSeconds)
        for entry in plan where past < entry.at && entry.at <= future {
            if entry.at <= now {
                checkPast(entry, state)
            } else if entry.isEnabled, state.saved.outcome(of: entry.id)?.isFinal != true {
                coming.append(entry)
            }
        }
        coming.sort { $0.at < $1.at }
        checkArmed(coming, timers)
        checkPrepared(coming, state, timers: timers, now: now)
    }

    /// Checks that everything in the past was called, or recorded with the reason why not.
    private mutating func checkPast(_ entry: ReferencePlan.Entry, _ state: DaemonState) {
        let id = entry.id
        let outcome = state.saved.outcome(of: id)
        let isUnderway = state.jobs.contains { $0.announcement.id == id && $0.phase != .cued }
        // An iqama waits for its adhan to end.
        let isWaiting =
            id.kind == .iqama
            && state.jobs.contains { $0.announcement.id == id.adhan && $0.phase != .cued }
        require(outcome != nil || isUnderway || isWaiting, "\(id) is past and unaccounted for")
        require(outcome != .playing || isUnderway, "\(id) is said to be playing and is not")
        // Announcements from before the setup need no record, even if another configuration adds them later.
        if entry.at < responsibleAtMost { unrecorded.insert(id) }
        guard !isUnderway, !isWaiting, !unrecorded.contains(id) else { return }
        require(
            recorded[id] != nil, "\(id) is \(outcome?.rawValue ?? "past"), but the history has no word of it")
    }

    /// Checks that exactly the coming announcements are armed, for their instants.
    private mutating func checkArmed(_ coming: [ReferencePlan.Entry], _ timers: [ArmedTimer]) {
        var expected = Dictionary(coming.map { ($0.id, $0.at) }) { first, _ in first }
        for timer in timers {
            guard case .announcement(let id) = timer.purpose else { continue }
            let at = expected.removeValue(forKey: id)
            require(at != nil, "\(id) is armed and is not to come")
            require(at == nil || at == timer.at, "\(id) is armed for another instant than its own")
        }
        require(expected.isEmpty, "not armed: \(expected.keys.map(\.description).sorted())")
    }

    /// Whether a mute covers an announcement, as the checker understands it: everything until its end, or one adhan with its
    /// reminders.
    func isSilenced(_ id: AnnouncementID, by mute: Mute?, at instant: Instant) -> Bool {
        guard let mute else { return false }
        if mute.scope == .all { return mute.until.map { instant < $0 - 0.001 } ?? true }
        return mute.id.map { Self.goes(id.description, with: $0.description) } ?? false
    }

    /// Whether an announcement is an adhan or belongs to it: `reminder-10m_asr_20261120` to `asr_20261120`, `khutba-2_20261120`
    /// to `jumua-2_20261120`.
    static func goes(_ text: String, with adhan: String) -> Bool {
        // A call belongs to no prayer, even if its name is "isha".
        if text.hasPrefix("call_") { return false }
        let named =
            text.hasPrefix("khutba_") || text.hasPrefix("khutba-") ? "jumua" + text.dropFirst(6) : text
        return named == adhan || named.hasSuffix("_\(adhan)")
    }

    /// Checks that the next sound is prepared in time and tried before that, and that the preflight, the end of a mute and
    /// midnight are armed.
    private mutating func checkPrepared(
        _ coming: [ReferencePlan.Entry], _ state: DaemonState, timers: [ArmedTimer], now: Instant
    ) {
        let reference = QuietReferencePlan(state)
        let sounding = coming.filter {
            !$0.isSilent && !reference.isSilent($0.id, at: $0.at)
                && !isSilenced($0.id, by: state.saved.mute, at: $0.at)
        }
        let cueLeadSeconds = Limits.cueLeadSeconds + state.inputs.config.prerollSeconds
        let soon = sounding.prefix { $0.at - now <= cueLeadSeconds }
        // A reminder gives way to every other sound, also to one that is due within the same lead.
        let isFree =
            !state.jobs.contains { $0.phase == .playing && !$0.announcement.isCall }
            && soon.allSatisfy { $0.rank <= 0 }
        // A call gives way to everything.
        let isAlone = soon.count == 1 && !state.jobs.contains { $0.phase != .cued }
        // An iqama gives way only to adhans; the sounds show which of several is heard.
        let hasAdhan =
            soon.contains { $0.rank == 2 }
            || state.jobs.contains { $0.phase != .cued && $0.announcement.isAdhan }
        for entry in soon
        where entry.rank == ReferencePlan.callRank
            ? isAlone : isFree || (entry.rank == 1 ? !hasAdhan : entry.rank == 2)
        {
            // Of several announcements for one instant, or within one initial silence, only one is called.
            let silences = state.jobs.map(\.leadSeconds) + [state.inputs.config.prerollSeconds]
            let lead = (silences.max() ?? 0) + Limits.giveWayLeadSeconds
            let givesWay = soon.contains { other in
                other.rank > 0 && other.at > entry.at && other.at - entry.at <= lead
            }
            let isReady = givesWay || state.jobs.contains { $0.announcement.at == entry.at }
            require(isReady, "\(entry.id) is about to come and not prepared")
        }
        requireNext(of: sounding, ahead: Limits.preflightLeadSeconds, timers, now) { .preflight(id: $0) }
        requireNext(of: sounding, ahead: cueLeadSeconds, timers, now) { .cue(id: $0) }
        if let until = state.saved.mute?.until {
            require(
                timers.contains { $0.purpose == .muteEnds && $0.at == until },
                "not armed: the end of the mute at \(until.unixSeconds)")
        }
        require(timers.contains { $0.purpose == .midnight }, "midnight is not armed")
    }

    /// Checks the next timer. It may name any of several announcements for one instant, because the daemon then examines all of
    /// them.
    private mutating func requireNext(
        of sounding: [ReferencePlan.Entry], ahead lead: Double, _ timers: [ArmedTimer], _ now: Instant,
        _ purpose: (AnnouncementID) -> ArmedTimer.Purpose
    ) {
        guard let next = sounding.first(where: { now < $0.at - lead }) else { return }
        let purposes = sounding.filter { $0.at == next.at }.map { purpose($0.id) }
        require(
            timers.contains { purposes.contains($0.purpose) && $0.at == next.at - lead },
            "not armed: \(purpose(next.id)) at \((next.at - lead).unixSeconds)")
    }
}
