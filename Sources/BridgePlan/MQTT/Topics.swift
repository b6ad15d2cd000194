import Texts

/// The topics of one box: `PREFIX/BOX/…`.
package struct Topics: Sendable, Equatable {
    package let base: String
    package let discoveryPrefix: String
    package let box: String

    package init(prefix: String, box: String, discoveryPrefix: String = "homeassistant") {
        base = "\(prefix)/\(box)"
        (self.box, self.discoveryPrefix) = (box, discoveryPrefix)
    }

    package init(_ config: BridgeConfig, box: String) {
        self.init(prefix: config.mqtt.prefix, box: box, discoveryPrefix: config.homeAssistant.discoveryPrefix)
    }

    package var status: String { "\(base)/status" }
    package var daemon: String { "\(base)/daemon" }
    package var state: String { "\(base)/state" }
    package var times: String { "\(base)/times" }
    package var problems: String { "\(base)/problems" }
    package var event: String { "\(base)/event" }
    package func alert(_ name: String) -> String { "\(base)/alert/\(name)" }
    package func command(_ name: String) -> String { "\(base)/cmd/\(name)" }
    package var discovery: String { "\(discoveryPrefix)/device/adhand_\(box)/config" }
    package var homeAssistantStatus: String { "\(discoveryPrefix)/status" }

    /// All topics to which the bridge subscribes.
    package func subscriptions(_ config: BridgeConfig) -> [String] {
        ["\(base)/cmd/#"] + (config.homeAssistant.isEnabled ? [homeAssistantStatus] : [])
    }

    package var clientID: String { "adhand-\(box)" }

    /// The message that the broker publishes for this box 30 s after its connection was lost.
    package var will: Publication { Publication(status, Array("offline".utf8), isRetained: true) }
    package static let willDelaySeconds = 30

    package static let online = Array("online".utf8)
    package static let offline = Array("offline".utf8)
    package static let up = Array("up".utf8)
    package static let down = Array("down".utf8)
}

/// One message to a broker.
package struct Publication: Sendable, Equatable {
    package let topic: String
    package let payload: [UInt8]
    package let isRetained: Bool
    /// Seconds after which a broker drops it; `nil` for never.
    package let expirySeconds: Int?
    /// The part in which a change counts as news: the payload without its time.
    package private(set) var essence: [UInt8]
    package static let qos = 1

    package init(_ topic: String, _ payload: [UInt8], isRetained: Bool, expirySeconds: Int? = nil) {
        (self.topic, self.payload) = (topic, payload)
        (self.isRetained, self.expirySeconds) = (isRetained, expirySeconds)
        essence = payload
    }

    package static func document(
        _ topic: String, _ document: some Encodable, isRetained: Bool, expirySeconds: Int? = nil
    ) -> Publication? {
        guard let payload = try? JSON.encode(document) else { return nil }
        return Publication(topic, payload, isRetained: isRetained, expirySeconds: expirySeconds)
    }

    /// - Parameter essence: the document without its time.
    package static func document(_ topic: String, _ document: some Encodable, essence: some Encodable)
        -> Publication?
    {
        var publication = Self.document(topic, document, isRetained: true)
        if let bytes = try? JSON.encode(essence) { publication?.essence = bytes }
        return publication
    }
}
