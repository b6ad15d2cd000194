import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile

/// Performs the daemon's effects, and delivers the reports of its loudspeakers.
extension OutputWorld {
    mutating func handle(_ event: Event) {
        pending.append(event)
        while !pending.isEmpty, violation == nil {
            let event = pending.removeFirst()
            events += 1
            mutesBefore = state.saved.outputMutes
            let effects = state.handle(event, at: now)
            noteUnanswered()
            for effect in effects { perform(effect) }
            for job in state.jobs where job.phase != .cued && calledAtOffset[job.token] == nil {
                calledAtOffset[job.token] = offset
            }
            if let broken = state.brokenInvariants().first { self.broken(broken) }
            if case .preflight(let id, let result) = event { checkHealth(id, result) }
        }
    }

    /// Minutes before a sound, the preflight already finds the outputs that will not play it.
    private func preflight(_ id: AnnouncementID, _ order: JobOrder) -> PreflightResult {
        let found = order.outputs.map { share -> PreflightResult.OutputFinding in
            let isIll = !well.contains(share.name) && scenario.fault(of: id, on: share.name) == .failsAtCue
            return .init(
                output: share.name, device: isIll ? nil : share.devices[0],
                problems: isIll ? ["cannot open \"\(share.devices[0])\""] : [])
        }
        return PreflightResult(soundProblems: [], durationSeconds: 3, outputs: found)
    }

    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .arm(let armed): timers = armed.sorted { $0.at < $1.at }
        case .save(let saved): disk = saved
        case .cue(let order): cue(order)
        case .start(let token):
            for index in speakers.indices { speakers[index].ask(token, at: now.unixSeconds) }
        case .stop(let token, let limit):
            for index in speakers.indices { stop(token, at: index, within: limit) }
        case .stopPart(let token, let output):
            guard let index = speakers.firstIndex(where: { $0.name == output }) else { break }
            stop(token, at: index, within: .infinity)
        case .leaveOut(let token, let output):
            guard let index = speakers.firstIndex(where: { $0.name == output }) else { break }
            speakers[index].stop(token, within: 0, at: now.unixSeconds)
            guard let id = state.jobs.first(where: { $0.token == token })?.announcement.id else { break }
            silentAtOrder[id, default: []].insert(output)
            // The report that it had begun was still on its way.
            cutOff(on: output, id)
        case .setClock(let token, let at):
            for index in speakers.indices { speakers[index].setClock(token, at.unixSeconds) }
        case .tryDevices(let output, let devices):
            pending.append(
                .devicesTried(
                    output: output, DeviceTrial(devices: devices, device: devices.first, problems: [])))
        case .preflight(let id, let order): pending.append(.preflight(id: id, preflight(id, order)))
        case .keepAwake(let output, _): checkTone(on: output)
        case .record(let entries): for entry in entries { checkRecord(entry) }
        default: break
        }
    }

    private mutating func stop(_ token: Int, at index: Int, within limit: Double) {
        // A device that hangs is inaudible.
        if let hung = speakers[index].hung(token) { cutOff(on: speakers[index].name, hung) }
        speakers[index].stop(token, within: limit, at: now.unixSeconds)
    }

    private mutating func cue(_ order: JobOrder) {
        guard let job = state.jobs.first(where: { $0.token == order.token }) else {
            // The same event has prepared and dropped it.
            return
        }
        let id = job.announcement.id
        let isNew = changed.insert(id).inserted
        if isNew, let (after, request) = scenario.muteJustBefore(id) {
            requests.append((elapsed + after, request))
            requests.sort { $0.at < $1.at }
        } else if isNew, let (after, change) = scenario.clockChange(around: id) {
            clockChanges.append((elapsed + after, change))
            clockChanges.sort { $0.at < $1.at }
        } else if isNew, let (after, away) = scenario.death(around: id) {
            deaths.append((elapsed + after, away))
            deaths.sort { $0.at < $1.at }
        }
        volumesSetAt[id] =
            order.heardAt == nil && now - job.announcement.at >= Limits.punctualSeconds
            ? now : job.announcement.at
        let at = volumesSetAt[id] ?? now
        silentAtOrder[id] = Set(
            scenario.config.outputs.map(\.name).filter { reference.isQuiet(id, on: $0, at: at) })
        for share in order.outputs {
            let fault = well.contains(share.name) ? nil : scenario.fault(of: id, on: share.name)
            guard let index = speakers.firstIndex(where: { $0.name == share.name }) else {
                broken("\(id) is ordered on \(share.name), which is no output")
                continue
            }
            require(
                ends["\(id)/\(share.name)"] != .played,
                "\(id) is ordered on \(share.name), which has played it")
            checkShare(share, of: job)
            speakers[index].cue(
                share, of: order, id, fault: fault, whole: scenario.durationSeconds(of: id),
                at: now.unixSeconds)
            if let fault { faults[fault.rawValue, default: 0] += 1 }
            (ends["\(id)/\(share.name)"], ordered["\(id)/\(share.name)"]) = (nil, order.token)
        }
    }

    mutating func began(_ order: Loudspeaker.Order, on output: String) {
        guard let job = state.jobs.first(where: { $0.token == order.token }) else { return }
        checkStart(order, of: job, on: output)
        let from = order.heardFrom - scenario.epoch - offset
        cutOff(on: output)
        heard[output, default: []].append(
            Heard(
                id: order.id, from: Self.tenths(from), volume: order.order.volumePercent,
                until: Self.tenths(from + order.whole - order.position)))
    }

    mutating func report(_ word: Loudspeaker.Word, _ order: Loudspeaker.Order, _ output: String) {
        let (device, key) = (order.order.devices[0], "\(order.id)/\(output)")
        let event: JobEvent
        switch word {
        case .cued:
            event = .cued(device: device, durationSeconds: order.whole - order.order.positionSeconds)
        case .began:
            event = .began(at: Instant(unixSeconds: order.reportedStart ?? now.unixSeconds), device: device)
        case .lost: event = .deviceLost(device: device, reason: "it is gone")
        case .found: event = .deviceRecovered(device: device)
        case .ended(let end, let seconds):
            let frames = Int(seconds * 44_100)
            let wanted = order.whole - order.order.positionSeconds
            let outcome: Outcome =
                switch end {
                case .failed: .failed
                case .stopped: .interrupted
                case .completed: seconds < wanted * Limits.playedShare ? .interrupted : .played
                }
            if ordered[key] == order.token { ends[key] = outcome }
            if end != .completed { cutOff(on: output, order.id) }
            event = .ended(
                JobResult(
                    end: end, startedAt: order.startedAt.map { Instant(unixSeconds: $0) }, endedAt: now,
                    device: device, rateHz: 44_100, framesWritten: frames, framesPlayed: frames, dropouts: 0,
                    gainDb: 0))
        }
        handle(.playback(token: order.token, output: output, event))
    }
}
