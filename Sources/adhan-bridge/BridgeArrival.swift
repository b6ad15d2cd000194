internal import BridgePlan
internal import MQTT

/// Results of other threads for the deciding thread.
enum BridgeArrival: Sendable {
    /// An event of the session with this number. Events of earlier sessions are ignored.
    case mqtt(session: Int, MQTTEvent)
    /// An event of the session with the fleet's broker.
    case fleet(session: Int, MQTTEvent)
    /// The answer of adhand to an envelope.
    case handed(EnvelopeDesk.Item, EnvelopeDesk.Answer)
    /// The end of one attempt to deliver a message.
    case attempted(DeliveryQueue.Item, DeliveryQueue.Outcome, detail: String)
    case beatEnded(name: String, detail: String?)
    /// The result of a command.
    case performed(Command, CommandAnswer)
    case signal(Int32)
}

/// A command from the network that waits for adhand.
struct Command: Sendable {
    let request: BridgeRequest
    let responseTopic: String?
    let correlationData: [UInt8]?
}
