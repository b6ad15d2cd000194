import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Times

/// A broken promise of the daemon.
package struct CheckerError: Error, Sendable, CustomStringConvertible {
    package let description: String

    /// The broken promise without the announcement that it concerns.
    var gist: String {
        String(
            description.split(separator: " ").filter { !$0.contains { $0.isNumber } }.joined(separator: " "))
    }
}

/// Checks the daemon's promises after every step. It knows the truth: the sounds that were heard, the changes of the clock, and
/// the history's lines.
struct Checker {
    var violation: CheckerError?
    var injected: [String: Int] = [:]
    var events = 0
    var called = 0
    var resumed = 0
    /// The number of records of each outcome.
    var outcomes: [Outcome: Int] = [:]

    /// Sounds that were audible from their beginning: identity and ordinal.
    var begun: [AnnouncementID: Int] = [:]
    /// Sounds that an earlier run of the program began, which must be resumed or stay silent.
    var cutOff: [AnnouncementID: Double] = [:]
    /// True seconds at which the device reported the beginning of the sound, and seconds of its initial silence.
    var beganAt: [AnnouncementID: Double] = [:]
    /// Seconds of the recording that the device has reported.
    var lengths: [AnnouncementID: Double] = [:]
    /// The earliest true seconds at which a sound can have been heard.
    var audibleFrom: [AnnouncementID: Double] = [:]
    var recorded: [AnnouncementID: (outcome: Outcome, number: Int)] = [:]
    /// Announcements whose lines the disk refused, or lost.
    var unrecorded: Set<AnnouncementID> = []
    /// The volume in percent with which a sound was last prepared.
    var loudness: [AnnouncementID: Int] = [:]
    /// Whether the request in progress is a test that ignores quiet windows.
    var isDespiteQuiet = false
    /// The announcement to which a sound belongs.
    var soundOf: [Int: AnnouncementID] = [:]
    /// The latest beginning of the box's responsibility, by any of its clocks.
    var responsibleAtMost = Instant(unixSeconds: -.infinity)
    var hasMoved = false
    var trust = TrustChecker()
    /// The numbers of sounds and records so far.
    var sounds = 0
    var records = 0
    var mute = MuteChecker()
    /// The state that applies if the request in progress is refused.
    var muteKept = MuteChecker()
    var referencePlan = ReferencePlan()
    var settings = SettingsChecker()
    var cues = CueChecker()
    var fleet = FleetChecker()
    /// True seconds of the last tone that kept the loudspeaker awake, and of the last preparation of a sound; the number of
    /// tones.
    var toneAt: Double?
    var cueAt: Double?
    var injectedTones = 0
    /// True seconds at which an adhan last ended, and its identity.
    var adhanEnd: (id: AnnouncementID, at: Double)?
    /// The mute in force when the event came.
    var muteBefore: Mute?
    /// Whether the event moves a mute, or is a request that begins or ends one.
    var changesMute = false
    var togglesBefore = Toggles()
    var exceptionsBefore = DayExceptions()
    var jobsBefore: [Job] = []
    /// Whether the event that is being handled began or faded out a sound, or recorded a silent prayer.
    var eventHadSound = false
    /// Whether the present event is the device's report that a sound is over.
    var isDeviceReport = false
    /// Sounds whose last report is that they are inaudible.
    var unheard: Set<AnnouncementID> = []
    var isStarted = false
    /// Sounds that a planned stop interrupted, to be resumed if the program is back soon.
    var paused: [Pause] = []
    /// Whether there was any request while the program was ending.
    var wasAskedAtEnd = false
    /// The sounds at the moment when the machine lost its power.
    var lostWithPower: Set<AnnouncementID> = []
    /// The disk's contents when the program was started.
    var kept: SavedState?
    /// Whether this run of the program cannot know how long it was away, or how the last call ended.
    var isUnsure = false
    /// Whether this run of the program has had a clock that it trusted.
    var hasKnownTime = false
    /// Whether the clock was set unobserved.
    var isClockTouched = false
    /// The earliest instant at which the box was up: earlier ones are not checked.
    var responsibleFrom: Instant?
    /// The true seconds of the latest fault.
    var disturbedAt = 0.0

