public import Texts

/// `ApplyEnvelope`
public struct EnvelopeParameters: Codable, Sendable, Equatable {
    /// The envelope's own text.
    public var envelope: String

    public init(envelope: String) { self.envelope = envelope }
}

/// The answer of `ApplyEnvelope`.
public struct EnvelopeReply: ReplyDocument, Equatable {
    public static var described: String { "state: string, kind: string, seq: int, at: ?string" }
    /// `confirmed`, `trial`, `scheduled`, `already` or `not-for-me`.
    public let state: String
    public let kind: String
    public let seq: Int
    /// When it takes effect, where that is later.
    public var at: String?

    public init(state: String, kind: String, seq: Int, at: String? = nil) {
        (self.state, self.kind, self.seq, self.at) = (state, kind, seq, at)
    }
}

/// The answer of `GetFleet`; without a fleet where the configuration names none.
public struct FleetReply: ReplyDocument, Equatable {
    public static var described: String { "fleet: ?Fleet" }
    @Nullable public var fleet: FleetDocument?

    public init(fleet: FleetDocument?) { self.fleet = fleet }
}

/// The fleet of a box, and what became of its envelopes.
public struct FleetDocument: Codable, Sendable, Equatable {
    /// The newest envelope of one kind.
    public struct Applied: Codable, Sendable, Equatable {
        public let kind: String
        public let seq: Int
        /// SHA-256 of the decoded payload.
        public let digest: String
        /// `scheduled`, `trial`, `confirmed`, `reverted` or `refused`.
        public let state: String
        /// Why it was refused or left.
        @Nullable public var reason: String?
        public let at: String

        public init(kind: String, seq: Int, digest: String, state: String, reason: String?, at: String) {
            (self.kind, self.seq, self.digest) = (kind, seq, digest)
            (self.state, self.at) = (state, at)
            self.reason = reason
        }
    }

    public let org: String
    public let groups: [String]
    /// The public key that signs.
    public let signing: String
    public let applied: [Applied]

    public init(org: String, groups: [String], signing: String, applied: [Applied]) {
        (self.org, self.groups, self.signing, self.applied) = (org, groups, signing, applied)
    }
}
