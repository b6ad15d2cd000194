internal import Dispatch
internal import Host

/// Returns memory when work is done. Used on the daemon's queue only. Dropped pages of the program's code return one by one; a
/// sound is prepared ten seconds ahead, so that none is missing at its instant.
final class MemoryTrimmer {
    /// Seconds after an event: more may follow at once.
    private static let patienceSeconds = 2.0

    private let timer: any DispatchSourceTimer
    private var isDue = false

    /// Memory is only returned when `isQuiet` confirms that nothing is sounding, or about to.
    init(on queue: DispatchQueue, isQuiet: @escaping () -> Bool) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [unowned self] in
            isDue = false
            if isQuiet() { Memory.trim() }
        }
        timer.schedule(deadline: .distantFuture)
        timer.resume()
    }

    /// Schedules trimming after an event.
    func soon() {
        guard !isDue else { return }
        isDue = true
        timer.schedule(deadline: .now() + Self.patienceSeconds, leeway: .seconds(1))
    }
}
