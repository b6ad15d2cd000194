/// The facts about one session: brokers, identity, secrets, the will, and the topics that it follows.
public struct SessionSettings: Sendable, Equatable {
    /// One address at which a broker may answer.
    public struct Broker: Sendable, Equatable {
        public var host: String
        public var port: Int
        /// Whether the connection is encrypted, and the broker's certificate checked.
        public var isEncrypted: Bool

        public init(host: String, port: Int, isEncrypted: Bool) {
            (self.host, self.port, self.isEncrypted) = (host, port, isEncrypted)
        }
    }

    /// Paths of PEM files. The broker has to be called as its certificate says.
    public struct Certificates: Sendable, Equatable {
        /// The authorities that the broker's certificate may be from.
        public var caFile: String
        /// This client's own certificate and key, both or neither.
        public var certificateFile: String?
        public var keyFile: String?

        public init(caFile: String, certificateFile: String? = nil, keyFile: String? = nil) {
            (self.caFile, self.certificateFile, self.keyFile) = (caFile, certificateFile, keyFile)
        }
    }

    /// Tried in turn, from the first one after every loss.
    public var brokers: [Broker]
    public var clientID: String
    public var username: String?
    public var password: String?
    public var certificates: Certificates
    /// The message that the broker publishes when this client has gone without a word.
    public var will: MQTTPublication?
    /// Seconds for which the broker holds the will back, so that a short loss is not announced.
    public var willDelaySeconds: Int
    public var keepaliveSeconds: Int
    /// Seconds for which the broker keeps the session after a loss.
    public var sessionExpirySeconds: Int
    /// Topic filters that are subscribed to at every connection, with QoS 1.
    public var subscriptions: [String]
    /// Bytes of the largest packet that the broker is asked to send.
    public var mostPacketBytes: Int
    /// Seconds within which the broker takes at least one of the messages over that it was given; the session is made again after that.
    public var acknowledgementSeconds: Double
    /// Seconds of the longest pause between two attempts.
    public var longestPauseSeconds = ReconnectPolicy.longestPauseSeconds
    /// Whether a message has the retain flag of who published it. Otherwise the flag says that the broker had kept it until now.
    public var keepsRetainFlag = true
    /// Whether another client had this one's identity when an earlier run ended: the same patience from the beginning.
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
