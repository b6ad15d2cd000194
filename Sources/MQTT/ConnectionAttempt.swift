internal import Glibc
internal import Host
internal import Synchronization

/// One attempt to reach a broker. Name look-ups and connecting may block for as long as the system likes, so they run on a
/// separate thread. A caller who stops waiting abandons the attempt, and the thread cleans up when it returns.
final class ConnectionAttempt: Sendable {
    private enum State {
        case underWay
        case done(Result<ConnectedHandle, MQTTError>)
        case abandoned
    }

    private let state = Mutex(State.underWay)
    /// The number of abandoned attempts that have not returned.
    private static let strays = Atomic<Int>(0)
    private static let mostStrays = 4

    /// - Returns: `nil` if too many attempts hang, or the system grants no thread.
    static func start(
        _ settings: SessionSettings, _ broker: SessionSettings.Broker, wakeSignal: WakeSignal
    ) -> ConnectionAttempt? {
        guard strays.load(ordering: .relaxed) < mostStrays else { return nil }
        let attempt = ConnectionAttempt()
        let isStarted = BackgroundThread.start {
            attempt.finish(ConnectedHandle.make(settings, broker))
            wakeSignal.set()
        }
        return isStarted ? attempt : nil
    }

    /// Returns the result, once.
    func consumeResult() -> Result<ConnectedHandle, MQTTError>? {
        state.withLock { state in
            guard case .done(let result) = state else { return nil }
            state = .abandoned
            return result
        }
    }

    func abandon() {
        let late: ConnectedHandle? = state.withLock { state in
            switch state {
            case .underWay: Self.strays.add(1, ordering: .relaxed)
            case .done(.success(let handle)):
                state = .abandoned
                return handle
            case .done(.failure), .abandoned: break
            }
            state = .abandoned
            return nil
        }
        late?.destroy()
    }

    private func finish(_ result: Result<ConnectedHandle, MQTTError>) {
        let isAwaited = state.withLock { state in
            guard case .underWay = state else { return false }
            state = .done(result)
            return true
        }
        guard !isAwaited else { return }
        Self.strays.subtract(1, ordering: .relaxed)
        if case .success(let handle) = result { handle.destroy() }
    }
}
