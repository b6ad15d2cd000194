internal import Dispatch
internal import Synchronization

/// Tells others something beside the daemon's queue, in order. What nobody takes is lost rather than waited for.
final class BackgroundWriter: Sendable {
    /// Seconds for the last words at the end of the program.
    private static let patience = 1.0

    private let queue: DispatchQueue
    private let capacity: Int
    private let waiting = Atomic(0)

    /// `capacity`: what may wait; whoever is busy is back in a moment, whoever is stopped is not.
    init(_ label: String, capacity: Int) {
        queue = DispatchQueue(label: label, qos: .utility)
        self.capacity = capacity
    }

    func put(_ write: @escaping @Sendable () -> Void) {
        guard waiting.load(ordering: .relaxed) < capacity else { return }
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
