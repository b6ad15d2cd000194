import Daemon
import PrayerEngine
import Settings

/// How each kind of fault reaches the box.
extension Simulation {
    mutating func inject(_ kind: Scenario.Kind) {
        guard isFelt(kind) else { return }
        trace.note(now) { "fault: \(kind)" }
        checker.injected(kind)
        checker.disturbed(at: elapsed)
        switch kind {
        case .step(let seconds): setClock(to: now.unixSeconds + seconds)
        case .corrected: synchronize(true, setting: true)
        case .synchronized(let synchronized):
            // A time source sets the clock first where it is far off.
            synchronize(synchronized, setting: synchronized && now.unixSeconds < Limits.firstBelieved)
        case .drift(let error): wall.drift(error, at: elapsed)
        case .suspend(let seconds):
            guard asleepUntil == nil else { return }
            asleepSince = elapsed
            asleepUntil = elapsed + seconds
        case .diskFails(let seconds): disk.failsUntil = elapsed + seconds
        case .device(let fault): card.faults = [fault]
        case .preflight(let finding): preflightFinding = finding
        case .reload(let configuration):
            self.configuration = configuration
            deliver(
                .inputsLoaded(
                    Setting.inputs(site: site, configuration: configuration, disk.settings), .reload(nil)))
        case .reloadRejected:
            let error = ConfigError(
                file: "simulated", line: 1, column: 1, key: "x", reason: "unknown key \"x\"")
            deliver(.configRejected(error, .reload(nil)))
        case .zone(let site):
            self.site = site
            checker.moved()
            deliver(
                .inputsLoaded(Setting.inputs(site: site, configuration: configuration, disk.settings), .zone))
        case .ask(let request): ask(request)
        case .hangUp: take(.hungUp(RequestID(serial: requests)))
        case .clockRight(let away): restart(byClockAhead: 0, away: away)
        case .clockAhead(let ahead, let lasts, let away):
            restart(byClockAhead: ahead, away: away)
            keep(.init(at: elapsed + away + lasts, aim: nil, kind: .clockRight(away: away)))
        case .crash, .powerLoss, .stateRuined, .stateTorn, .historyTorn, .terminate: end(kind)
        }
    }

    /// Whether there is anybody whom it can happen to.
    private func isFelt(_ kind: Scenario.Kind) -> Bool {
        switch kind {
        case .ask, .hangUp, .terminate: isUp && asleepUntil == nil && !isStopping
        case .reload, .reloadRejected, .crash, .powerLoss, .clockAhead, .stateRuined, .stateTorn,
            .historyTorn:
            isUp
        default: true
        }
    }

    private mutating func end(_ kind: Scenario.Kind) {
        switch kind {
        case .crash(let effects, let away): die(after: effects, away: away)
        case .powerLoss(let effects, let away, let clockless):
            losesPower = true
            clocklessNext = clockless
            die(after: effects, away: away)
        case .stateRuined(let away):
            die(after: 0, away: away)
            disk.ruin()
        case .stateTorn(let kept, let away):
            die(after: 0, away: away)
            if let complaint = disk.tear(keeping: kept) { checker.broken(complaint) }
        case .historyTorn(let away):
            die(after: 0, away: away)
            if let lost = disk.loseLastLine() { checker.lost(lost) }
        case .terminate(let away):
            self.away = away
            isStopping = true
            checker.stops(state)
            take(.stopping)
        default: break
        }
    }

    private mutating func die(after effects: Int, away: Double) {
        self.away = away
        if effects == 0 || asleepUntil != nil { die() } else { effectsToLive = effects }
    }

    /// The machine loses its power and starts by a clock that shows the time and so much more, which nothing vouches for.
    private mutating func restart(byClockAhead ahead: Double, away: Double) {
        if isUp {
            losesPower = true
            die(after: 0, away: away)
        }
        wall.set(epoch + elapsed + ahead, at: elapsed)
        synchronized = false
        checker.clockTouchedUnseen(disk)
    }

    /// From now on the clock shows something long past, until the network sets it.
    mutating func lostClock(_ clockless: Scenario.Clockless, away: Double) {
        wall.set(clockless.shows - away, at: elapsed)
        synchronized = false
        checker.clockTouchedUnseen(disk)
        keep(.init(at: elapsed + away + clockless.correctedAfterSeconds, aim: nil, kind: .corrected))
    }

    private mutating func setClock(to seconds: Double) {
        let step = wall.set(seconds, at: elapsed)
        if !isUp { checker.clockTouchedUnseen(disk) }
        checker.clockStepped(to: now, by: step, at: elapsed)
        if asleepUntil != nil {
            stepAsleep += step
        } else {
            deliver(.clockStepped(by: step))
        }
    }

    /// A power failure in the middle of it leaves a clock that nothing has set.
    private mutating func synchronize(_ synchronized: Bool, setting: Bool) {
        self.synchronized = synchronized
        if setting { setClock(to: epoch + elapsed) }
        deliver(.clockHealth(ClockHealth(synchronized: self.synchronized)))
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
