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
            return require(!armed, "announcements are armed by a clock that is not trusted")
        }
        let plan = almanac.plan(
            site: state.world.site, config: state.world.config, toggles: state.saved.toggles, around: now)
        var expected: Set<String> = Set(state.pretended.filter { $0.at > now }.map(\.id))
        let (past, future) = (now - 86_400, now + DaemonState.horizon)
        for entry in plan {
            let announcement = entry.announcement
            guard past < announcement.at, announcement.at <= future else { continue }
            let outcome = state.saved.outcome(of: announcement.id)
            if announcement.at <= now {
                let underway = state.jobs.contains {
                    $0.announcement.id == announcement.id && $0.phase != .cued
                }
                require(outcome != nil || underway, "\(announcement.id) is past and unaccounted for")
                require(
                    outcome != .playing || underway, "\(announcement.id) is said to be playing and is not")
            } else if entry.enabled, outcome?.isFinal != true {
                expected.insert(announcement.id)
            }
        }
        var armed: Set<String> = []
        for timer in timers {
            if case .announcement(let id) = timer.purpose { armed.insert(id) }
        }
        require(
            armed == expected,
            "armed too much: \(armed.subtracting(expected).sorted()), too little: \(expected.subtracting(armed).sorted())"
        )
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
