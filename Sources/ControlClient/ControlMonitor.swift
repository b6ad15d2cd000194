import Glibc
public import Host
public import Protocol

/// Follows adhand's events, including across a restart: a lost connection is made again.
///
/// It has one connection and no thread of its own: ``next(within:)`` waits on the calling thread. While adhand is there, nothing
/// is polled between two events; while it is away, the monitor retries after a tenth of a second, and then less often, every two
/// seconds at most.
public struct ControlMonitor: ~Copyable {
    /// The result of one wait.
    public enum Update: Sendable, Equatable {
        /// The events begin here; with a snapshot, the present state. Earlier events may have been missed.
        case connected(StatusDocument?)
        /// One event, in the order in which adhand published them.
        case event(LogEntry)
        /// Nothing has happened within the requested time, or the wake signal was set.
        case nothing
        /// adhand has gone. The monitor looks for it from now on; ``connected(_:)`` reports that it is back.
        case lost(ControlClientError)
    }

    private static let method = MethodSignature.monitor

    /// Seconds between two attempts to find adhand again: the first, and the longest.
    private static let firstPauseSeconds = 0.1
    private static let longestPauseSeconds = 2.0

    private let client: ControlClient
    private let snapshot: Bool
    private let wakeSignal: WakeSignal?
    private var connection: ControlConnection?
    private var hasBegun = false
    private var awaitsSnapshot = false
    private var pause = firstPauseSeconds
    /// When to look for adhand again (CLOCK_MONOTONIC).
    private var nextAttempt = 0.0

    /// Makes a monitor. Nothing is opened before the first ``next(withinSeconds:)``.
    /// - Parameters:
    ///   - client: the client whose socket is followed.
    ///   - snapshot: whether each connection begins with the status, so that nothing can happen unseen between the two.
    ///   - wakeSignal: ends a wait early when another thread sets it; the caller of ``next(withinSeconds:)`` clears it.
    public init(_ client: ControlClient, snapshot: Bool, wakeSignal: WakeSignal? = nil) {
        self.wakeSignal = wakeSignal
        self.client = client
        self.snapshot = snapshot
    }

    /// Waits for the next event.
    /// - Parameter limit: seconds to wait; `nil` for ever.
    /// - Returns: the event; ``Update/nothing`` when the time is over or the signal was set; ``Update/lost(_:)`` once when adhand
    ///   goes, after which the next calls look for it.
    /// - Throws: the reason why nothing can be followed at all: adhand cannot be reached at the very first, or it refuses.
    public mutating func next(withinSeconds limit: Double? = nil) throws(ControlClientError) -> Update {
        let deadline = limit.map { MonotonicClock.now() + $0 }
        while true {
            if connection == nil {
                guard wait(until: deadline) else { return .nothing }
                guard try connect() else { continue }
                if !snapshot { return .connected(nil) }
            }
            if let update = try listen(until: deadline) { return update }
        }
    }

    /// Waits until it is time to look for adhand again; returns false when the deadline is earlier.
    private borrowing func wait(until deadline: Double?) -> Bool {
        let now = MonotonicClock.now()
        let until = min(nextAttempt, deadline ?? .infinity)
        guard until > now else { return nextAttempt <= deadline ?? .infinity }
        guard let wakeSignal else {
            usleep(useconds_t((until - now) * 1e6))
            return nextAttempt <= deadline ?? .infinity
        }
        wakeSignal.wait(until - now)
        return !wakeSignal.isSet && nextAttempt <= deadline ?? .infinity
    }

    private mutating func connect() throws(ControlClientError) -> Bool {
        do throws(ControlClientError) {
            // An adhand from before snapshots does not know this parameter.
            let asked = MonitorParameters(snapshot: snapshot ? true : nil)
            connection = try client.send(Self.method, asked, more: true, patienceSeconds: 5)
        } catch {
            guard hasBegun else { throw error }
            nextAttempt = MonotonicClock.now() + pause
            pause = min(pause * 2, Self.longestPauseSeconds)
            return false
        }
        hasBegun = true
        awaitsSnapshot = snapshot
        pause = Self.firstPauseSeconds
        return true
    }

    private mutating func listen(until deadline: Double?) throws(ControlClientError) -> Update? {
        // The snapshot comes at once or not at all.
        let limit =
            awaitsSnapshot
            ? ControlClient.patienceSeconds : deadline.map { max(0, $0 - MonotonicClock.now()) }
        let arrival: ControlConnection.Arrival?
        do throws(SocketError) {
            arrival = try connection?.receive(
                within: limit, whole: ControlClient.patienceSeconds,
                wakeSignal: awaitsSnapshot ? nil : wakeSignal
            )
        } catch {
            return handleLoss(ControlClientError(error))
        }
        switch arrival {
        case .message(let message):
            let reply = try client.read(MonitorReply.self, message).document
            if awaitsSnapshot {
                awaitsSnapshot = false
                return .connected(reply.status)
            }
            return reply.event.map { .event($0) }
        case .timedOut where awaitsSnapshot:
            return handleLoss(
                .hangs(path: client.socket, method: Self.method.name, seconds: ControlClient.patienceSeconds))
        case .timedOut: return .nothing
        case .closed, nil: return handleLoss(.closed(method: Self.method.name))
        }
    }

    private mutating func handleLoss(_ failure: ControlClientError) -> Update {
        connection = nil
        nextAttempt = MonotonicClock.now() + pause
        return .lost(failure)
    }
}
