import Announcements
import Daemon
import Envelope
import PrayerEngine
import Settings
import StateFile

/// Injects each kind of fault into the box.
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
            // A time source first corrects a clock that is far off.
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
                    ScenarioChoices.inputs(
                        site: site, configuration: configuration, disk.settings,
                        fleet: state.saved.fleet.configurationInForce), .reload(nil)))
        case .reloadRejected:
            let error = ConfigError(
                file: "simulated", line: 1, column: 1, key: "x", reason: "unknown key \"x\"")
            deliver(.configRejected(error, .reload(nil)))
        case .zone(let site):
            self.site = site
            checker.moved()
            deliver(
                .inputsLoaded(
                    ScenarioChoices.inputs(
                        site: site, configuration: configuration, disk.settings,
                        fleet: state.saved.fleet.configurationInForce), .zone))
        case .ask(let request): ask(request)
        case .hangUp: handle(.hungUp(RequestID(serial: requests)))
        case .clockRight(let awaySeconds): restart(byClockAhead: 0, awaySeconds: awaySeconds)
        case .clockAhead(let ahead, let lasts, let awaySeconds):
            restart(byClockAhead: ahead, awaySeconds: awaySeconds)
            keep(
                .init(
                    at: elapsed + awaySeconds + lasts, aim: nil, kind: .clockRight(awaySeconds: awaySeconds)))
        case .crash, .powerLoss, .stateRuined, .stateTorn, .historyTorn, .terminate: end(kind)
        }
    }

    /// Whether the fault can have an effect.
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
        case .crash(let effects, let awaySeconds): die(after: effects, awaySeconds: awaySeconds)
        case .powerLoss(let effects, let awaySeconds, let clockless):
            losesPower = true
            clocklessNext = clockless
            die(after: effects, awaySeconds: awaySeconds)
        case .stateRuined(let awaySeconds):
            die(after: 0, awaySeconds: awaySeconds)
            disk.ruin()
        case .stateTorn(let kept, let awaySeconds):
            die(after: 0, awaySeconds: awaySeconds)
            if let complaint = disk.tear(keeping: kept) { checker.broken(complaint) }
        case .historyTorn(let awaySeconds):
            die(after: 0, awaySeconds: awaySeconds)
            if let lost = disk.loseLastLine() { checker.lost(lost) }
        case .terminate(let awaySeconds):
            self.awaySeconds = awaySeconds
            isStopping = true
            checker.stops(state)
            handle(.stopping)
        default: break
        }
    }

    private mutating func die(after effects: Int, awaySeconds: Double) {
        self.awaySeconds = awaySeconds
        if effects == 0 || asleepUntil != nil { die() } else { effectsToLive = effects }
    }

    /// The machine loses its power and starts with an unsynchronised clock that is this far ahead.
    private mutating func restart(byClockAhead ahead: Double, awaySeconds: Double) {
        if isUp {
            losesPower = true
            die(after: 0, awaySeconds: awaySeconds)
        }
        wall.set(epoch + elapsed + ahead, at: elapsed)
        synchronized = false
        checker.clockTouchedUnseen(disk)
    }

    /// Makes the clock show a time long past, until the network sets it.
    mutating func lostClock(_ clockless: Scenario.Clockless, awaySeconds: Double) {
        wall.set(clockless.shows - awaySeconds, at: elapsed)
        synchronized = false
        checker.clockTouchedUnseen(disk)
        keep(.init(at: elapsed + awaySeconds + clockless.correctedAfterSeconds, aim: nil, kind: .corrected))
    }

    private mutating func setClock(to seconds: Double) {
        let step = wall.set(seconds, at: elapsed)
        if !isUp { checker.clockTouchedUnseen(disk) }
        checker.clockStepped(to: now, by: step, at: elapsed)
        if asleepUntil != nil {
            stepAsleep += step
        } else {
            deliver(.clockStepped(bySeconds: step))
        }
    }

    /// A power failure between the two steps leaves a clock that was not set.
    private mutating func synchronize(_ synchronized: Bool, setting: Bool) {
        self.synchronized = synchronized
        if setting { setClock(to: epoch + elapsed) }
        deliver(.clockHealth(ClockHealth(synchronized: self.synchronized)))
    }

    /// Delivers an event. A program that is down notices it at its next start; one that sleeps, when it wakes up.
    private mutating func deliver(_ event: Event) {
        guard isUp else { return }
        if asleepUntil != nil {
            whenAwake.append(event)
        } else {
            handle(event)
        }
    }
}