    /// The seconds after a fault during which deviations are excused: longer than a cue takes.
    static let calmSeconds = 15.0
    /// Seconds of sound that count as unheard, because the disk may need that long to record the beginning.
    static let audibleSeconds = 0.5
    /// Seconds that a busy program may need to notice that a prepared sound has started.
    static let hushedSeconds = 0.1
    /// Seconds after a fault within which the record of an end may lack its cause, because the cause may have been dropped.
    static let droppedSeconds = 1.0

    mutating func injected(_ kind: Scenario.Kind) {
        injected[kind.name, default: 0] += 1
    }

    mutating func disturbed(at elapsed: Double) {
        disturbedAt = max(disturbedAt, elapsed)
    }

    mutating func broken(_ sentence: String) {
        guard violation == nil else { return }
        violation = CheckerError(description: sentence)
    }

    mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
        if !holds { broken(sentence()) }
    }

    /// Whether no fault happened since some seconds before an instant that is `ago` seconds back.
    func isCalm(since ago: Double, _ elapsed: Double) -> Bool {
        disturbedAt < elapsed - ago - Self.calmSeconds
    }

    // MARK: Settings

    mutating func startsSettings(_ state: DaemonState, disk: Disk) {
        if let broken = settings.starts(state, disk: disk) { self.broken(broken) }
    }

    mutating func repliedSettings(_ id: RequestID, _ reply: Reply, state: DaemonState, disk: Disk) {
        if let broken = settings.replied(id, reply, state: state, disk: disk) { self.broken(broken) }
    }

    // MARK: Around every event

    mutating func before(_ state: DaemonState, _ event: Event, now: Instant, at elapsed: Double) {
        trust.hears(event, now: now)
        trust.saw(state, now: now, elapsed: elapsed)
        // This event may be the one with which the clock becomes trusted again.
        if !state.trust.trusted { disturbed(at: elapsed) }
        // A program that dies during a request or a step of the clock has promised nothing.
        muteKept = mute
        changesMute = event.changesMute
        if changesMute { mute.forget() }
        muteBefore = state.saved.mute
        if case .clockStepped(let seconds, _) = event, let until = muteBefore?.until,
            muteBefore?.followsElapsedTime == true
        {
            muteBefore?.until = until + seconds
        }
        togglesBefore = state.saved.toggles
        exceptionsBefore = state.saved.exceptions
        jobsBefore = state.jobs
        eventHadSound = false
        isDespiteQuiet =
            switch event {
            case .request(_, .testPlay(_, _, true, _), _), .request(_, .playSound(_, _, true, _), _): true
            default: false
            }
        if case .request = event { wasAskedAtEnd = true }
        if case .inputsLoaded(let inputs, _, _) = event {
            wasAskedAtEnd = true
            // Another configuration may plan announcements that are already due.
            if inputs.config != state.inputs.config { disturbed(at: elapsed) }
        }
        if case .settingsSaved = event {
            wasAskedAtEnd = true
            disturbed(at: elapsed)
        }
        if case .playback(let token, _, .ended) = event,
            let job = state.jobs.first(where: { $0.token == token }), job.announcement.isAdhan
        {
            adhanEnd = (job.announcement.id, elapsed)
        }
        if case .playback(let token, _, let word) = event,
            let id = state.jobs.first(where: { $0.token == token })?.announcement.id
        {
            switch word {
            case .deviceSilent: unheard.insert(id)
            case .began, .deviceAudible: unheard.remove(id)
            default: break
            }
        }
        isDeviceReport = if case .playback(_, _, .ended) = event { true } else { false }
    }

    mutating func after(
        _ event: Event, _ effects: [Effect], state: DaemonState, timers: [ArmedTimer], now: Instant,
        elapsed: Double
    ) {
        events += 1
        if case .started = event {
            isStarted = true
            checkKept(state)
            checkResumed(state, now: now, elapsed: elapsed)
        }
        if case .clockStepped = event { mute = muteKept }
        guard isStarted else { return }
        if case .request(_, let request, _) = event, request.isReading {
            return require(effects.count == 1, "reading does something")
        }
        if case .playback(let token, _, .began) = event,
            let job = state.jobs.first(where: { $0.token == token })
        {
            beganAt[job.announcement.id] = elapsed + job.leadSeconds
            audibleFrom[job.announcement.id] = elapsed + job.leadSeconds
        }
        trust.saw(state, now: now, elapsed: elapsed)
        require(
            state.trust.trusted || !state.jobs.contains { $0.phase == .cued && $0.announcement.id.isPlanned },
            "what was prepared begins by itself, by a clock that is not trusted")
        if let lost = lostExceptions(event, state) { broken(lost) }
        if case .playback(let token, _, .cued(_, let length)) = event,
            let job = state.jobs.first(where: { $0.token == token })
        {
            lengths[job.announcement.id] = length
        }
        for broken in state.brokenInvariants() { self.broken(broken) }
        if let broken = trust.check(state, now: now) { self.broken(broken) }
        if let broken = cues.check(state, now: now) { self.broken(broken) }
        responsibleAtMost = max(responsibleAtMost, state.saved.since)
        if hasMoved, state.trust.trusted {
            responsibleAtMost = max(responsibleAtMost, now)
            unrecorded.formUnion(state.saved.handled.inOrder.map(\.id))
            hasMoved = false
        }
        if let first = timers.first { require(first.at > now, "\(first.name) is armed for what is past") }
        if !state.trust.trusted {
            disturbed(at: elapsed)
            mute.forgetDuration()
        }
        if state.trust.trusted {
            hasKnownTime = true
            responsibleFrom = responsibleFrom ?? now
        }
        require(effects.count < 4000, "one event has \(effects.count) effects")
        require(state.jobs.count < 12, "\(state.jobs.count) jobs at once")
        for job in state.jobs where job.phase == .playing && !job.announcement.isTest {
            let isOff =
                job.announcement.isPlanned && job.announcement.id.kind != .takbirat
                && !job.announcement.isCall
                && (state.saved.toggles.switches[job.announcement.prayer] == false
                    || job.announcement.id.date.map {
                        ReferencePlan.isSkipped(
                            job.announcement.prayer, on: $0, state.inputs.config, state.saved.toggles.skips)
                    } == true)
            require(!isOff, "\(job.announcement.id) sounds though it is switched off")
            if let mute = state.saved.mute, mute.scope == .all {
                require(mute.isOver(at: now), "\(job.announcement.id) sounds while everything is muted")
            }
        }
        if case .timerDue = event { checkUncut(state) }
        checkGivingWay(state, now: now)
        if case .request(_, let request, _) = event {
            checkRequest(request, effects, state: state, elapsed: elapsed)
        }
        if let broken = mute.check(state.saved, now: now, elapsed: elapsed) { self.broken(broken) }
        // Checking the whole plan costs as much as the event itself, so do it after big events, and otherwise at intervals.
        guard isBig(event) || events.isMultiple(of: 16) else { return }
        if let broken = settings.inForce(state) { self.broken(broken) }
        checkPlan(state, timers: timers, now: now)
    }

    func isEnabled(_ announcement: Announcement, _ state: DaemonState) -> Bool {
        announcement.isSimulated || announcement.isCall || announcement.id.kind == .takbirat
            || ReferencePlan.isEnabled(announcement.prayer, state.inputs.config, state.saved.toggles.switches)
                && announcement.id.date.map {
                    ReferencePlan.isSkipped(
                        announcement.prayer, on: $0, state.inputs.config, state.saved.toggles.skips)
                } != true
    }

    func isBig(_ event: Event) -> Bool {
        switch event {
        case .started, .resumed, .clockStepped, .clockHealth, .inputsLoaded, .settingsSaved, .request: true
        default: false
        }
    }
}

extension Event {
    fileprivate var changesMute: Bool {
        switch self {
        case .request(_, .mute, _), .request(_, .unmute, _), .clockStepped: true
        default: false
        }
    }
}
