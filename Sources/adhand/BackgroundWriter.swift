internal import Dispatch
internal import Synchronization

/// Writes on a separate queue, in order, so that the daemon never waits for a reader. Messages beyond the capacity are dropped.
final class BackgroundWriter: Sendable {
    /// Seconds to wait for the rest at the end of the program.
    private static let patienceSeconds = 1.0

    private let queue: DispatchQueue
    private let capacity: Int
    private let waiting = Atomic(0)

    /// `capacity`: the most messages that wait. A slow reader catches up; a stopped one loses messages.
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

    /// Waits until everything is written, for a limited time.
    func flush() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + Self.patienceSeconds)
    }
}
