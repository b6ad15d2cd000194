internal import CAlsa
internal import Glibc

/// What the stage does with the device: find one, keep it fed, and live through its faults.
extension Stage {
    /// Seconds without a frame taken after which a running device counts as stuck.
    private static let stall = 0.5
    /// Seconds between two rounds through the devices.
    private static let retryPause = 1.0
    /// Recoveries in a row without a frame played in between: a dead sound server answers EPIPE for ever and
    /// recovers each time.
    private static let recoveryLimit = 5
    /// Seconds the position may be off the clock after a fault before it is corrected: less is not worth a
    /// second cut.
    private static let tolerance = 0.05

    // MARK: Finding a device

    /// Uses the device that is open, if the order admits it; opens one otherwise.
    func adopt(_ performance: Performance) {
        desk.clear()
        if device != nil, performance.order.devices.contains(device!.name) {
            do throws(PlaybackError) {
                try device!.empty()
                return try load(performance)
            } catch {
                device = nil
            }
        }
        device = nil
        seek(performance)
    }

    /// Tries the order's devices once, in their order; gives up when the sound would be over by the clock.
    func seek(_ performance: Performance) {
        let tick = Tick.now()
        if let deadline = performance.deadline, tick >= deadline {
            return finish(
                performance,
                .failed("no sound device was to be had: \(performance.refusals.joined(separator: "; "))"))
        }
        guard tick >= performance.retryAt else { return }
        let names = performance.candidates
        performance.refusals = []
        for (index, name) in names.enumerated() {
            let next =
                index + 1 < names.count ? "trying \"\(names[index + 1])\"" : "trying again every second"
            do throws(PlaybackError) {
                device = try PcmDevice(name: name, rate: performance.score.rate)
                return try load(performance)
            } catch {
                device = nil
                performance.refusals.append("\(error)")
                let sentence = "\(error); \(next)"
                if performance.isNews(sentence) {
                    report(.trouble(id: performance.order.id, reason: sentence))
                }
            }
        }
        performance.retryAt = Tick.now() + Self.retryPause
    }

    /// Fills the prepared device from the right place on the timeline, and starts it if it ought to be
    /// running.
    private func load(_ performance: Performance) throws(PlaybackError) {
        let rate = device!.setup.rate
        place(performance, rate: rate)
        performance.beginStretch(at: performance.score.position - desk.leftOver, tick: Tick.now())
        let taken = try desk.fill(device!, from: performance.score, room: device!.setup.buffer)
        performance.wrote(taken)
        performance.device = device!.name
        performance.phase = .cued
        let order = performance.order
        if performance.startedAt == nil {
            report(.cued(id: order.id, device: device!.name, rate: rate, duration: performance.duration))
        }
        PlaybackThread.setRealtime(true)
        if performance.startAsked != nil { begin(performance) }
        // Once it is to sound, frames that move are the only proof that it works again.
        if performance.startAsked == nil { tellRecovery(performance) }
    }

    /// Brings the score to the device's rate and to the frame that is due by the clock, but never back before
    /// what was heard.
    private func place(_ performance: Performance, rate: Int) {
        let score = performance.score
        let heard = Int(Double(performance.resumeFrame) * Double(rate) / Double(score.rate))
        let due = max(heard, performance.clockFrame(Tick.now(), rate: rate))
        // Frames left over in the desk were made but never written; the score's true position is before them.
        let position = score.position - desk.leftOver
        if score.rate == rate, abs(due - position) <= Int(Self.tolerance * Double(rate)) { return }
        desk.clear()
        do throws(PlaybackError) {
            try performance.reopenScore(rate: rate, at: due)
        } catch {
            // The file was readable when it was cued. Silence up to the end is all that is left; say so.
            report(.trouble(id: performance.order.id, reason: "\(error); the rest of it stays silent"))
        }
    }

    // MARK: While it runs

    /// A cued device must stay ready: noticing that it is gone now leaves time to open another.
    func watch(_ performance: Performance) {
        guard device != nil else { return }
        do throws(PlaybackError) {
            let status = try device!.status()
            if status.fault != 0 { lose(performance, device!.fault(status.fault)) }
        } catch {
            lose(performance, error)
        }
    }

    func feed(_ performance: Performance) {
        guard device != nil else { return }
        do throws(PlaybackError) {
            let status = try device!.status()
            let tick = Tick.now()
            if status.fault == -EPIPE, status.queued == 0 || performance.shouldBeDry(tick) {
                performance.noteRanDry()
            }
            if status.fault == 0 { performance.note(status, tick: tick) }
            if let end = performance.score.end, performance.heardUntil >= end {
                return finish(performance, outcome(of: performance))
            }
            if status.fault != 0 { throw device!.fault(status.fault) }
            guard performance.standstill(tick) < Self.stall else {
                throw .stalled(name: device!.name, seconds: performance.standstill(tick))
            }
            if performance.hasMoved {
                performance.recoveries = 0
                tellRecovery(performance)
            }
            let setup = device!.setup
            let depth = isShallow ? min(setup.shallow, setup.buffer) : setup.buffer
            performance.wrote(try desk.fill(device!, from: performance.score, room: depth - status.queued))
        } catch {
            recover(performance, error)
        }
    }

    private func outcome(of performance: Performance) -> PlayOutcome {
        if performance.stopping, performance.score.wasCut { return .stopped }
        return performance.score.endsFaded ? .limited : .completed
    }

    // MARK: Faults

    /// An underrun or a suspend is mended on the spot, a bounded number of times; anything else loses the
    /// device.
    private func recover(_ performance: Performance, _ error: PlaybackError) {
        guard case .device(_, _, let code, _) = error, code == -EPIPE || code == -ESTRPIPE,
            performance.recoveries < Self.recoveryLimit
        else { return lose(performance, error) }
        performance.dropouts += 1
        // The rest of a fade-out is not worth a second beginning.
        if performance.stopping { return finish(performance, .stopped) }
        performance.recoveries += 1
        report(.dropout(id: performance.order.id, count: performance.dropouts, device: device!.name))
        do throws(PlaybackError) {
            try device!.empty()
            performance.endStretch()
            try load(performance)
        } catch {
            lose(performance, error)
        }
    }

    private func tellRecovery(_ performance: Performance) {
        guard performance.lost, let name = device?.name else { return }
        performance.lost = false
        report(.deviceRecovered(id: performance.order.id, device: name))
    }

    /// The device is given up; the search for one begins at once, unless every device has failed and this one
    /// took nothing at all: some come back at every opening and fail at once.
    func lose(_ performance: Performance, _ error: PlaybackError) {
        let name = device?.name ?? performance.device ?? ""
        let worked = performance.hasMoved
        PlaybackThread.setRealtime(false)
        performance.endStretch()
        desk.clear()
        device = nil
        // Nor is another device worth finding for it.
        if performance.stopping { return finish(performance, .stopped) }
        if performance.phase == .sounding { performance.dropouts += 1 }
        performance.phase = .adrift
        performance.recoveries = 0
        if !performance.suspects.contains(name) { performance.suspects.append(name) }
        if !performance.lost {
            performance.lost = true
            report(.deviceLost(id: performance.order.id, device: name, reason: "\(error)"))
        }
        let untried = performance.order.devices.contains { !performance.suspects.contains($0) }
        performance.retryAt = worked || untried ? 0 : Tick.now() + Self.retryPause
    }
}
