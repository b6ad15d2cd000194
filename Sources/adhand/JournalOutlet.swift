internal import Dispatch
internal import Synchronization

/// Writes beside the daemon's queue, in order. What nobody takes is lost rather than waited for.
final class JournalOutlet: Sendable {
    /// Entries that may wait: a busy journal is back in a moment, a stopped terminal is not.
    private static let capacity = 1000
    /// Seconds for the last entries at the end of the program.
    private static let patience = 1.0

    private let queue = DispatchQueue(label: "journal", qos: .utility)
    private let waiting = Atomic(0)

    func put(_ write: @escaping @Sendable () -> Void) {
        guard waiting.load(ordering: .relaxed) < Self.capacity else { return }
        waiting.add(1, ordering: .relaxed)
        queue.async { [self] in
            write()
            waiting.subtract(1, ordering: .relaxed)
        }
    }

    /// Waits until everything is written, but not for ever.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + Self.patience)
    }
}
