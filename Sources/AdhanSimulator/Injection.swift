import AdhanCore
import PrayerEngine

/// How each kind of fault reaches the box.
extension Simulation {
    mutating func inject(_ kind: Scenario.Kind) {
        trace.note(now) { "fault: \(kind)" }
        watch.injected(kind)
        watch.disturbed(at: elapsed)
        switch kind {
        case .step(let seconds): setClock(to: now.unixSeconds + seconds)
        case .corrected:
            setClock(to: epoch + elapsed)
            hearOfSynchronization(true)
        case .synchronized(let synchronized): hearOfSynchronization(synchronized)
        case .drift(let error): wall.drift(error, at: elapsed)
        case .suspend(let seconds): asleepUntil = asleepUntil ?? elapsed + seconds
        case .diskFails(let seconds): disk.failsUntil = elapsed + seconds
        case .device(let fault): card.faults = [fault]
        case .preflight(let problem): preflightProblem = problem
        case .reload(let configuration):
            self.configuration = configuration
            deliver(.worldLoaded(Setting.world(site: site, configuration: configuration), .reload(nil)))
        case .reloadRejected:
            let error = ConfigError(
                file: "simulated", line: 1, column: 1, key: "x", reason: "unknown key \"x\"")
            deliver(.configRejected(error, for: nil))
        case .zone(let site):
            self.site = site
            deliver(.worldLoaded(Setting.world(site: site, configuration: configuration), .zone))
        case .ask(let request):
            guard isUp, asleepUntil == nil, !isStopping else { return }
            ask(request)
        case .crash, .powerLoss, .stateRuined, .terminate: end(kind)
        }
    }

    private mutating func end(_ kind: Scenario.Kind) {
        guard isUp else { return }
        switch kind {
        case .crash(let effects, let away):
            self.away = away
            if effects == 0 { die() } else { effectsToLive = effects }
        case .powerLoss(let away, let clockless):
            self.away = away
            asleepUntil = nil
            whenAwake = []
            die()
            if let clockless { lostClock(clockless, away: away) }
        case .stateRuined(let away):
            self.away = away
            die()
            disk.ruin()
            watch.stateRuined()
        case .terminate(let away):
            guard asleepUntil == nil, !isStopping else { return }
            self.away = away
            isStopping = true
            watch.stops()
            take(.stopping)
        default: break
        }
    }

    /// From now on the clock shows something long past, until the network sets it.
    mutating func lostClock(_ clockless: Scenario.Clockless, away: Double) {
        wall.set(clockless.shows - away, at: elapsed)
        synchronized = false
        watch.clockTouchedUnseen(disk)
        keep(.init(at: elapsed + away + clockless.correctedAfter, aim: nil, kind: .corrected))
    }

    private mutating func setClock(to seconds: Double) {
        let step = wall.set(seconds, at: elapsed)
        if !isUp { watch.clockTouchedUnseen(disk) }
        watch.clockStepped(to: now, by: step)
        if asleepUntil != nil {
            stepAsleep += step
        } else {
            deliver(.clockStepped(by: step))
        }
    }

    private mutating func hearOfSynchronization(_ synchronized: Bool) {
        self.synchronized = synchronized
        deliver(.clockHealth(ClockHealth(synchronized: synchronized)))
    }

    /// A program that is down learns it when it is back by looking; one that sleeps, when it wakes up.
    private mutating func deliver(_ event: Event) {
        guard isUp else { return }
        if asleepUntil != nil {
            whenAwake.append(event)
        } else {
            take(event)
        }
    }
}
