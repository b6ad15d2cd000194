/// The settings of a session: brokers, identity, secrets, the will, and the subscribed topics.
public struct SessionSettings: Sendable, Equatable {
    /// An address at which a broker may answer.
    public struct Broker: Sendable, Equatable {
        public var host: String
        public var port: Int
        /// Whether the connection is encrypted and the broker's certificate is checked.
        public var isEncrypted: Bool

        public init(host: String, port: Int, isEncrypted: Bool) {
            (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
        }
    }

    /// The paths of PEM files. The broker's address must match the name in its certificate.
    public struct Certificates: Sendable, Equatable {
        /// The file of authorities that may have issued the broker's certificate.
        public var caFile: String
        /// This client's own certificate and key, both or neither.
        public var certificateFile: String?
        public var keyFile: String?

        public init(caFile: String, certificateFile: String? = nil, keyFile: String? = nil) {
            (self.caFile, self.certificateFile, self.keyFile) = (caFile, certificateFile, keyFile)
        }
    }

    /// The brokers, tried in turn, from the first one after every loss.
    public var brokers: [Broker]
    public var clientID: String
    public var username: String?
    public var password: String?
    public var certificates: Certificates
    /// The message that the broker publishes if this client disappears.
    public var will: MQTTPublication?
    /// The seconds for which the broker delays the will, so that a short loss is not announced.
    public var willDelaySeconds: Int
    public var keepaliveSeconds: Int
    /// Seconds for which the broker keeps the session after a loss.
    public var sessionExpirySeconds: Int
    /// The topic filters that are subscribed to at every connection, with QoS 1.
    public var subscriptions: [String]
    /// The largest packet in bytes that the broker may send.
    public var mostPacketBytes: Int
    /// The seconds within which the broker must acknowledge at least one message; after that the session is made again.
    public var acknowledgementSeconds: Double
    /// Seconds of the longest pause between two attempts.
    public var longestPauseSeconds = ReconnectPolicy.longestPauseSeconds
    /// Whether a message keeps its publisher's retain flag. Otherwise the flag means that the broker had stored the message.
    public var keepsRetainFlag = true
    /// Whether another client had this one's identity when an earlier run ended, so that the pauses start long.
    public var wasCloned: Bool

    public init(
        brokers: [Broker], clientID: String, username: String? = nil, password: String? = nil,
        certificates: Certificates, will: MQTTPublication? = nil, willDelaySeconds: Int = 30,
        keepaliveSeconds: Int = 60, sessionExpirySeconds: Int = 0, subscriptions: [String] = [],
        mostPacketBytes: Int = 16_384, wasCloned: Bool = false, acknowledgementSeconds: Double = 30
    ) {
        self.acknowledgementSeconds = acknowledgementSeconds
        self.wasCloned = wasCloned
        self.brokers = brokers
        self.clientID = clientID
        self.username = username
        self.password = password
        self.certificates = certificates
        self.will = will
        self.willDelaySeconds = willDelaySeconds
        self.keepaliveSeconds = keepaliveSeconds
        self.sessionExpirySeconds = sessionExpirySeconds
        self.subscriptions = subscriptions
        self.mostPacketBytes = mostPacketBytes
    }
}
