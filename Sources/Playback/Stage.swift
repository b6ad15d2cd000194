internal import CAlsa
internal import Glibc
internal import Synchronization

/// The playback thread's world: at most one order has the stage, and with it the device; the others wait.
///
/// One turn of the loop takes commands, makes one step with the device, and then sleeps in `poll` until a
/// command or a deadline wakes it. Nothing else here sleeps.
///
/// The device is not polled: how much is queued says when it wants more, so the clock is asked instead. Every
/// plugin has its own idea of when its descriptors are readable, most wake their player far more often than
/// there is something to do, and each wake-up costs as much as decoding ten milliseconds of sound.
@safe final class Stage {
    private let mailbox: Mailbox
    private let now: @Sendable () -> Double
    let report: @Sendable (PlayReport) -> Void
    var device: PcmDevice?
    var current: Performance?
    private var waiting: [Performance] = []
    private var quitting = false
    let desk = MixingDesk()

    /// Seconds of fade-out when another order takes the stage, and at shutdown.
    private static let takeoverFade = 0.03
    private static let shutdownFade = 0.2
    /// Seconds after the instant within which an order still starts by itself.
    private static let startTolerance = 0.5
    /// Seconds between two looks at the device while the queue is kept short.
    private static let shallowNap = 0.01
    /// Seconds before the instant that are slept through to the microsecond; `poll` knows milliseconds only.
    private static let lastSleep = 0.002

    init(
        mailbox: Mailbox, now: @escaping @Sendable () -> Double,
        report: @escaping @Sendable (PlayReport) -> Void
    ) {
        self.mailbox = mailbox
        self.now = now
        self.report = report
    }

    func run() {
        AlsaMessages.listen()
        while true {
            for command in mailbox.take() { handle(command) }
            startWhatIsDue()
            step()
            if quitting, current == nil, waiting.isEmpty { break }
            mailbox.beat.add(1, ordering: .relaxed)
            sleep(patience())
        }
        device = nil
        mailbox.rest()
    }

    // MARK: Commands

    private func handle(_ command: Mailbox.Command) {
        switch command {
        case .cue(let order): cue(order)
        case .start(let id): start(id)
        case .stop(let id, let fade): stop(id, fade: fade)
        case .quit:
            quitting = true
            for performance in waiting { finish(performance, .stopped) }
            if let current { stop(current.order.id, fade: Self.shutdownFade) }
        }
    }

    private func cue(_ order: PlayOrder) {
        guard !quitting else {
            let reason = "the player is being shut down"
            return report(.ended(PlayProof(unheard: order, reason: reason, at: now())))
        }
        guard find(order.id) == nil else {
            return report(.trouble(id: order.id, reason: "\"\(order.id)\" is cued already; cued once only"))
        }
        do throws(PlaybackError) {
            // Measuring reads a whole file; while something sounds, the headers' own estimate has to do.
            let performance = try Performance(order, measured: current?.phase != .sounding)
            for refusal in performance.score.refusals { tell(refusal, of: order) }
            guard current != nil else {
                take(performance)
                return
            }
            waiting.append(performance)
        } catch {
            report(.ended(PlayProof(unheard: order, reason: "\(error)", at: now())))
        }
    }

    private func tell(_ refusal: Score.Refusal, of order: PlayOrder) {
        if refusal.substituted {
            report(.substituted(id: order.id, path: refusal.path, reason: refusal.reason))
        } else {
            report(.trouble(id: order.id, reason: "\(refusal.reason); left out"))
        }
    }

    private func start(_ id: String) {
        guard let performance = find(id) else {
            return report(.trouble(id: id, reason: "cannot start \"\(id)\": it is not cued"))
        }
        guard performance.startAsked == nil else { return }
        performance.startAsked = Tick.now()
        guard let current, current !== performance else {
            performance.retryAt = 0
            if performance.phase == .cued { begin(performance) }
            return
        }
        switch current.phase {
        case .sounding:
            current.stopping = true
            current.score.fadeOut(seconds: Self.takeoverFade)
        case .adrift where current.startAsked != nil: finish(current, .stopped)
        case .adrift, .cued, .waiting:
            current.phase = .waiting
            current.endStretch()
            waiting.append(current)
            self.current = nil
            nextOnStage()
        }
    }

    /// Starts what was cued for an instant that has come.
    private func startWhatIsDue() {
        guard let (performance, wait) = nextStart(), wait < Self.lastSleep else { return }
        if wait > 0 { usleep(UInt32(wait * 1_000_000)) }
        start(performance.order.id)
    }

