internal import Dispatch
internal import Host
internal import Playback
internal import Synchronization
internal import Systemd

/// Feeds the service manager's watchdog for as long as the daemon's queue gets on, or waits for the disk, and
/// playback either rests or gets on.
final class Watchdog {
    private let timer: any DispatchSourceTimer

    /// `nil` when no watchdog was asked for.
    init?(over queue: DispatchQueue, _ player: Player, _ disk: BlockingDiskCall) {
        let manager = ServiceManager()
        guard let asked = manager.intervalSeconds else { return nil }
        let interval = DispatchTimeInterval.microseconds(Int(min(asked, 3600) * 1e6))
        // Not on the queue that it watches, which may be waiting for a disk while an adhan plays; a manager that does not read
        // stops the signs of life, and nothing else.
        let own = DispatchQueue(label: "adhand.watchdog", qos: .utility)
        timer = DispatchSource.makeTimerSource(queue: own)
        let answer = Answer()
        var lastBeat = player.heartbeat
        timer.setEventHandler {
            let beat = player.heartbeat
            let isPlaybackWell = player.isIdle || beat != lastBeat
            let isQueueWell = answer.hasCome.exchange(false, ordering: .relaxed) || disk.isTolerable
            if isPlaybackWell, isQueueWell { manager.alive() }
            lastBeat = beat
            queue.async { answer.hasCome.store(true, ordering: .relaxed) }
        }
        timer.schedule(deadline: .now(), repeating: interval, leeway: .milliseconds(100))
        timer.resume()
    }

    /// The queue's sign of life since it was last asked for one.
    private final class Answer: Sendable {
        let hasCome = Atomic(true)
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
