internal import FleetPlan
internal import Synchronization

/// Words of the session's thread to the one that assesses.
final class RolloutNews: Sendable {
    /// The envelopes at the broker.
    let kept = Mutex(KeptChanges())

    enum Event: Sendable {
        case connected
        case answered(Int, isTaken: Bool)
    }

    private let events = Mutex<[Event]>([])

    func note(_ event: Event) { events.withLock { $0.append(event) } }

    func take() -> [Event] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
