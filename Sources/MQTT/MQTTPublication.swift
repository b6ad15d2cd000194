/// A message to be published.
public struct MQTTPublication: Sendable, Equatable {
    public enum QoS: Int32, Sendable {
        case atMostOnce = 0
        case atLeastOnce = 1
    }

    public var topic: String
    public var payload: [UInt8]
    public var qos: QoS
    public var isRetained: Bool
    /// Seconds after which the broker drops the message; `nil`: never.
    public var expirySeconds: Int?
    /// Bytes that an answer repeats for the requesting client.
    public var correlationData: [UInt8]?
    /// The topic on which an answer is expected.
    public var responseTopic: String?

    public init(
        topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, isRetained: Bool = false,
        expirySeconds: Int? = nil, correlationData: [UInt8]? = nil, responseTopic: String? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.isRetained = isRetained
        self.expirySeconds = expirySeconds
        self.correlationData = correlationData
        self.responseTopic = responseTopic
    }

    var byteCount: Int {
        topic.utf8.count + payload.count + (correlationData?.count ?? 0) + (responseTopic?.utf8.count ?? 0)
    }
}

/// A message that was received.
public struct MQTTMessage: Sendable, Equatable {
    public var topic: String
    public var payload: [UInt8]
    public var isRetained: Bool
    public var responseTopic: String?
    public var correlationData: [UInt8]?

    public init(
        topic: String, payload: [UInt8], isRetained: Bool, responseTopic: String? = nil,
        correlationData: [UInt8]? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.responseTopic = responseTopic
        self.correlationData = correlationData
    }
}

/// The events of a session, in order. They are delivered on the session's thread, which waits for the handler.
public enum MQTTEvent: Sendable, Equatable {
    /// The broker with that index has accepted the session, and the subscriptions are sent.
    case connected(broker: Int)
    /// An established session has ended.
    case disconnected(MQTTError)
    /// A broker did not accept the session. The next attempt is made after this many seconds.
    case refused(MQTTError, broker: Int, pauseSeconds: Double)
    case received(MQTTMessage)
    /// The broker has accepted the message with that number, or refused it.
    case delivered(Int, MQTTError?)
    /// The broker refused the subscription with that index.
    case subscriptionRefused(Int, MQTTError)
    /// ``MQTTSession/stop(farewell:)`` was called; nothing comes after this.
    case stopped
}
