package import Announcements
import Envelope
package import PrayerEngine
package import Protocol
package import Settings
package import StateFile
import Texts
package import Times

/// The whole daemon as a value. `handle` is synchronous, total and deterministic: the same state, event and instant lead to the
/// same effects. Start-up, suspend, a clock step, daylight saving, a reload and a mute are handled alike: look at the plan and
/// the clock, resolve what is due, arm what is to come.
package struct DaemonState: Sendable {
    package internal(set) var inputs: DaemonInputs
    package internal(set) var saved: SavedState
    package let startedAt: Instant
    /// The boot of the machine in which this run of the program began; `nil` when the machine does not report it.
    let boot: String?
    package internal(set) var clock = ClockHealth(synchronized: false)
    package internal(set) var trust: ClockTrust
    package internal(set) var jobs: [Job] = []
    /// The prayer that `debug trigger` requested, until it is over.
    package internal(set) var simulated: [Announcement] = []
    package internal(set) var armed: [ArmedTimer] = []
    /// When the timers were last reconciled.
    var lastRearmed: Instant
    /// The health of each output.
    package internal(set) var health = OutputHealth()
    package internal(set) var devices = DeviceRecord()
    var cues = CueRecord()
    package internal(set) var disk = DiskRecord()
    package internal(set) var log = NoticeLog()
    var refusalLog = RefusalLog()
    /// Why the mute of one adhan has no effect, as last reported.
    var publishedObstacle: MuteObstacle?
    /// The problem of the configuration on disk, while an older one is in force.
    package internal(set) var configurationProblem: UnusableConfiguration?
    /// The first contradiction in this state since adhand started; `nil` when there was none.
    package internal(set) var brokenInvariant: BrokenInvariant?
    var readings = InputsReadings()
    /// The settings made by command, as saved.
    package internal(set) var settings: SettingsLayer
    /// A change that is being saved, and the configuration that it leads to.
    var unsavedSettings: SettingsFinding?
    /// Whether the configuration has changed since the trial of a settings change began.
    var isTrialStale = false
    /// Why the settings could not be read at the start; `nil` when they could, and once something was set since.
    package internal(set) var settingsLoss: SettingsLoss?
    /// A fleet's envelopes in progress.
    var envelopes: EnvelopeProgress
    /// Whether each step of a decision is reported at level debug.
    package var explains = false
    var planCache = PlanCache()
    var tokens = 0
    /// The tones that keep loudspeakers awake, by their outputs.
    var tones = Tones()
    /// The reasons for lost adhans since the last adhan that was played.
    var lossReasons: [AnnouncementID: String] = [:]
    /// The adhan that ended last, for the iqama that waited for it.
    var lastAdhan: (id: AnnouncementID, endedAt: Instant)?
    /// Events before `started` only prepare it.
    var running = false
    var stopping = false
    /// Whether sounds that an earlier run left have been handled.
    var hasTakenUp = false
    /// Whether this run began with an untrusted clock.
    var hasWaited = false
    var lastAlive: Instant
    /// When the clock was last looked at.
    var lastClockCheck: Instant?
    var statusLine = ""
    /// Why the timetable is probably for another place; checked whenever either changes, and at midnight.
    var timetableMismatch: TimetableMismatch?
    /// The first manual time that is probably meant for another place; checked likewise.
    var exceptionProblem: (exception: DayException, sentence: String)?
    /// The local date whose plan was published last.
    var plannedDate: CivilDate?

    /// Seconds before its instant at which a sound is prepared.
    package static let cueLeadSeconds = 10.0
    /// Seconds before its instant at which an announcement has its preflight: time for a person to plug in a cable.
    package static let preflightLeadSeconds = 300.0
    /// Seconds before its instant at which any other sound begins to fade, so that the device is free in time.
    package static let giveWayLeadSeconds = 0.3
    /// Seconds between two saves that record that the program is alive and playing.
    package static let aliveIntervalSeconds = 5.0
    /// Seconds of absence after which an adhan is not resumed but recorded as interrupted; up to ``aliveIntervalSeconds`` of
    /// these passed before a crash. After a planned stop they count from its last moment.
    package static let resumeWithinSeconds = 20.0
    /// Seconds of the longest fade-out as the program ends: systemd (systemd/adhand.service) kills it 15 s after it was to end.
    package static let longestLastFadeSeconds = 10.0
    /// Seconds within which a call is on time: a busy machine notices a timer that late. A `late-grace` of zero forbids
    /// late calls, not calls.
    package static let punctualSeconds = 1.0
    /// Seconds below which a step of the clock has no audible consequence.
    package static let smallestStepSeconds = 0.05
    /// Seconds by which a step of the clock may make an adhan early.
    package static let earlySeconds = 0.1
    /// Seconds ahead for which timers are armed.
    package static let horizonSeconds = 86_400.0
    /// Seconds in the past for which a box that was off records missed announcements.
    package static let longestAbsenceSeconds = 35 * 86_400.0

    /// - Parameters:
    ///   - saved: `nil` at the very first start, and when the state on disk could not be read.
    ///   - lost: why it could not be read.
    ///   - decided: the known decisions of people.
    ///   - recorded: the end of the history, a second record of the calls.
    ///   - boot: identifies one boot of the machine.
    ///   - fleetGate: checks envelopes; without it all are refused.
    package init(
        inputs: DaemonInputs, saved: SavedState?, lost: StateLoss? = nil, decided: SavedState? = nil,
        recorded: [HistoryEntry], boot: String? = nil, settings: SettingsLayer = SettingsLayer(),
        settingsLoss: SettingsLoss? = nil, fleetGate: FleetGate = .closed, now: Instant
    ) {
        envelopes = EnvelopeProgress(gate: fleetGate)
        (self.settings, self.settingsLoss) = (settings, settingsLoss)
        self.inputs = inputs
        self.boot = boot
        configurationProblem = inputs.problem
        self.saved = saved ?? SavedState(since: Self.since(recorded, now: now))
        if let decided { self.saved.adopt(decided) }
        if let lost { self.saved.loss = lost }
        self.saved.learn(from: recorded)
        startedAt = now
        lastAlive = now
        lastRearmed = now
        readings.endedAt = now
        disk.persisted = saved
        trust = ClockTrust(confirmed: (saved ?? decided)?.clock.confirmed)
        learnReasons(recorded)
        renewSite(at: now)
    }

    var zone: Zone { inputs.site.zone }

    /// The beginning of a box's responsibility when it has no saved state. A history proves that the box is not new and only lost
    /// its state: everything after the last entry is recorded, late calls included.
    private static func since(_ recorded: [HistoryEntry], now: Instant) -> Instant {
        recorded.flatMap { [$0.scheduled, $0.started].compactMap(\.self) }
            .compactMap(InstantText.parse).filter { $0 <= now }.max() ?? now
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var batch = EffectBatch(now: now, explains: explains)
        ensurePlanned(now)
        // A sound that this event drops keeps the device until playback has handled the stop.
        let isDeviceInUse = !jobs.isEmpty
        if isDeviceInUse { cues.lastAt = now }
        switch event {
        case .started: start(&batch)
        case .timerDue: break
        case .resumed: wokeUp(&batch)
        case .playback(let token, let output, let event):
            handlePlayback(event.stated, of: token, on: output, &batch)
        case .request(let id, let request, let peer):
            if !request.isReading { batch.caller = (peer.claim.actor, peer.name) }
            answer(request, id, from: peer, &batch)
            if request.isReading { return finish(batch) }
        case .hungUp(let id): forget(id)
        case .preflight(let id, let result): preflightEnded(id, result, &batch)
        case .devicesTried(let output, let trial): devicesTried(trial, of: output, &batch)
        case .toneFailed(let output, let reason): toneFailed(on: output, Reason.stated(reason), &batch)
        case .deviceFound(let test, let isListed): deviceFound(test, isListed: isListed, &batch)
        case .cardsChanged: checkDevices(&batch)
        case .inputsWanted(let change): read(change, &batch)
        case .inputsLoaded(let inputs, let change, let lost): enter(inputs, change, lost, &batch)
        case .configRejected(let error, let change): reject(error, change, &batch)
        case .settingsTried(let finding): settingsTried(finding, &batch)
        case .settingsSaved(let problem): settingsSaved(problem, &batch)
        case .envelopeSaved(let problem): envelopeSaved(problem, &batch)
        case .fleetTried(let finding): fleetTried(finding, &batch)
        case .fleetPreflight(let preflight, let result): fleetPreflighted(preflight, result, &batch)
        case .timetableChanged(let problem): timetableChanged(problem, &batch)
        case .timetableRead(let reading, let problems, let request):
            isTrialStale = true
            timetableRead(reading, problems, request, &batch)
        case .clockStepped(let seconds, let hasSlept):
            clockStepped(by: seconds, &batch)
            if hasSlept { wokeUp(&batch) }
        case .clockHealth(let health):
            if health != clock {
                batch.explain("the clock is \(health.synchronized ? "" : "not ")kept by a time server")
            }
            clock = health
        case .saveFailed(let reason):
            if disk.problem == nil { disk.problemSince = trust.trusted ? now : nil }
            disk.problem = Reason.stated(reason)
        case .saved: disk.problem = nil
        case .stopping: stop(&batch)
        }
        batch.caller = nil
        // Repeated because the clock may have been set.
        if isDeviceInUse { cues.lastAt = now }
        reportRefusals(&batch)
        if running {
            carryOutWaiting(&batch)
            reconcile(&batch)
            checkTrials(&batch)
            leaveTrials(&batch)
            // This same event may have decided that a change is to be abandoned, and when.
            if !saved.fleet.trials.isEmpty { rearm(&batch) }
            publishCues(&batch)
        }
        checkInvariants(&batch)
        return finish(batch)
    }

    private mutating func finish(_ batch: EffectBatch) -> [Effect] {
        log.append(batch.notices)
        learnReasons(batch.records)
        if let proposal = proposal(batch) {
            disk.persisted = proposal
            return batch.effects(saving: proposal)
        }
        guard saved.differsInSubstance(from: disk.persisted) else { return batch.effects(saving: nil) }
        disk.persisted = saved
        return batch.effects(saving: saved)
    }
}
