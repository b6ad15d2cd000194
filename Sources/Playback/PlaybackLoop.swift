internal import Clocks
internal import Synchronization

/// The playback thread's state: at most one order is current and has the device; the others wait.
///
/// One turn of the loop reads commands, makes one step with the device, and then sleeps in `poll` until a command or a deadline
/// wakes it. Nothing else here sleeps.
///
/// The device is not polled: the queued amount determines when it needs more, so the clock is used instead. Every plugin has its
/// own idea of when its descriptors are readable, most wake their player far more often than necessary, and each wake-up costs as
/// much as decoding ten milliseconds of sound.
@safe final class PlaybackLoop {
    let queue: CommandQueue
    let now: @Sendable () -> Double
    let report: @Sendable (PlayerEvent) -> Void
    var device: PcmDevice?
    var current: ActiveOrder?
    var waiting: [ActiveOrder] = []
    var openings: [Opening] = []
    /// Commands from the queue that are yet to be followed, oldest first.
    private var commands: [CommandQueue.Command] = []
    var quitting = false
    /// The tone that keeps a loudspeaker awake, while nothing else has the device.
    var tone: KeepAwakeTone?
    let output = OutputBuffer()

    /// Seconds between two checks of the device while the queue is kept short.
    private static let shallowNapSeconds = 0.01

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
            followCommands()
            checkOpenings()
            startWhatIsDue()
            step()
            feedTone()
            // Taken while a device was opened.
            if !commands.isEmpty { continue }
            if quitting, current == nil, waiting.isEmpty { break }
            queue.beat.add(1, ordering: .relaxed)
            sleep(secondsUntilWake())
        }
        device = nil
        queue.rest()
    }

    private func followCommands() {
        commands += queue.drain()
        while !commands.isEmpty { handle(commands.removeFirst()) }
    }

    /// Follows the commands that set this order's clock before all others. To be called before it is started: opening its device
    /// may have taken a second, and by the clock it joins the outputs that already sound.
    func followClock(of id: String) {
        followFirst { if case .setClock(id, _) = $0 { true } else { false } }
    }

    /// Follows a stop of this order before all other commands. To be called before it is started: a call on a device may have
    /// taken long, and nothing is begun that was stopped meanwhile.
    /// - Returns: whether it has not ended.
    func isStillWanted(_ active: ActiveOrder) -> Bool {
        followFirst { if case .stop(active.order.id, _) = $0 { true } else { false } }
        return find(active.order.id) === active
    }

    /// Follows what was asked while a call on an order's device hung: nothing more of an order that was stopped, or gave way, may
    /// be heard when the call returns.
    /// - Returns: whether the order has ended or given way.
    func endIfStopped(_ active: ActiveOrder) -> Bool {
        followCommands()
        guard find(active.order.id) === active else { return true }
        if active === current, active.isStopping { finish(active, .stopped) }
        return active !== current
    }

    private func followFirst(_ isUrgent: (CommandQueue.Command) -> Bool) {
        commands += queue.drain()
        while let index = commands.firstIndex(where: isUrgent) { handle(commands.remove(at: index)) }
    }

    func find(_ id: String) -> ActiveOrder? {
        current?.order.id == id ? current : waiting.first { $0.order.id == id }
    }

    // MARK: Changing places

    /// Gives the device to an open order, or makes it wait for the order that has the device.
    func admit(_ active: ActiveOrder) {
        if current == nil { return activate(active) }
        waiting.append(active)
    }

    /// Reports the end of an order and starts the next.
    func finish(_ active: ActiveOrder, _ outcome: PlayerOutcome) {
        let result = active.result(outcome, endedAtUnixSeconds: now())
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
    /// there is none.
    func advanceToNext() {
        PlaybackThread.setRealtime(false)
        let next = waiting.max { ($0.startAskedUptime ?? 0) < ($1.startAskedUptime ?? 0) }
        guard let next, !quitting else {
            device = nil
            return
        }
        let first = next.startAskedUptime == nil ? waiting[0] : next
        waiting.removeAll { $0 === first }
        activate(first)
    }

    func cancelReopening(of active: ActiveOrder) {
        active.endReopening()
        cancelOpenings { $0.target === active }
    }

    private func activate(_ active: ActiveOrder) {
        current = active
        active.search()
        adopt(active)
    }

    // MARK: Turning

    private func step() {
        guard let active = current else { return }
        switch active.phase {
        case .waiting: break
        case .searching(.device): findDevice(for: active)
        case .searching(.stream): break
        case .cued: watch(active)
        case .sounding: feed(active)
        }
    }

    /// Whether fewer frames are kept queued, because an order waits to take over: the fade-out can only begin after them.
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
        // The thread wakes slightly early, and sleeps the rest to the microsecond.
        let untilStart = nextStart().map { max(0, $0.wait - Self.lastSleepSeconds * 0.75) }
        let own = current.flatMap(secondsUntilWake(of:))
        let untilOpen = openings.map(\.deadlineUptime).min().map { max(0, $0 - Uptime.now()) }
        // The clock by which an order starts may be set meanwhile.
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
