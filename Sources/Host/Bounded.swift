internal import Dispatch
internal import Synchronization

/// Work that may never return: a name looked up over the network, a file on a server that is gone.
package enum Bounded {
    private final class Result<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    /// What `work` comes to, or `nil` when it takes longer than `seconds`; it then goes on beside, unheard.
    package static func run<Value: Sendable>(
        _ seconds: Double, _ work: @escaping @Sendable () -> Value
    ) -> Value? {
        let result = Result<Value>()
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let value = work()
            result.value.withLock { $0 = value }
            done.signal()
        }
        guard done.wait(timeout: .now() + seconds) == .success else { return nil }
        return result.value.withLock { $0 }
    }
}
