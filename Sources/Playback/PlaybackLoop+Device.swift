internal import CAlsa
internal import Clocks
internal import Glibc
internal import Recording

/// Work on the device: find one, keep it fed, and survive its faults.
extension PlaybackLoop {
    /// Seconds without a frame written after which a running device counts as stuck.
    private static let stallSeconds = 0.5
    /// Seconds between two rounds through the devices.
    private static let retryPauseSeconds = 1.0
    /// Consecutive recoveries without a frame played in between: a dead sound server answers EPIPE for ever and recovers each
    /// time.
    private static let recoveryLimit = 5
    /// Seconds by which the position may deviate from the clock after a fault before it is corrected: less is not worth a second
    /// cut.
    static let toleranceSeconds = 0.05
    /// Seconds ahead from which the recording is opened again at that position.
    private static let farSeconds = 20.0
    /// Seconds for which silence replaces a recording that is not read fast enough.
    private static let starvingSeconds = 5.0

    // MARK: Finding a device

    /// Uses the open device if the order accepts it; otherwise opens one.
    func adopt(_ active: ActiveOrder) {
        output.clear()
        if let device, active.order.devices.contains(device.name) {
            do throws(DeviceError) {
                try device.empty()
                return try fillDevice(device, from: active)
            } catch {
                self.device = nil
            }
        }
        device = nil
        findDevice(for: active)
    }

    /// Tries the order's devices once, in their order; gives up when the sound would be over by the clock.
    func findDevice(for active: ActiveOrder) {
        let uptime = Uptime.now()
        active.adoptClock(uptime)
        if let deadline = active.deadlineUptime, uptime >= deadline {
            return finish(
                active,
                .failed(active.reasonWithoutDevice))
        }
        if case .searching(.device(let retryUptime)) = active.phase, uptime < retryUptime { return }
        let names = active.candidates
        active.deviceErrors = []
        for (index, name) in names.enumerated() {
            let other = index + 1 < names.count ? names[index + 1] : nil
            let next = other.map { "trying \"\($0)\"" } ?? "trying again every second"
            do throws(DeviceError) {
                let found = try PcmDevice(name: name, rate: active.stream.rate)
                device = found
                return try fillDevice(found, from: active)
            } catch {
                device = nil
                active.deviceErrors.append("\(error)")
                if active.isNews(.init(error, of: name, next: other)) {
                    report(.noDevice(id: active.order.id, reason: "\(error)", next: next))
                }
            }
        }
        active.search(retryUptime: Uptime.now() + Self.retryPauseSeconds)
    }

    /// Fills the prepared device from the right position on the timeline, and starts it if it should be running.
    private func fillDevice(_ device: PcmDevice, from active: ActiveOrder) throws(DeviceError) {
        let rate = device.parameters.rateHz
        if active.startAskedUptime != nil, endIfStopped(active) { return }
        guard moveStreamToDueFrame(of: active, rate: rate) else { return }
        active.beginSegment(at: active.stream.position - output.leftOverFrames, uptime: Uptime.now())
        let room = device.parameters.bufferFrames
        let written = try output.fill(
            device, from: active.stream, &active.audible, room: room, reserve: room / 3)
        active.wrote(written)
        active.device = device.name
        active.phase = .cued
        let order = active.order
        if active.startedAtUnixSeconds == nil {
            report(
                .cued(
                    id: order.id, device: device.name, rateHz: rate, durationSeconds: active.durationSeconds))
        }
        PlaybackThread.setRealtime(true)
        if active.startAskedUptime != nil { begin(active) }
        // Once it should sound, moving frames are the only proof that it works again.
        if active.startAskedUptime == nil { reportRecovery(active) }
    }

    /// Brings the stream to the device's rate and to the frame that is due by the clock, but never back before frames that were
    /// heard.
    /// - Returns: false where another stream has to be opened for that; the order continues once it is open.
    private func moveStreamToDueFrame(of active: ActiveOrder, rate: Int) -> Bool {
        let stream = active.stream
        let heard = Int(Double(active.resumeFrame) * Double(rate) / Double(stream.rate))
        let uptime = Uptime.now()
        active.adoptClock(uptime)
        let due = max(heard, active.clockFrame(uptime, rate: rate))
        if stream.rate == rate {
            // Frames left in the buffer were produced but never written; the stream's true position is before them.
            let position = stream.position - output.leftOverFrames
            if abs(due - position) <= Int(Self.toleranceSeconds * Double(rate)) { return true }
            output.clear()
            // Decoding all of it would take too long on a small machine, but only a file of known length can be opened there
            // quickly.
            let isFar = stream.durationSeconds != nil && due - position > Int(Self.farSeconds * Double(rate))
            if !isFar, stream.move(to: due) { return true }
        }
        output.clear()
        active.phase = .searching(.stream)
        open(active.order, rate: rate, at: due, for: active)
        return false
    }

    /// Continues with the stream for which the device waited.
    func resume(_ active: ActiveOrder, with stream: SampleStream) {
        active.replaceStream(stream)
        active.endReopening()
        guard active === current, let device else { return }
        do throws(DeviceError) {
            try fillDevice(device, from: active)
        } catch {
            handleLoss(active, error)
        }
    }

