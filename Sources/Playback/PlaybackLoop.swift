internal import CAlsa
internal import Clocks
internal import Glibc
internal import Recording
internal import Synchronization

/// The playback thread's world: at most one order is current and has the device; the others wait.
///
/// One turn of the loop takes commands, makes one step with the device, and then sleeps in `poll` until a
/// command or a deadline wakes it. Nothing else here sleeps.
///
/// The device is not polled: how much is queued says when it wants more, so the clock is asked instead. Every
/// plugin has its own idea of when its descriptors are readable, most wake their player far more often than
/// there is something to do, and each wake-up costs as much as decoding ten milliseconds of sound.
@safe final class PlaybackLoop {
    let queue: CommandQueue
    let now: @Sendable () -> Double
    let report: @Sendable (PlayerEvent) -> Void
    var device: PcmDevice?
    var current: ActiveOrder?
    private var waiting: [ActiveOrder] = []
    var openings: [Opening] = []
    private var quitting = false
    /// The tone that keeps a loudspeaker awake, while nothing else has the device.
    private var tone: KeepAwakeTone?
    let output = OutputBuffer()

    /// Seconds of fade-out when another order takes over, and at shutdown.
    private static let takeoverFadeSeconds = 0.03
    private static let shutdownFadeSeconds = 0.2
    /// Seconds after the instant within which an order still starts by itself.
    private static let startToleranceSeconds = 0.5
    /// Seconds between two looks at the device while the queue is kept short.
    private static let shallowNapSeconds = 0.01
    /// Seconds before the instant that are slept through to the microsecond; `poll` knows milliseconds only.
    private static let lastSleepSeconds = 0.002

    init(
        queue: CommandQueue, now: @escaping @Sendable () -> Double,
        report: @escaping @Sendable (PlayerEvent) -> Void
    ) {
        self.queue = queue
        self.now = now
        self.report = report
    }

    func run() {
        AlsaMessages.listen()
        while true {
            for command in queue.drain() { handle(command) }
            checkOpenings()
            startWhatIsDue()
            step()
            feedTone()
            if quitting, current == nil, waiting.isEmpty { break }
            queue.beat.add(1, ordering: .relaxed)
            sleep(secondsUntilWake())
        }
        device = nil
        queue.rest()
    }

    // MARK: Commands

    private func handle(_ command: CommandQueue.Command) {
        switch command {
        case .keepAwake(let devices): keepAwake(devices)
        case .cue(let order): cue(order)
        case .start(let id, let asked, let due): start(id, askedUptime: asked, dueUptime: due)
        case .setClock(let id, let beganAt): setClock(id, beganAt: beganAt)
        case .stop(let id, let fade): stop(id, fadeSeconds: fade)
        case .opened: break
        case .quit:
            quitting = true
            tone = nil
            for opening in openings where opening.target == nil { stop(opening.order.id, fadeSeconds: 0) }
            for active in waiting { finish(active, .stopped) }
            if let current { stop(current.order.id, fadeSeconds: Self.shutdownFadeSeconds) }
        }
    }

    private func keepAwake(_ devices: [String]) {
        guard current == nil, waiting.isEmpty, openings.isEmpty, tone == nil, !quitting else { return }
        do throws(DeviceError) {
            tone = try KeepAwakeTone(devices)
        } catch {
            report(.toneFailed(reason: "\(error)"))
        }
    }

    private func feedTone() {
        guard let tone else { return }
        do throws(DeviceError) {
            if try tone.feed() { return }
        } catch {
            report(.toneFailed(reason: "\(error)"))
        }
        self.tone = nil
    }

    private func cue(_ order: PlayerOrder) {
        // Its device is free before the order looks for one.
        tone = nil
        guard !quitting else {
            let reason = "the player is being shut down"
            return report(.ended(PlayerResult(unheard: order, .failed(reason), at: now())))
        }
        guard find(order.id) == nil, !openings.contains(where: { $0.order.id == order.id }) else {
            return report(.trouble(id: order.id, reason: "\"\(order.id)\" is cued already; cued once only"))
        }
        open(order)
    }

