internal import Clocks
internal import Glibc

/// Starts orders: by a command, by the clock, or in step with another player's output.
extension PlaybackLoop {
    /// Seconds over which the replaced order fades out.
    private static let takeoverFadeSeconds = 0.03
    /// Seconds after the instant within which an order still starts by itself.
    private static let startToleranceSeconds = 0.5
    /// Seconds before the instant that are waited with microsecond precision; `poll` has milliseconds only.
    static let lastSleepSeconds = 0.002

    /// Starts an order, unless it starts by itself at another instant.
    func start(_ id: String, askedUptime asked: Double, dueUptime due: Double) {
        if let index = openings.firstIndex(where: { $0.target == nil && $0.order.id == id }) {
            var start = openings[index].start ?? Opening.Start()
            (start.askedUptime, start.dueUptime) = (asked, due)
            openings[index].start = start
            return
        }
        guard let active = find(id) else {
            return report(.trouble(id: id, reason: "cannot start \"\(id)\": it is not cued"))
        }
        guard active.startAskedUptime == nil else { return }
        followClock(of: id)
        active.firstAskedUptime = active.firstAskedUptime ?? asked
        // The clock of a sound that is heard elsewhere is more exact than the request.
        if active.originUptime != nil { return }
        let uptime = Uptime.now()
        let isTimed =
            active.secondsUntilStart(
                wall: now(), uptime: uptime, toleranceSeconds: Self.startToleranceSeconds) != nil
        if due > uptime, !isTimed || active.dueUptime != nil {
            active.dueUptime = due
            return
        }
        start(active, askedUptime: asked)
    }

    private func start(_ active: ActiveOrder, askedUptime asked: Double) {
        guard isStillWanted(active) else { return }
        active.startAskedUptime = asked
        active.adoptClock(Uptime.now())
        // A thread that was stuck meanwhile must not call it at any other time.
        if let deadline = active.deadlineUptime, Uptime.now() >= deadline {
            return finish(active, .failed("it was not started in time: its device did not answer"))
        }
        // The order that was requested last sounds, whichever recording is open first.
        let others = (waiting + [current].compactMap(\.self)).filter { $0 !== active }
        if others.contains(where: { active.wasAsked(before: $0) }) { return finish(active, .stopped) }
        for other in waiting where other !== active && other.wasAsked(before: active) {
            finish(other, .stopped)
        }
        guard let current, current !== active else {
            switch active.phase {
            case .searching(.device): active.search()
            case .cued: beginByClock(active)
            case .searching(.stream), .waiting, .sounding: break
            }
            return
        }
        switch current.phase {
        case .sounding:
            current.phase = .sounding(isStopping: true)
            current.stream.fadeOut(seconds: Self.takeoverFadeSeconds)
        case .searching where current.startAskedUptime != nil: finish(current, .stopped)
        case .searching, .cued, .waiting:
            current.phase = .waiting
            cancelReopening(of: current)
            current.endSegment()
            waiting.append(current)
            self.current = nil
            advanceToNext()
        }
    }

    /// Starts an order that was cued for an instant that has come.
    func startWhatIsDue() {
        guard let (active, wait) = nextStart(), wait < Self.lastSleepSeconds else { return }
        if wait > 0 { usleep(UInt32(wait * 1_000_000)) }
        // An order that only a clock starts counts as requested when it was due, however late this is.
        let uptime = Uptime.now()
        start(active, askedUptime: min(active.dueUptime ?? uptime, uptime))
    }

    /// The next order that starts by itself, and in how many seconds.
    func nextStart() -> (active: ActiveOrder, wait: Double)? {
        var next: (active: ActiveOrder, wait: Double)?
        func consider(_ active: ActiveOrder) {
            let wait = active.secondsUntilStart(
                wall: now(), uptime: Uptime.now(), toleranceSeconds: Self.startToleranceSeconds)
            if let wait, wait < next?.wait ?? .infinity { next = (active, wait) }
        }
        if let current { consider(current) }
        for active in waiting { consider(active) }
        return next
    }

    /// Joins another player's output: an order that has not begun continues at that output's position.
    func setClock(_ id: String, beganAt: Double) {
        let (wall, uptime) = (now(), Uptime.now())
        func origin(_ order: PlayerOrder) -> Double {
            uptime - (wall - beganAt) + max(0, order.positionSeconds) - order.leadSeconds
        }
        if let index = openings.firstIndex(where: { $0.target == nil && $0.order.id == id }) {
            var start = openings[index].start ?? Opening.Start()
            start.originUptime = start.originUptime ?? origin(openings[index].order)
            openings[index].start = start
        } else if let active = find(id) {
            active.setClock(originUptime: origin(active.order), uptime: uptime)
        }
    }

    /// Starts the device, filled from the position at which the sound is heard elsewhere.
    private func beginByClock(_ active: ActiveOrder) {
        guard let device,
            active.isBehind(
                Uptime.now(), rate: device.parameters.rateHz, toleranceSeconds: Self.toleranceSeconds)
        else { return begin(active) }
        refill(active, device)
    }

    /// Starts the device. Everything else was prepared for this instant.
    func begin(_ active: ActiveOrder) {
        guard let device else { return }
        let start: PcmDevice.Start
        do throws(DeviceError) {
            start = try device.start(now: now)
        } catch {
            return handleLoss(active, error)
        }
        active.phase = .sounding(isStopping: false)
        active.noteStart(start.uptime)
        guard active.startedAtUnixSeconds == nil else { return }
        let rate = device.parameters.rateHz
        // An order that joins the others has left out the silence: it reports the start as if it had played all of it, for
        // callers that add it. A resumed order reports its own beginning, for the orders that join it.
        let isGoingOn = active.order.positionSeconds > 0
        let leftOut =
            isGoingOn ? active.heardUntil : min(active.heardUntil, active.stream.prerollFrames)
        let started = start.wall - Double(leftOut) / Double(rate)
        active.startedAtUnixSeconds = started
        report(.began(id: active.order.id, atUnixSeconds: started, device: device.name, rateHz: rate))
    }
}
