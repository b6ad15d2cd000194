import AdhanCore
import PrayerEngine

/// Runs one scenario: a box with a clock, a disk, a sound card and clients, all of which misbehave as the scenario says,
/// and `DaemonState` in the middle, which may not.
struct Simulation {
    /// True seconds since the beginning: what a perfect monotonic clock would say.
    var elapsed = 0.0
    var wall: WallClockModel
    var disk = Disk()
    var card = SoundCard()
    var watch: Watch
    var dice: Dice
    var site: Int
    var configuration: Int
    /// `nil` while the program is down.
    var state: DaemonState?
    var timers: [ArmedTimer] = []
    /// True seconds until which the machine sleeps.
    var asleepUntil: Double?
    /// True seconds at which the program is started again.
    var restartAt: Double?
    /// How many more effects the program lives for.
    var effectsToLive: Int?
    var away = 0.0
    var synchronized = true
    var trace: Trace
    private var requests: UInt64 = 0
    private var pending: [Event] = []
    /// What a sleeping machine will learn.
    var whenAwake: [Event] = []

    /// 2026-01-01T00:00:00Z: later than any release, so that an unsynchronised clock that was not set back is believed.
    static let epoch = 1_767_225_600.0 + 86_400

    init(_ scenario: Scenario, tracing: Bool) {
        wall = WallClockModel(epoch: Self.epoch + Double(scenario.seed % 365) * 86_400)
        dice = Dice(seed: ~scenario.seed)
        site = scenario.site
        configuration = scenario.configuration
        trace = Trace(on: tracing)
        watch = Watch()
    }

    /// - Returns: what was broken, or `nil`.
    mutating func run(_ scenario: Scenario) -> Violation? {
        let end = Double(scenario.days) * 86_400
        var faults = scenario.faults[...]
        boot()
        while elapsed < end, watch.violation == nil {
            let faultAt = faults.first?.at ?? .infinity
            let internalAt = nextInternal()
            if faultAt <= internalAt {
                guard let fault = faults.popFirst() else { break }
                advance(to: fault.at)
                inject(fault.kind)
            } else {
                guard internalAt < end else { break }
                advance(to: internalAt)
                stepInside()
            }
        }
        return watch.violation
    }

    var now: Instant { wall.now(elapsed) }

    private mutating func advance(to time: Double) {
        elapsed = max(elapsed, time)
    }

    // MARK: What happens by itself

    private func nextInternal() -> Double {
        if let asleepUntil { return asleepUntil }
        if let restartAt { return restartAt }
        let timer = timers.first.map { wall.elapsed(at: $0.at, from: elapsed) } ?? .infinity
        return min(max(timer, elapsed), card.nextEvent)
    }

    private mutating func stepInside() {
        if let until = asleepUntil, elapsed >= until {
            asleepUntil = nil
            card.slept(until: elapsed)
            trace.note(now) { "wakes up" }
            let missed = whenAwake
            whenAwake = []
            for event in missed + [.resumed] where state != nil { take(event) }
        } else if let at = restartAt, elapsed >= at {
            restartAt = nil
            boot()
        } else if let (token, report) = card.due(at: elapsed, now: now) {
            take(.playback(token: token, report))
        } else {
            take(.timerDue)
        }
    }

    private mutating func boot() {
        let world = Setting.world(site: site, configuration: configuration)
        trace.note(now) { "the program starts" }
        watch.disturbed(at: elapsed)
        state = DaemonState(
            world: world, saved: disk.load(watch: &watch), recorded: disk.history, now: now)
        take(.clockHealth(ClockHealth(synchronized: synchronized)))
        take(.started)
    }

    /// The program is gone, and its sounds with it; the machine goes on.
    mutating func die(away: Double) {
        guard state != nil else { return }
        trace.note(now) { "the program dies" }
        watch.died(at: elapsed, jobs: state?.jobs ?? [])
        state = nil
        timers = []
        pending = []
        effectsToLive = nil
        card.silence()
        restartAt = elapsed + away
    }

    // MARK: The program at work

    mutating func ask(_ request: ControlRequest) {
        requests += 1
        take(.request(RequestID(serial: requests), request, from: Peer(user: 0, groups: [])))
    }

    mutating func take(_ event: Event) {
        pending.append(event)
        while !pending.isEmpty, state != nil, watch.violation == nil {
            let event = pending.removeFirst()
            trace.note(now) { Trace.words(event) }
            let now = now
            let effects = state?.handle(event, at: now) ?? []
            perform(effects)
            guard let state else { return }
            watch.after(state, event: event, timers: timers, now: now, effects: effects)
        }
    }

    private mutating func perform(_ effects: [Effect]) {
        for effect in effects {
            if let left = effectsToLive {
                guard left > 0 else { return die(away: away) }
                effectsToLive = left - 1
            }
            trace.note(now) { "    \(Trace.words(effect))" }
            perform(effect)
        }
    }

    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .arm(let timers): self.timers = timers.sorted { $0.at < $1.at }
        case .cue(let request): card.cue(request, at: elapsed)
        case .start(let token):
            let sounds = card.start(token, at: elapsed)
            if let state, let job = state.jobs.first(where: { $0.token == token }), sounds {
                watch.heard(job, state: state, now: now, elapsed: elapsed)
            }
        case .stop(let token, let fade): card.stop(token, fade: fade, at: elapsed)
        case .save(let saved):
            if disk.save(saved, at: elapsed) {
                if disk.hadFailed { pending.append(.saved) }
                disk.hadFailed = false
            } else if !disk.hadFailed {
                disk.hadFailed = true
                pending.append(.saveFailed(reason: "No space left on device"))
            }
        case .record(let entry):
            guard disk.append(entry, at: elapsed) else { return }
            watch.recorded(entry, elapsed: elapsed, now: now)
        case .rehearse, .reload, .reply, .replyWithHistory, .beginMonitor, .publish, .tell, .exit: break
        }
    }
}
