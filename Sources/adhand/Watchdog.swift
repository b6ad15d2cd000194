internal import Daemon
internal import Dispatch
internal import Host
internal import Playback
internal import Synchronization
internal import Systemd

/// Feeds the service manager's watchdog as long as the daemon's queue makes progress or waits for the disk, and playback is idle
/// or makes progress. `OutputWatch` decides.
final class Watchdog {
    private let timer: any DispatchSourceTimer
    private let required = Required()

    /// Starts the watchdog; `nil` when the service manager requested none.
    /// - Parameters:
    ///   - isQuiet: whether nothing sounds and nothing is due soon; called on the queue.
    ///   - restart: ends the program because of these outputs, if it still may.
    init?(
        over queue: DispatchQueue, _ players: Players, _ disk: BlockingDiskCall,
        isQuiet: @escaping @Sendable () -> Bool, restart: @escaping @Sendable ([String]) -> Void
    ) {
        let manager = ServiceManager()
        guard let asked = manager.intervalSeconds else { return nil }
        let interval = DispatchTimeInterval.microseconds(Int(min(asked, 3600) * 1e6))
        // Separate from the queue that it watches, which may be waiting for a disk while an adhan plays; a manager that does not
        // read stops only the heartbeats.
        let own = DispatchQueue(label: "adhand.watchdog", qos: .utility)
        timer = DispatchSource.makeTimerSource(queue: own)
        let answer = Answer()
        var watch = OutputWatch()
        timer.setEventHandler { [required] in
            let signs = players.signs.map { sign in
                OutputWatch.Sign(
                    output: sign.output, heartbeat: sign.heartbeat, isIdle: sign.isIdle,
                    isRequired: required.contains(sign.output))
            }
            let found = watch.update(
                with: signs,
                isQueueWell: answer.hasCome.exchange(false, ordering: .relaxed) || disk.isTolerable,
                isQuiet: answer.isQuiet.load(ordering: .relaxed))
            if found.isAlive { manager.alive() }
            if found.isRestartDue { restart(found.stuck) }
            // A single output needs no further question.
            let asks = signs.count > 1
            queue.async {
                if asks { answer.isQuiet.store(isQuiet(), ordering: .relaxed) }
                answer.hasCome.store(true, ordering: .relaxed)
            }
        }
        timer.schedule(deadline: .now(), repeating: interval, leeway: .milliseconds(100))
        timer.resume()
    }

    /// The outputs that are needed for an announcement to count as played.
    func setRequired(_ outputs: [String]) { required.set(outputs) }

    /// The queue's answer since it was last asked for one.
    private final class Answer: Sendable {
        let hasCome = Atomic(true)
        let isQuiet = Atomic(false)
    }

    private final class Required: Sendable {
        private let outputs = Mutex<Set<String>>([])

        func set(_ names: [String]) { outputs.withLock { $0 = Set(names) } }
        func contains(_ name: String) -> Bool { outputs.withLock { $0.contains(name) } }
    }
}

/// Whether the daemon's queue waits for the disk, and since when.
final class BlockingDiskCall: Sendable {
    /// Seconds for which waiting for the disk counts as alive, longer than an adhan lasts: a restart would cut off the sound, and
    /// the disk would remain slow.
    private static let patienceSeconds = 600.0

    /// The beginning in seconds of CLOCK_MONOTONIC; 0: it does not wait.
    private let since = Atomic(0.0.bitPattern)

    func `while`<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        since.store(MonotonicClock.now().bitPattern, ordering: .relaxed)
        defer { since.store(0.0.bitPattern, ordering: .relaxed) }
        return try work()
    }

    var isTolerable: Bool {
        let since = Double(bitPattern: since.load(ordering: .relaxed))
        return since > 0 && MonotonicClock.now() - since < Self.patienceSeconds
    }
}
