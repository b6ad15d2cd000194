internal import Daemon
internal import Dispatch
internal import Host
internal import Playback
internal import Synchronization
internal import Systemd

/// Feeds the service manager's watchdog for as long as the daemon's queue gets on, or waits for the disk, and playback either rests
/// or gets on. What is decided is in `OutputWatch`.
final class Watchdog {
    private let timer: any DispatchSourceTimer
    private let required = Required()

    /// `nil` when no watchdog was asked for.
    /// - Parameters:
    ///   - isQuiet: whether nothing sounds and nothing is due soon; asked on the queue.
    ///   - restart: is to end the program because of these outputs, if it still may.
    init?(
        over queue: DispatchQueue, _ players: Players, _ disk: BlockingDiskCall,
        isQuiet: @escaping @Sendable () -> Bool, restart: @escaping @Sendable ([String]) -> Void
    ) {
        let manager = ServiceManager()
        guard let asked = manager.intervalSeconds else { return nil }
        let interval = DispatchTimeInterval.microseconds(Int(min(asked, 3600) * 1e6))
        // Not on the queue that it watches, which may be waiting for a disk while an adhan plays; a manager that does not read
        // stops the signs of life, and nothing else.
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
            let found = watch.look(
                at: signs,
                isQueueWell: answer.hasCome.exchange(false, ordering: .relaxed) || disk.isTolerable,
                isQuiet: answer.isQuiet.load(ordering: .relaxed))
            if found.isAlive { manager.alive() }
            if found.isRestartDue { restart(found.stuck) }
            // Of one output alone nothing else is wanted.
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

    /// The queue's sign of life since it was last asked for one.
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
    /// Seconds for which waiting for the disk counts as alive, longer than an adhan lasts: a restart would cut off the
    /// sound, and the disk would stay as slow.
    private static let patienceSeconds = 600.0

    /// CLOCK_MONOTONIC in seconds; 0: it does not wait.
    private let since = Atomic(0.0.bitPattern)

    func `while`<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
        since.store(WallClock.monotonic().bitPattern, ordering: .relaxed)
        defer { since.store(0.0.bitPattern, ordering: .relaxed) }
        return try work()
    }

    var isTolerable: Bool {
        let since = Double(bitPattern: since.load(ordering: .relaxed))
        return since > 0 && WallClock.monotonic() - since < Self.patienceSeconds
    }
}
