internal import BridgePlan
internal import MQTT

/// Results of other threads, for the one that decides.
enum Arrival: Sendable {
    /// An event of the session with that number; those of an earlier one no longer count.
    case mqtt(session: Int, MQTTEvent)
    /// An event of the session with the fleet's broker.
    case fleet(session: Int, MQTTEvent)
    /// adhand has answered to an envelope.
    case handed(EnvelopeDesk.Item, EnvelopeDesk.Answer)
    /// One attempt to hand a message over has ended.
    case attempted(DeliveryQueue.Item, DeliveryQueue.Outcome, detail: String)
    case beatEnded(name: String, detail: String?)
    /// A command was carried out or refused.
    case performed(Command, CommandAnswer)
    case signal(Int32)
}

/// A command from the network that waits for adhand.
struct Command: Sendable {
    let request: BridgeRequest
    let responseTopic: String?
    let correlationData: [UInt8]?
}
