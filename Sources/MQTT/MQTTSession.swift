internal import Host
internal import Synchronization

/// A session of MQTT 5 that reconnects whenever it is lost, on a separate thread.
///
/// Nothing is queued while the broker is unreachable: the publisher is notified, and publishes the present state at the next
/// ``MQTTEvent/connected(broker:)``.
public final class MQTTSession: Sendable {
    /// The answer to a publication.
    public enum Acceptance: Sendable, Equatable {
        case accepted
        case notConnected
        /// The broker accepts messages more slowly than they are published.
        case full
    }

    struct Outgoing: Sendable {
        let publication: MQTTPublication
        let number: Int?
    }

    struct Shared {
        var isConnected = false
        var queue: [Outgoing] = []
        var bytes = 0
        var isStopping = false
        /// The end of the suspicion on the session's clock.
        var clonedUntil: Double?
    }

    public static let mostQueued = 256
    public static let mostQueuedBytes = 1 << 20

    let settings: SessionSettings
    let now: @Sendable () -> Double
    let chance: @Sendable () -> Double
    let handler: @Sendable (MQTTEvent) -> Void
    let wakeSignal = WakeSignal()
    let shared = Mutex(Shared())

    /// - Parameters:
    ///   - now: seconds of a clock that never steps.
    ///   - chance: returns a random number from 0 up to 1 at every call.
    ///   - handler: receives the events, on the session's thread.
    public init(
        _ settings: SessionSettings, now: @escaping @Sendable () -> Double,
        chance: @escaping @Sendable () -> Double, handler: @escaping @Sendable (MQTTEvent) -> Void
    ) {
        self.settings = settings
        self.now = now
        self.chance = chance
        self.handler = handler
    }

    /// - Returns: false if the system grants no thread.
    public func start() -> Bool {
        if settings.wasCloned {
            let end = now() + ReconnectPolicy.cloneCalmSeconds
            shared.withLock { $0.clonedUntil = end }
        }
        return BackgroundThread.start { [self] in
            var loop = SessionLoop(self)
            loop.run()
        }
    }

    public var isConnected: Bool { shared.withLock { $0.isConnected } }

    /// Whether another client has this one's identity: three takeovers within ten minutes, and the last less than an hour ago.
    public var isCloned: Bool {
        let now = now()
        return shared.withLock { $0.clonedUntil.map { now < $0 } ?? false }
    }

    /// Publishes on the session's thread, in order.
    /// - Parameter number: returned with ``MQTTEvent/delivered(_:_:)``.
    @discardableResult
    public func publish(_ publication: MQTTPublication, number: Int? = nil) -> Acceptance {
        let answer: Acceptance = shared.withLock { shared in
            guard shared.isConnected, !shared.isStopping else { return .notConnected }
            let bytes = shared.bytes + publication.byteCount
            guard shared.queue.count < Self.mostQueued, bytes <= Self.mostQueuedBytes else { return .full }
            shared.queue.append(Outgoing(publication: publication, number: number))
            shared.bytes = bytes
            return .accepted
        }
        if answer == .accepted { wakeSignal.set() }
        return answer
    }

    /// Ends the session: publishes the queue, then `farewell`, and disconnects. It takes
    /// ``SessionLoop/farewellSeconds`` at most; ``MQTTEvent/stopped`` comes last.
    public func stop(farewell: MQTTPublication? = nil) {
        shared.withLock { shared in
            if shared.isConnected, !shared.isStopping, let farewell {
                shared.queue.append(Outgoing(publication: farewell, number: nil))
            }
            shared.isStopping = true
        }
        wakeSignal.set()
    }
}
