import Announcements
import Daemon
import Envelope
import PrayerEngine
import Protocol
import Settings
import StateFile
import Times

/// Runs one scenario: a box with a clock, a disk, a sound card and clients, all of which misbehave as scheduled, around
/// a `DaemonState` that must not.
struct Simulation {
    /// True seconds since the beginning, as of a perfect monotonic clock.
    var elapsed = 0.0
    let epoch: Double
    var wall: WallClockModel
    var disk = Disk()
    var card: SoundCard
    var checker: Checker
    var random: Random
    var site: Int
    var configuration: Int
    var state: DaemonState
    /// Whether there is a program to which `state` belongs.
    var isUp = false
    var timers: [ArmedTimer] = []
    /// True seconds until which the machine sleeps.
    var asleepUntil: Double?
    var asleepSince = 0.0
    /// True seconds at which the program is started again.
    var restartAt: Double?
    /// The number of further effects before the program dies.
    var effectsToLive: Int?
    /// Seconds until the program is back, if it ends.
    var awaySeconds = 0.0
    /// The wrong clock of the next start, if the program ends.
    var clocklessNext: Scenario.Clockless?
    var losesPower = false
    /// The number of times that the machine has been started.
    var boots = 0
    var synchronized = true
    var isStopping = false
    /// The findings of the next preflight.
    var preflightFinding = Scenario.PreflightFinding.well
    var trace: Trace
    private(set) var requests: UInt64 = 0
    /// Seconds by which the program is late in noticing that a timer fired.
    private var lagSeconds = 0.0
    var pending: [Event] = []
    /// The last envelopes.
    private var envelopes: [String] = []
    /// Events that a sleeping machine will receive.
    var whenAwake: [Event] = []
    /// The sum of the clock changes during sleep, because several changes appear as one.
    var stepAsleep = 0.0
    /// Faults whose moment has come.
    var aimed: [Scenario.Fault] = []
    /// Preflights in progress.
    var preflights: [(at: Double, id: AnnouncementID)] = []

    init(_ scenario: Scenario, tracing: Bool) {
        epoch = scenario.epoch
        wall = WallClockModel(epoch: scenario.clockless?.shows ?? scenario.epoch)
        random = Random(seed: ~scenario.seed)
        card = SoundCard(seed: scenario.seed)
        site = scenario.site
        configuration = scenario.configuration
        synchronized = scenario.synchronized
        trace = Trace(on: tracing)
        checker = Checker()
        let inputs = ScenarioChoices.inputs(site: site, configuration: configuration, disk.settings)
        state = DaemonState(inputs: inputs, saved: nil, recorded: [], boot: "0", now: wall.now(0))
        if let clockless = scenario.clockless { lostClock(clockless, awaySeconds: 0) }
    }

    /// - Returns: the broken promise, or `nil`.
    mutating func run(_ scenario: Scenario) -> CheckerError? {
        let end = Double(scenario.days) * 86_400
        var faults = scenario.faults[...]
        boot()
        while elapsed < end, checker.violation == nil {
            let plannedAt = faults.first?.at ?? .infinity
            let aimedAt = aimed.first?.at ?? .infinity
            let internalAt = nextInternal()
            if aimedAt <= min(plannedAt, internalAt) {
                advance(to: aimedAt)
                inject(aimed.removeFirst().kind)
            } else if plannedAt <= internalAt, let fault = faults.popFirst() {
                advance(to: fault.at)
                if let aim = fault.aim { schedule(fault, aimedAt: aim) } else { inject(fault.kind) }
            } else {
                guard internalAt < end else { break }
                advance(to: internalAt)
                stepInside()
            }
        }
        return checker.violation
    }

    var now: Instant { wall.now(elapsed) }

    private mutating func advance(to time: Double) {
        elapsed = max(elapsed, time)
    }

    private mutating func schedule(_ fault: Scenario.Fault, aimedAt aim: Double) {
        let next = timers.first { if case .announcement = $0.purpose { $0.at > now + 15 } else { false } }
        guard isUp, let next else { return inject(fault.kind) }
        keep(.init(at: wall.elapsed(at: next.at, from: elapsed) + aim, aim: nil, kind: fault.kind))
    }

    mutating func keep(_ fault: Scenario.Fault) {
        let index = aimed.firstIndex { $0.at > fault.at } ?? aimed.endIndex
        aimed.insert(fault, at: index)
    }

    // MARK: Internal events

    private func nextInternal() -> Double {
        if let asleepUntil { return asleepUntil }
        if let restartAt { return restartAt }
        let timer = timers.first.map { max(elapsed, wall.elapsed(at: $0.at, from: elapsed) + lagSeconds) }
        return min(
            timer ?? .infinity, card.nextEvent(wall, at: elapsed), preflights.first?.at ?? .infinity,
            disk.retryAt ?? .infinity)
    }

    private mutating func stepInside() {
        if asleepUntil != nil {
            wakeUp()
        } else if restartAt != nil {
            restartAt = nil
            boot()
        } else if let token = card.dueToStart(wall, at: elapsed) {
            begin(token)
        } else if let (token, report) = card.due(at: elapsed, now: now) {
            handle(.playback(token: token, output: QuietWindow.mainOutput, report))
        } else if let preflight = preflights.first, preflight.at <= elapsed {
            preflights.removeFirst()
            endPreflight(of: preflight.id)
        } else if let retryAt = disk.retryAt, retryAt <= elapsed {
            if disk.retry(at: elapsed) == true { handle(.saved) }
            handle(.timerDue)
        } else {
            handle(.timerDue)
            // The delay until the program notices the next timer: usually none, sometimes that of a busy machine.
            lagSeconds = random.chance(0.2) ? random.logUniform(0.001, 0.05) : 0
        }
    }

