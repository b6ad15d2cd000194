import AdhanCore
import PrayerEngine

/// What is armed, and that nothing is forgotten.
extension Watch {
    /// What was in force when the program ended is in force when it is back.
    mutating func checkKept(_ state: DaemonState) {
        guard let kept else { return }
        require(state.saved.toggles == kept.toggles, "the switches did not outlive the restart")
        if let mute = kept.mute, mute.until == nil, mute.scope == .all {
            require(state.saved.mute == mute, "the mute did not outlive the restart")
        }
    }

    mutating func checkPlan(_ state: DaemonState, timers: [ArmedTimer], now: Instant) {
        guard state.trust.trusted else {
            let armed = timers.contains { if case .announcement = $0.purpose { true } else { false } }
            require(!armed, "announcements are armed by a clock that is not trusted")
            let isFar = state.trust.floor - now > DaemonState.horizon
            return require(
                isFar || timers.contains { $0.purpose == .clockKnown && $0.at == state.trust.floor },
                "nothing is armed for when the clock can be trusted")
        }
        let plan = almanac.plan(
            site: state.world.site, config: state.world.config, toggles: state.saved.toggles, around: now)
        var coming = state.pretended.filter { $0.at > now }
        let (past, future) = (now - 86_400, now + DaemonState.horizon)
        for entry in plan {
            let announcement = entry.announcement
            guard past < announcement.at, announcement.at <= future else { continue }
            if announcement.at <= now {
                checkPast(announcement, state)
            } else if entry.enabled, state.saved.outcome(of: announcement.id)?.isFinal != true {
                coming.append(announcement)
            }
        }
        coming.sort { $0.at < $1.at }
        checkArmed(coming, timers)
        checkPrepared(coming, state, timers: timers, now: now)
    }

    /// Everything that is past was called, or recorded with the reason why not.
    private mutating func checkPast(_ announcement: Announcement, _ state: DaemonState) {
        let id = announcement.id
        let outcome = state.saved.outcome(of: id)
        let isUnderway = state.jobs.contains { $0.announcement.id == id && $0.phase != .cued }
        require(outcome != nil || isUnderway, "\(id) is past and unaccounted for")
        require(outcome != .playing || isUnderway, "\(id) is said to be playing and is not")
        guard !isUnderway, announcement.at >= responsibleAtMost, !unrecorded.contains(id) else { return }
        require(
            recorded[id] != nil, "\(id) is \(outcome?.rawValue ?? "past"), but the history has no word of it")
    }

    /// Exactly what is to come is armed, for its instant.
    private mutating func checkArmed(_ coming: [Announcement], _ timers: [ArmedTimer]) {
        var expected = Dictionary(coming.map { ($0.id, $0.at) }) { first, _ in first }
        for timer in timers {
            guard case .announcement(let id) = timer.purpose else { continue }
            let at = expected.removeValue(forKey: id)
            require(at != nil, "\(id) is armed and is not to come")
            require(at == nil || at == timer.at, "\(id) is armed for another instant than its own")
        }
        require(expected.isEmpty, "not armed: \(expected.keys.map(\.description).sorted())")
    }

    /// What sounds next is prepared in time, and rehearsed before that; a mute's end, midnight and life are armed.
    private mutating func checkPrepared(
        _ coming: [Announcement], _ state: DaemonState, timers: [ArmedTimer], now: Instant
    ) {
        let sounding = coming.filter {
            !$0.isSilent && state.saved.mute?.silences($0, at: $0.at) != true
        }
        let cueLead = DaemonState.cueLead + state.world.config.preroll
        let soon = sounding.prefix { $0.at - now <= cueLead }
        // A reminder gives way to whatever sounds, or comes as soon.
        let isFree = !state.jobs.contains { $0.phase == .playing } && soon.allSatisfy(\.isReminder)
        for announcement in soon where isFree || !announcement.isReminder {
            // Of several for one instant one is called, and one of several for one and the same minute of silence.
            let silences = state.jobs.map(\.preroll) + [state.world.config.preroll]
            let lead = (silences.max() ?? 0) + DaemonState.giveWayLead
            let givesWay = soon.contains { other in
                !other.isReminder && other.at > announcement.at && other.at - announcement.at <= lead
            }
            let isReady = givesWay || state.jobs.contains { $0.announcement.at == announcement.at }
            require(isReady, "\(announcement.id) is about to come and not prepared")
        }
        var expected: [(ArmedTimer.Purpose, Instant)] = []
        if let next = sounding.first(where: { now < $0.at - DaemonState.preflightLead }) {
            expected.append((.preflight(id: next.id), next.at - DaemonState.preflightLead))
        }
        if let next = sounding.first(where: { now < $0.at - cueLead }) {
            expected.append((.cue(id: next.id), next.at - cueLead))
        }
        if let until = state.saved.mute?.until { expected.append((.muteEnds, until)) }
        for (purpose, at) in expected {
            require(
                timers.contains { $0.purpose == purpose && $0.at == at },
                "not armed: \(purpose) at \(at.unixSeconds)")
        }
        require(timers.contains { $0.purpose == .midnight }, "midnight is not armed")
    }
}

/// The plan as the watch reckons it, kept for as long as it holds: it asks for the same days again and again.
struct Almanac {
    private var entries: [DayPlan.Entry] = []
    private var site = ""
    private var config: Config?
    private var toggles = Toggles()
    private var from = Instant(unixSeconds: 0)
    private var through = Instant(unixSeconds: 0)

    mutating func plan(site: Site, config: Config, toggles: Toggles, around now: Instant) -> [DayPlan.Entry] {
        let (first, last) = (now - 86_400, now + DaemonState.horizon)
        guard
            site.name != self.site || config != self.config || toggles != self.toggles || first < from
                || through < last
        else { return entries }
        (self.site, self.config, self.toggles) = (site.name, config, toggles)
        (from, through) = (first - 3600, last + 4 * 86_400)
        entries = DayPlan(site: site, config: config, toggles: toggles, after: from, through: through).entries
        return entries
    }
}