    // MARK: While it runs

    /// Checks a cued device, which must stay ready: noticing its loss now leaves time to open another.
    func watch(_ active: ActiveOrder) {
        guard let device else { return }
        do throws(DeviceError) {
            let status = try device.status()
            if status.fault != 0 { handleLoss(active, device.fault(status.fault)) }
        } catch {
            handleLoss(active, error)
        }
    }

    func feed(_ active: ActiveOrder) {
        guard let device else { return }
        do throws(DeviceError) {
            let status = try device.status()
            let uptime = Uptime.now()
            if status.fault == -EPIPE, status.queuedFrames == 0 || active.shouldBeDry(uptime) {
                active.noteRanDry()
            }
            if status.fault == 0 { active.note(status, uptime: uptime) }
            if let end = active.stream.end, active.heardUntil >= end {
                return finish(active, outcome(of: active))
            }
            if status.fault != 0 { throw device.fault(status.fault) }
            guard active.standstill(uptime) < Self.stallSeconds else {
                throw .stalled(name: device.name, seconds: active.standstill(uptime))
            }
            if active.hasMoved {
                active.recoveries = 0
                reportRecovery(active)
            }
            let parameters = device.parameters
            let depth =
                isShallow ? min(parameters.shallowFrames, parameters.bufferFrames) : parameters.bufferFrames
            let starvedFrames = active.stream.starvedFrames
            active.wrote(
                try output.fill(
                    device, from: active.stream, &active.audible, room: depth - status.queuedFrames,
                    reserve: min(parameters.shallowFrames, depth) - status.queuedFrames))
            noteStarving(active, active.stream.starvedFrames > starvedFrames, uptime)
        } catch {
            recover(active, error)
        }
    }

    /// Fails a recording that delivers nothing any more, whatever the device does.
    private func noteStarving(_ active: ActiveOrder, _ isStarving: Bool, _ uptime: Double) {
        guard isStarving else {
            if active.stream.ready > 0 { active.starvedSince = nil }
            return
        }
        let since = active.starvedSince ?? uptime
        active.starvedSince = since
        let paths = active.order.sounds.map { "\"\($0.path)\"" }.joined(separator: ", ")
        if active.isNews(.starving) {
            report(
                .damaged(
                    id: active.order.id,
                    reason: "\(paths) cannot be read fast enough; silence takes its place"))
        }
        guard uptime - since >= Self.starvingSeconds, !active.isStopping else { return }
        finish(active, .failed("nothing more of \(paths) could be read for \(Int(Self.starvingSeconds)) s"))
    }

    private func outcome(of active: ActiveOrder) -> PlayerOutcome {
        if active.isStopping, active.stream.wasCut { return .stopped }
        return active.stream.endsFaded ? .limited : .completed
    }

    // MARK: Faults

    /// Repairs an underrun or a suspend at once, a bounded number of times; any other error loses the device.
    private func recover(_ active: ActiveOrder, _ error: DeviceError) {
        guard case .failed(_, _, let code, _) = error, code == -EPIPE || code == -ESTRPIPE, let device,
            active.recoveries < Self.recoveryLimit
        else { return handleLoss(active, error) }
        active.dropouts += 1
        // The rest of a fade-out is not worth starting again.
        if endIfStopped(active) { return }
        active.recoveries += 1
        report(.dropout(id: active.order.id, count: active.dropouts, device: device.name))
        refill(active, device)
    }

    /// Empties a cued device and refills it from the position that is due, which starts it if it should be running.
    func refill(_ active: ActiveOrder, _ device: PcmDevice) {
        do throws(DeviceError) {
            try device.empty()
            active.endSegment()
            try fillDevice(device, from: active)
        } catch {
            handleLoss(active, error)
        }
    }

    private func reportRecovery(_ active: ActiveOrder) {
        guard active.hasReportedLoss, let name = device?.name else { return }
        active.hasReportedLoss = false
        report(.deviceRecovered(id: active.order.id, device: name))
    }

    /// Gives up the device; the search for another begins at once, unless every device has failed and this one took nothing at
    /// all: some open again every time and fail at once.
    func handleLoss(_ active: ActiveOrder, _ error: DeviceError) {
        let name = device?.name ?? active.device ?? active.order.devices.first ?? "default"
        active.deviceErrors = ["\(error)"]
        let worked = active.hasMoved
        PlaybackThread.setRealtime(false)
        active.endSegment()
        output.clear()
        device = nil
        // A sound that is being stopped needs no other device.
        if active.isStopping { return finish(active, .stopped) }
        if active.isSounding { active.dropouts += 1 }
        active.recoveries = 0
        if !active.suspects.contains(name) { active.suspects.append(name) }
        if !active.hasReportedLoss {
            active.hasReportedLoss = true
            report(.deviceLost(id: active.order.id, device: name, reason: "\(error)"))
        }
        let untried = active.order.devices.contains { !active.suspects.contains($0) }
        active.search(retryUptime: worked || untried ? 0 : Uptime.now() + Self.retryPauseSeconds)
    }
}
