internal import CommandKit
internal import FleetPlan
internal import Host
internal import MQTT

/// Retained messages of one command.
enum BrokerDelivery {
    private static let patienceSeconds = 20.0

    /// Waits until the broker has all of them.
    static func send(
        _ text: [UInt8], to topics: [String], _ content: FleetFolder.Content, as client: String
    ) throws(FleetError) {
        let inbox = Inbox<MQTTEvent>()
        let session = MQTTSession(
            // Two commands at once must not take each other's connection.
            content.session("\(client)-\(Int.random(in: 0..<1_000_000))"), now: { WallClock.monotonic() },
            chance: { 0.5 },
            handler: { inbox.put($0) })
        guard session.start() else { throw FleetError(.failed, "the system grants no thread") }
        defer { session.stop() }
        let deadline = WallClock.monotonic() + patienceSeconds
        var waiting = Set(topics.indices)
        var next = 0
        var isConnected = false
        var reason = MQTTError.timedOut
        while WallClock.monotonic() < deadline {
            for event in inbox.take() {
                switch event {
                case .connected: isConnected = true
                case .delivered(let number, nil): waiting.remove(number)
                case .delivered(_, let error?): throw unreachable(error)
                case .disconnected(let error): throw unreachable(error)
                case .refused(let error, let broker, _):
                    reason = error
                    if broker == content.config.addresses.count - 1 { throw unreachable(error) }
                default: break
                }
            }
            while isConnected, next < topics.count,
                session.publish(
                    MQTTPublication(topic: topics[next], payload: text, isRetained: true), number: next)
                    == .accepted
            { next += 1 }
            if waiting.isEmpty { return }
            inbox.doorbell.wait(min(0.2, deadline - WallClock.monotonic()))
        }
        throw unreachable(reason)
    }

    private static func unreachable(_ error: MQTTError) -> FleetError {
        FleetError(.unreachable, "the broker did not take it: \(error.sentence)")
    }
}