    /// Assigns the device to the order that asked to start last, else to the one that was cued first; closes the device
    /// without orders.
    func admit(_ active: ActiveOrder) {
        if current == nil { return take(active) }
        waiting.append(active)
    }

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
        // The clock of what is heard elsewhere is more exact than whoever asks.
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
        active.startAskedUptime = asked
        // A thread that was stuck meanwhile must not call it at any other time.
        if let deadline = active.deadlineUptime, Uptime.now() >= deadline {
            return finish(active, .failed("it was not started in time: its device did not answer"))
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
    private func startWhatIsDue() {
        guard let (active, wait) = nextStart(), wait < Self.lastSleepSeconds else { return }
        if wait > 0 { usleep(UInt32(wait * 1_000_000)) }
        start(active, askedUptime: Uptime.now())
    }

    /// The order that is to start by itself next, and in how many seconds.
    private func nextStart() -> (active: ActiveOrder, wait: Double)? {
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

    /// Another player's output is heard: an order that has not begun joins where that one is.
    private func setClock(_ id: String, beganAt: Double) {
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

    private func stop(_ id: String, fadeSeconds: Double?) {
        for opening in openings where opening.target == nil && opening.order.id == id {
            report(.ended(PlayerResult(unheard: opening.order, .stopped, at: now())))
        }
        cancelOpenings { $0.target == nil && $0.order.id == id }
        guard let active = find(id) else { return }
        guard active === current, active.isSounding else {
            return finish(active, .stopped)
        }
        active.phase = .sounding(isStopping: true)
        active.stream.fadeOut(seconds: max(0, fadeSeconds ?? active.order.fadeOutSeconds))
    }

    private func find(_ id: String) -> ActiveOrder? {
        current?.order.id == id ? current : waiting.first { $0.order.id == id }
    }

    // MARK: Changing places

    /// Reports the end of an order and lets the next one on.
    func finish(_ active: ActiveOrder, _ outcome: PlayerOutcome) {
        let result = active.result(outcome, endedAt: now())
        for complaint in active.stream.complaints {
            report(.damaged(id: active.order.id, reason: complaint))
        }
        waiting.removeAll { $0 === active }
        cancelReopening(of: active)
        if active === current { current = nil }
        report(.ended(result))
        if current == nil { advanceToNext() }
    }

    /// Gives the device to the order that asked to start last, else to the order that was cued first; closes the device when
    /// there is no one.
    private func advanceToNext() {
        PlaybackThread.setRealtime(false)
        let next = waiting.max { ($0.startAskedUptime ?? 0) < ($1.startAskedUptime ?? 0) }
        guard let next, !quitting else {
            device = nil
            return
        }
        let first = next.startAskedUptime == nil ? waiting[0] : next
        waiting.removeAll { $0 === first }
        take(first)
    }

    func cancelReopening(of active: ActiveOrder) {
        active.endReopening()
        cancelOpenings { $0.target === active }
    }

    private func take(_ active: ActiveOrder) {
        current = active
        active.search()
        adopt(active)
    }

    /// Starts the device, filled from where the sound is heard elsewhere.
    private func beginByClock(_ active: ActiveOrder) {
        guard let device,
            active.isBehind(
                Uptime.now(), rate: device.parameters.rateHz, toleranceSeconds: Self.toleranceSeconds)
        else { return begin(active) }
        refill(active, device)
    }

    /// Starts the device. This is the instant everything else was prepared for.
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
        // One that joins the others has left out the silence: as if it had been started with all of it, for whoever adds it.
        let leftOut = min(active.heardUntil, active.stream.prerollFrames)
        let started = start.wall - Double(leftOut) / Double(rate)
        active.startedAtUnixSeconds = started
        report(.began(id: active.order.id, atUnixSeconds: started, device: device.name, rateHz: rate))
    }

    // MARK: Turning

    private func step() {
        guard let active = current else { return }
        switch active.phase {
        case .waiting: break
        case .searching(.device): seek(active)
        case .searching(.stream): break
        case .cued: watch(active)
        case .sounding: feed(active)
        }
    }

    /// Fewer frames are kept queued once someone is waiting to take over: the fade-out can only begin behind
    /// them.
    var isShallow: Bool { !waiting.isEmpty }

    /// Waits for a command, for `seconds` at most (nil: for ever).
    private func sleep(_ seconds: Double?) {
        let busy =
            current.map { $0.isSounding || $0.startAskedUptime != nil } ?? false
            || openings.contains(where: { $0.start?.askedUptime != nil }) || tone != nil
        if !busy { queue.rest() }
        queue.wait(milliseconds: seconds.map { Int32(max(0, min(1000, ($0 * 1000).rounded(.up)))) } ?? -1)
        queue.idle.store(false, ordering: .relaxed)
    }

    /// Seconds until something has to be done even if nothing happens; nil for never.
    private func secondsUntilWake() -> Double? {
        // Woken a little early: the rest is slept to the microsecond.
        let untilStart = nextStart().map { max(0, $0.wait - Self.lastSleepSeconds * 0.75) }
        let own = current.flatMap(secondsUntilWake(of:))
        let untilOpen = openings.map(\.deadlineUptime).min().map { max(0, $0 - Uptime.now()) }
        // The clock by which something is to start may be set meanwhile.
        let clockCheck: Double? = untilStart == nil ? nil : 1
        return [untilStart, own, untilOpen, clockCheck, tone?.napSeconds].compactMap(\.self).min()
    }

    private func secondsUntilWake(of active: ActiveOrder) -> Double? {
        switch active.phase {
        case .waiting: return nil
        case .searching(.stream): return nil
        case .searching(.device(let retryUptime)): return max(0, retryUptime - Uptime.now())
        case .cued: return 1
        case .sounding:
            guard let parameters = device?.parameters else { return 0 }
            let napSeconds = isShallow ? Self.shallowNapSeconds : parameters.napSeconds(active.queuedFrames)
            return min(
                active.secondsUntilEnd, active.starvedSince == nil ? napSeconds : Self.shallowNapSeconds)
        }
    }
}
