internal import Dispatch
internal import Synchronization

/// Limits work that may never return: a name lookup over the network, a file on a dead server.
package enum TimeLimit {
    private final class Result<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private enum Outcome<Value> {
        case value(Value)
        /// It continues in the background, and its result is dropped.
        case late
        /// The system grants no thread for it, so it was not started.
        case notBegun

        var value: Value? {
            if case .value(let value) = self { value } else { nil }
        }
    }

    /// The result of `work`, or `nil` when it takes longer than `seconds`; it then continues in the background, and its result is
    /// dropped.
    package static func run<Value: Sendable>(
        _ seconds: Double, _ work: @escaping @Sendable () -> Value
    ) -> Value? {
        outcome(seconds, work).value
    }

    private static func outcome<Value: Sendable>(
        _ seconds: Double, _ work: @escaping @Sendable () -> Value
    ) -> Outcome<Value> {
        let result = Result<Value>()
        let done = DispatchSemaphore(value: 0)
        let hasBegun = BackgroundThread.start {
            let value = work()
            result.value.withLock { $0 = value }
            done.signal()
        }
        guard hasBegun else { return .notBegun }
        guard done.wait(timeout: .now() + seconds) == .success else { return .late }
        return result.value.withLock { $0 }.map { .value($0) } ?? .late
    }

    private static let unanswered = Mutex<Set<String>>([])

    /// Limits work on a file, which may be on a dead server. While one attempt has not returned, no second one is made: each
    /// would cost a thread, for months.
    package static func run<Value: Sendable>(
        on path: String, seconds: Double, _ work: @escaping @Sendable () -> Value
    ) -> Value? {
        guard !unanswered.withLock({ $0.contains(path) }) else { return nil }
        let isDone = Result<Bool>()
        let outcome = outcome(seconds) {
            let value = work()
            isDone.value.withLock { $0 = true }
            unanswered.withLock { _ = $0.remove(path) }
            return value
        }
        if case .late = outcome {
            isDone.value.withLock { done in
                if done == nil { unanswered.withLock { _ = $0.insert(path) } }
            }
        }
        return outcome.value
    }
}
