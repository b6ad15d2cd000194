import Announcements
import Daemon
import Envelope
import PrayerEngine
import Protocol
import Settings
import StateFile

/// Performs the state's effects on the rest of the box.
extension Simulation {
    mutating func perform(_ effects: [Effect]) {
        for effect in effects {
            if let left = effectsToLive, !effect.isExplanation {
                guard left > 0 else { return die() }
                effectsToLive = left - 1
            }
            guard isUp else { return }
            trace.note(now) { "    \(Trace.words(effect))" }
            perform(effect)
        }
    }

    mutating func perform(_ effect: Effect) {
        switch effect {
        case .arm(let timers): self.timers = timers.sorted { $0.at < $1.at }
        case .preflight(let id, _): preflights.append((elapsed + 0.3, id))
        case .cue(let order):
            card.cue(order, at: elapsed)
            checker.checkLoudness(order, state, now: now)
            checker.checkRotation(order, state)
            checker.checkLength(order, state)
            checker.cueAt = elapsed
        case .start(let token): begin(token)
        case .stop(let token, let limit):
            checker.require(card.holds(token), "what is neither prepared nor sounds is stopped")
            card.stop(token, within: limit, at: elapsed)
            checker.silenced(token, at: elapsed)
        // These affect only one of several outputs.
        case .leaveOut, .stopPart: break
        case .save(let saved):
            let failedBefore = disk.unsaved != nil
            if disk.save(saved, at: elapsed) {
                if failedBefore { pending.append(.saved) }
            } else {
                pending.append(.saveFailed(reason: "No space left on device"))
            }
        case .record(let entries):
            let isTaken = disk.append(entries, at: elapsed)
            for entry in entries {
                if isTaken {
                    checker.recorded(entry, state: state, elapsed: elapsed, now: now)
                } else {
                    checker.lost(entry.id)
                }
            }
        case .reply(let id, let reply):
            checker.replied(reply, state: state, disk: disk)
            checker.repliedSettings(id, reply, state: state, disk: disk)
            if let broken = checker.fleet.replied(reply, disk: disk) { checker.broken(broken) }
        case .keepAwake: checker.keptAwake(state, isFree: card.isFree, now: now, elapsed: elapsed)
        case .trySettings(let trial):
            let inputs = ScenarioChoices.inputs(
                site: site, configuration: configuration, trial.draft.layer,
                fleet: state.inputs.fleet?.configuration)
            pending.append(.settingsTried(SettingsFinding(trial, inputs)))
        case .saveSettings(let layer):
            let isTaken = disk.save(layer, at: elapsed)
            pending.append(.settingsSaved(problem: isTaken ? nil : "No space left on device"))
        case .tryFleet(let task): tryFleet(task)
        case .fleetPreflight(let preflight, _): preflightFleet(preflight)
        case .changeTimetable: pending.append(.timetableChanged(problem: nil))
        case .reportSave:
            pending.append(.envelopeSaved(problem: disk.unsaved == nil ? nil : "No space left on device"))
        case .exit: die()
        case .readInputs(let change): reread(change)
        case .tryDevices(let output, let devices):
            let device = preflightFinding == .noDevice ? nil : devices.first
            let trial = DeviceTrial(
                devices: devices, device: device, problems: device == nil ? ["cannot open"] : [])
            pending.append(.devicesTried(output: output, trial))
        case .findDevice(let test):
            pending.append(.deviceFound(test, isListed: preflightFinding != .noDevice))
        case .publish(let notice):
            checker.checkNotice(notice, state: state, elapsed: elapsed)
            if let broken = checker.fleet.checkNotice(notice, state, now: now) { checker.broken(broken) }
        case .setClock, .replyWithHistory, .replyWithSounds, .replyWithHealth, .replyWithDevices, .check,
            .readTimetable,
            .beginMonitor, .notifyService, .keep:
            break
        }
    }

    private mutating func tryFleet(_ task: FleetTask) {
        var wanted: FleetConfiguration?
        switch task {
        case .configuration(let fleet), .back(let fleet): wanted = fleet
        case .timetable: break
        }
        let inputs = ScenarioChoices.inputs(
            site: site, configuration: configuration, disk.settings, fleet: wanted)
        let isUnusable = wanted.map { FleetBehaviour($0).fate == .unusable } ?? false
        pending.append(
            .fleetTried(FleetFinding(task, inputs, refusal: isUnusable ? "there is no such sound" : nil)))
    }

    private mutating func preflightFleet(_ preflight: FleetPreflight) {
        var problems = preflightFinding == .noDevice ? ["cannot open \"default\""] : []
        if preflight == .after, let fleet = state.inputs.fleet {
            switch FleetBehaviour(fleet.configuration).fate {
            case .crashes:
                awaySeconds = 2
                return die()
            case .failsPreflight: problems.append("cannot open \"hw:9\"")
            case .unusable, .good: break
            }
        }
        let result = PreflightResult(
            soundProblems: [], durationSeconds: 10.8,
            outputs: [
                .init(output: state.inputs.config.allOutputs[0].name, device: "default", problems: problems)
            ])
        pending.append(.fleetPreflight(preflight, result))
    }

    /// Simulates a person who edits the configuration, more or less correctly, and requests a reload.
    mutating func reread(_ change: InputsChange) {
        guard random.chance(0.8) else {
            let error = ConfigError(
                file: "simulated", line: 1, column: 1, key: "x", reason: "unknown key \"x\"")
            return pending.append(.configRejected(error, change))
        }
        configuration = random.pick(Array(ScenarioChoices.configurations.indices))
        let inputs = ScenarioChoices.inputs(
            site: site, configuration: configuration, disk.settings,
            fleet: state.saved.fleet.configurationInForce)
        pending.append(.inputsLoaded(inputs, change))
    }
}

extension Effect {
    /// Explanations exist only while tracing, so the program does not die during one: tracing must not change a run.
    fileprivate var isExplanation: Bool {
        if case .publish(let notice) = self { notice.kind == .decisionMade } else { false }
    }
}
