internal import Dispatch
internal import Host

/// Gives memory back when the work is done. Used on the daemon's queue only. What it drops of the program's code comes back
/// page by page; a sound is prepared ten seconds ahead, so that none is missing at its instant.
final class MemoryTrimmer {
    /// Seconds after something happened: more may follow at once.
    private static let patienceSeconds = 2.0

    private let timer: any DispatchSourceTimer
    private var isDue = false

    /// Only when `isQuiet` says that nothing is sounding, or about to, is anything given back.
    init(on queue: DispatchQueue, isQuiet: @escaping () -> Bool) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [unowned self] in
            isDue = false
            if isQuiet() { Memory.trim() }
        }
        timer.schedule(deadline: .distantFuture)
        timer.resume()
    }

    /// Something has happened.
    func soon() {
        guard !isDue else { return }
        isDue = true
        timer.schedule(deadline: .now() + Self.patienceSeconds, leeway: .seconds(1))
    }
}
