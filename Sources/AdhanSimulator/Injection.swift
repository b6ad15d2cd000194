import AdhanCore
import PrayerEngine

/// How each kind of fault reaches the box.
extension Simulation {
    mutating func inject(_ kind: Scenario.Kind) {
        trace.note(now) { "fault: \(kind)" }
        switch kind {
        case .step(let seconds):
            wall.step(seconds, at: elapsed)
            disturbed()
            deliver(.clockStepped(by: seconds))
        case .drift(let error):
            wall.drift(error, at: elapsed)
            disturbed()
        case .suspend(let seconds):
            guard asleepUntil == nil else { return }
            asleepUntil = elapsed + seconds
            disturbed()
        case .crash(let effects, let away):
            disturbed()
            guard state != nil else { return }
            if effects == 0 { return die(away: away) }
            effectsToLive = effects
            self.away = away
        case .diskFails(let seconds):
            disk.failsUntil = elapsed + seconds
        case .device(let fault):
            card.faults = [fault]
        case .reload(let configuration):
            self.configuration = configuration
            disturbed()
            deliver(.worldLoaded(Setting.world(site: site, configuration: configuration), .reload(nil)))
        case .zone(let site):
            self.site = site
            disturbed()
            deliver(.worldLoaded(Setting.world(site: site, configuration: configuration), .zone))
        case .ask(let request):
            guard state != nil, asleepUntil == nil else { return }
            disturbed()
            ask(request)
        case .synchronized(let synchronized):
            self.synchronized = synchronized
            disturbed()
            deliver(.clockHealth(ClockHealth(synchronized: synchronized)))
        }
        watch.injected(kind)
    }

    private mutating func disturbed() {
        watch.disturbed(at: elapsed)
    }

    /// A program that is down or asleep learns it when it is back: by reading the world anew, or on resuming.
    private mutating func deliver(_ event: Event) {
        guard state != nil else { return }
        if asleepUntil != nil {
            whenAwake.append(event)
        } else {
            take(event)
        }
    }
}