    private mutating func endPreflight(of id: AnnouncementID) {
        let found = preflightFinding
        preflightFinding = .well
        switch found {
        case .silent: break
        case .well: preflightEnded(id, on: "default")
        case .deviceBusy: preflightEnded(id, on: nil)
        case .soundMissing:
            preflightEnded(id, soundProblems: ["there is no sound \"standard\""], on: "default")
        case .noDevice:
            preflightEnded(id, deviceProblems: ["cannot open \"default\": Device or resource busy"], on: nil)
        }
    }

    private mutating func preflightEnded(
        _ id: AnnouncementID, soundProblems: [String] = [], deviceProblems: [String] = [], on device: String?
    ) {
        let output = state.inputs.config.allOutputs[0].name
        let result = PreflightResult(
            soundProblems: soundProblems, durationSeconds: device.map { _ in 10.8 },
            outputs: [.init(output: output, device: device, problems: deviceProblems)])
        handle(.preflight(id: id, result))
    }

    /// The playback thread starts a sound, by itself or on request.
    mutating func begin(_ token: Int) {
        guard let job = state.jobs.first(where: { $0.token == token }) else {
            return checker.broken("a sound without a job is started")
        }
        guard card.start(token, at: elapsed) else { return }
        trace.note(now) { "    \(job.announcement.id) begins" }
        checker.checkStart(job, state: state, disk: disk, now: now, elapsed: elapsed)
    }

    private mutating func wakeUp() {
        asleepUntil = nil
        card.slept(until: elapsed)
        checker.slept(from: asleepSince, to: elapsed)
        trace.note(now) { "wakes up" }
        let step: [Event] = abs(stepAsleep) > 0.001 ? [.clockStepped(bySeconds: stepAsleep)] : []
        let missed = step + whenAwake
        whenAwake = []
        stepAsleep = 0
        // The kernel decides at random whether a timer or the news of having slept comes first.
        let news: [Event] = random.chance(0.5) ? [.timerDue, .resumed] : [.resumed]
        for event in missed + news { handle(event) }
    }

    private mutating func boot() {
        trace.note(now) { "the program starts\(disk.isGappy ? ", and the disk lacks something" : "")" }
        checker.starts(at: elapsed, disk: disk)
        let isGappy = disk.isGappy
        var (saved, recorded) = disk.load(checker: &checker)
        // Before the configuration is read.
        if var begun = saved, begun.beginRun(boot: "\(boots)") {
            saved = begun
            _ = disk.save(begun, at: elapsed)
        }
        let inputs = ScenarioChoices.inputs(
            site: site, configuration: configuration, disk.settings,
            fleet: saved?.fleet.configurationInForce)
        trace.note(now) { saved.map { "    \(Trace.words(.save($0)))" } ?? "    no state" }
        state = DaemonState(
            inputs: inputs, saved: saved, recorded: recorded, boot: "\(boots)", settings: disk.settings,
            fleetGate: ScenarioChoices.fleetGate, now: now)
        if let broken = checker.fleet.starts(state, isGappy: isGappy) { checker.broken(broken) }
        state.explains = trace.on
        checker.startsSettings(state, disk: disk)
        isUp = true
        isStopping = false
        handle(.clockHealth(ClockHealth(synchronized: synchronized)))
        handle(.started)
    }

    /// Ends the program, and its sounds with it; the machine continues.
    mutating func die() {
        guard isUp else { return }
        trace.note(now) { "the program dies" }
        checker.died(
            at: elapsed, soundUntil: asleepUntil == nil ? elapsed : asleepSince, now: now, state: state)
        if stepAsleep != 0 { checker.clockTouchedUnseen(disk) }
        stepAsleep = 0
        isUp = false
        timers = []
        pending = []
        preflights = []
        effectsToLive = nil
        card.silence()
        restartAt = elapsed + awaySeconds
        guard losesPower else { return }
        losesPower = false
        boots += 1
        checker.powerFailed()
        asleepUntil = nil
        whenAwake = []
        if let clocklessNext { lostClock(clocklessNext, awaySeconds: awaySeconds) }
        clocklessNext = nil
    }

    // MARK: The running program

    mutating func ask(_ asked: ControlRequest) {
        requests += 1
        var request = asked.dated(from: state.inputs.site.zone.civilDate(of: now))
        if case .applyEnvelope(let text) = asked {
            request = .applyEnvelope(envelope(again: text == Scenario.again))
        }
        checker.settings.asks(RequestID(serial: requests), request)
        handle(.request(RequestID(serial: requests), request, from: Peer(user: 0, groups: [])))
    }

    /// A new envelope, or one that was delivered before.
    private mutating func envelope(again: Bool) -> String {
        if again, !envelopes.isEmpty { return random.pick(envelopes) }
        let kind = random.pick([FleetKind.command, .configuration])
        let text = ScenarioChoices.envelope(
            kind, seq: Int(requests), from: now, lastsSeconds: random.logUniform(60, 3600))
        envelopes = envelopes.suffix(7) + [text]
        return text
    }

    mutating func handle(_ event: Event) {
        guard isUp else { return }
        pending.append(event)
        while !pending.isEmpty, isUp, checker.violation == nil {
            let event = pending.removeFirst()
            trace.note(now) { Trace.words(event) }
            checker.before(state, event, now: now, at: elapsed)
            let effects = state.handle(event, at: now)
            perform(effects)
            guard isUp else { return }
            checker.after(event, effects, state: state, timers: timers, now: now, elapsed: elapsed)
            if isStopping, state.jobs.isEmpty {
                checker.broken("asked to end and with nothing to do, it goes on")
            }
        }
    }
}