    /// What is to start by itself next, and in how many seconds. A clock that leapt over the instant is no
    /// reason to start: whether it is still time is not decided here.
    private func nextStart() -> (performance: Performance, wait: Double)? {
        var next: (performance: Performance, wait: Double)?
        func consider(_ performance: Performance) {
            guard performance.startAsked == nil, !performance.stopping, let at = performance.order.startAt
            else { return }
            let wait = at - now()
            if wait > -Self.startTolerance, wait < next?.wait ?? .infinity { next = (performance, wait) }
        }
        if let current { consider(current) }
        for performance in waiting { consider(performance) }
        return next
    }

    private func stop(_ id: String, fade: Double) {
        guard let performance = find(id) else { return }
        guard performance === current, performance.phase == .sounding else {
            return finish(performance, .stopped)
        }
        performance.stopping = true
        performance.score.fadeOut(seconds: max(0, fade))
    }

    private func find(_ id: String) -> Performance? {
        current?.order.id == id ? current : waiting.first { $0.order.id == id }
    }

    // MARK: Changing places

    /// Reports the end of an order and lets the next one on.
    func finish(_ performance: Performance, _ outcome: PlayOutcome) {
        let proof = performance.proof(outcome, endedAt: now())
        for complaint in performance.score.complaints {
            report(.trouble(id: performance.order.id, reason: complaint))
        }
        waiting.removeAll { $0 === performance }
        if performance === current { current = nil }
        report(.ended(proof))
        if current == nil { nextOnStage() }
    }

    /// Gives the stage to whoever asked to start last, else to whoever was cued first; closes the device when
    /// there is no one.
    private func nextOnStage() {
        PlaybackThread.setRealtime(false)
        let next = waiting.max { ($0.startAsked ?? 0) < ($1.startAsked ?? 0) }
        guard let next, !quitting else {
            device = nil
            return
        }
        let first = next.startAsked == nil ? waiting[0] : next
        waiting.removeAll { $0 === first }
        take(first)
    }

    private func take(_ performance: Performance) {
        current = performance
        performance.phase = .adrift
        adopt(performance)
    }

    /// Starts the device. This is the instant everything else was prepared for.
    func begin(_ performance: Performance) {
        guard device != nil else { return }
        let start: PcmDevice.Start
        do throws(PlaybackError) {
            start = try device!.start(now: now)
        } catch {
            return lose(performance, error)
        }
        performance.phase = .sounding
        performance.noteStart(start.tick)
        if performance.startedAt == nil {
            performance.startedAt = start.wall
            report(
                .began(
                    id: performance.order.id, at: start.wall, device: device!.name, rate: device!.setup.rate))
        }
    }

    // MARK: Turning

    private func step() {
        guard let performance = current else { return }
        switch performance.phase {
        case .waiting: break
        case .adrift: seek(performance)
        case .cued: watch(performance)
        case .sounding: feed(performance)
        }
    }

    /// Fewer frames are kept queued once someone is waiting to take over: the fade-out can only begin behind
    /// them.
    var isShallow: Bool { !waiting.isEmpty }

    /// Waits for a command, for `seconds` at most (nil: for ever).
    private func sleep(_ seconds: Double?) {
        let busy = current.map { $0.phase == .sounding || $0.startAsked != nil } ?? false
        if !busy { mailbox.rest() }
        mailbox.wait(milliseconds: seconds.map { Int32(max(0, min(1000, ($0 * 1000).rounded(.up)))) } ?? -1)
        mailbox.idle.store(false, ordering: .relaxed)
    }

    /// Seconds until something has to be done even if nothing happens; nil for never.
    private func patience() -> Double? {
        // Woken a little early: the rest is slept to the microsecond.
        let untilStart = nextStart().map { max(0, $0.wait - Self.lastSleep * 0.75) }
        guard let own = current.flatMap(patience(of:)) else { return untilStart.map { min(1, $0) } }
        return min(own, untilStart ?? own)
    }

    private func patience(of performance: Performance) -> Double? {
        switch performance.phase {
        case .waiting: return nil
        case .adrift: return max(0, performance.retryAt - Tick.now())
        case .cued: return 1
        case .sounding:
            guard let setup = device?.setup else { return 0 }
            return min(performance.untilEnd, isShallow ? Self.shallowNap : setup.nap(performance.queued))
        }
    }
}
