import AdhanCore
import PrayerEngine

/// Something that must never be.
package struct Violation: Error, Sendable, CustomStringConvertible {
    package let description: String
}

/// Stands beside the box and checks, after every step, what the daemon promises. It knows what really happened: which
/// sounds came out, when the clock was touched, what the history was told.
struct Watch {
    private(set) var violation: Violation?
    private(set) var injected: [String: Int] = [:]
    private(set) var called = 0
    private(set) var resumed = 0
    private(set) var events = 0
    /// What came out of the speaker from its beginning, by identity.
    private var begun: Set<String> = []
    /// True seconds at which the sound of an identity was cut off by the end of the program.
    private var cutOff: [String: Double] = [:]
    private var recorded: [String: Outcome] = [:]
    /// True seconds at which the world last did anything unkind.
    private var disturbedAt = 0.0

    /// Seconds of calm after which there is no excuse: longer than the cue takes.
    private static let calm = 15.0

    mutating func injected(_ kind: Scenario.Kind) {
        injected[kind.name, default: 0] += 1
    }

    mutating func disturbed(at elapsed: Double) {
        disturbedAt = elapsed
    }

    mutating func died(at elapsed: Double, jobs: [Job]) {
        for job in jobs where job.phase != .cued {
            cutOff[job.announcement.id] = elapsed
            // Before the device's word that it began, nothing is audible yet.
            if job.startedAt == nil { begun.remove(job.announcement.id) }
        }
    }

    mutating func broken(_ sentence: String) {
        guard violation == nil else { return }
        violation = Violation(description: sentence)
    }

    private mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
        if !holds { broken(sentence()) }
    }

    // MARK: Sounds

    /// A sound begins to come out.
    mutating func heard(_ job: Job, state: DaemonState, now: Instant, elapsed: Double) {
        let announcement = job.announcement
        guard announcement.kind != .test else { return }
        let id = announcement.id
        require(state.trust.trusted, "\(id) is called by a clock that is not trusted")
        require(
            state.saved.mute?.silences(announcement, at: now) != true, "\(id) is called while muted")
        require(isEnabled(announcement, state), "\(id) is called though it is disabled")
        if job.position > 0 {
            resumed += 1
            let gap = elapsed - (cutOff[id] ?? elapsed - (now - announcement.at))
            require(gap <= DaemonState.resumeWithin + 1, "\(id) is resumed \(gap) s after it was cut off")
        } else {
            called += 1
            require(!begun.contains(id), "\(id) is called twice")
            let lateness = now - announcement.at
            require(lateness >= -0.001, "\(id) is called \(-lateness) s early")
            require(
                lateness <= announcement.lateGrace + DaemonState.punctual + 0.1,
                "\(id) is called \(lateness) s late, beyond its grace")
            require(
                lateness < 0.1 || !isCalm(since: lateness, elapsed),
                "\(id) is \(lateness) s late for no reason")
        }
        begun.insert(id)
    }

    private func isEnabled(_ announcement: Announcement, _ state: DaemonState) -> Bool {
        announcement.kind == .pretended
            || state.saved.toggles.isEnabled(announcement.prayer, in: state.world.config)
    }

    /// Whether nothing unkind happened from some seconds before an instant that lies `ago` seconds back.
    private func isCalm(since ago: Double, _ elapsed: Double) -> Bool {
        disturbedAt < elapsed - ago - Self.calm
    }

    // MARK: The record

    mutating func recorded(_ entry: HistoryEntry, elapsed: Double, now: Instant) {
        let id = entry.id
        if let before = recorded[id] {
            require(before == .missed, "\(id) is recorded as \(entry.outcome) after \(before)")
        }
        recorded[id] = entry.outcome
        require(
            entry.outcome == .played || entry.reason != nil,
            "\(id) is recorded as \(entry.outcome) without a reason")
        switch entry.outcome {
        case .played: require(begun.contains(id), "\(id) is recorded as played, but nothing was heard")
        case .missed:
            require(!begun.contains(id), "\(id) is recorded as missed, but it was heard")
            guard let at = InstantText.parse(entry.scheduled) else { return broken("\(id) has no instant") }
            require(!isCalm(since: now - at, elapsed), "\(id) was missed for no reason")
        case .upcoming, .playing: broken("\(id) is recorded as \(entry.outcome)")
        case .muted, .disabled, .silent, .skipped:
            require(!begun.contains(id), "\(id) is recorded as \(entry.outcome), but it was heard")
        case .failed, .interrupted: break
        }
    }

    // MARK: After every event

    mutating func after(
        _ state: DaemonState, event: Event, timers: [ArmedTimer], now: Instant, effects: [Effect]
    ) {
        events += 1
        require(effects.count < 2000, "one event has \(effects.count) effects")
        require(state.jobs.count < 12, "\(state.jobs.count) jobs at once")
        for job in state.jobs where job.phase == .playing && job.announcement.kind != .test {
            require(isEnabled(job.announcement, state), "\(job.announcement.id) sounds though it is disabled")
            if state.saved.mute?.scope == .all {
                require(
                    state.saved.mute?.isOver(at: now) == true,
                    "\(job.announcement.id) sounds while everything is muted")
            }
        }
        // A reading of the whole plan costs as much as the event itself: when something big happened, and now and then.
        guard isBig(event) || events.isMultiple(of: 32) else { return }
        checkPlan(state, timers: timers, now: now)
    }

    private func isBig(_ event: Event) -> Bool {
        switch event {
        case .started, .resumed, .clockStepped, .worldLoaded, .request: true
        default: false
        }
    }

    private mutating func checkPlan(_ state: DaemonState, timers: [ArmedTimer], now: Instant) {
        guard state.trust.trusted else {
            let armed = timers.contains { if case .announcement = $0.purpose { true } else { false } }
            return require(!armed, "announcements are armed by a clock that is not trusted")
        }
        let plan = DayPlan(
            site: state.world.site, config: state.world.config, toggles: state.saved.toggles,
            after: now - 86_400,
            through: now + DaemonState.horizon)
        var expected: Set<String> = Set(state.pretended.filter { $0.at > now }.map(\.id))
        for entry in plan.entries {
            let announcement = entry.announcement
            let outcome = state.saved.outcome(of: announcement.id)
            if announcement.at <= now {
                let underway = state.jobs.contains {
                    $0.announcement.id == announcement.id && $0.phase != .cued
                }
                require(outcome != nil || underway, "\(announcement.id) is past and unaccounted for")
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
