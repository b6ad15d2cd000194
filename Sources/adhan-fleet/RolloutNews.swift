internal import FleetPlan
internal import Synchronization

/// Hands the broker's messages from the session's thread to the assessing thread.
final class RolloutNews: Sendable {
    /// The envelopes that the broker holds.
    let kept = Mutex(KeptChanges())

    enum Event: Sendable {
        case connected
        case answered(Int, isTaken: Bool)
    }

    private let events = Mutex<[Event]>([])

    func note(_ event: Event) { events.withLock { $0.append(event) } }

    func drain() -> [Event] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
