public import Texts

/// `ApplyEnvelope`
public struct EnvelopeParameters: Codable, Sendable, Equatable {
    /// The envelope's own text.
    public var envelope: String

    /// Makes the parameters.
    public init(envelope: String) { self.envelope = envelope }
}

/// The answer of `ApplyEnvelope`.
public struct EnvelopeReply: ReplyDocument, Equatable {
    public static var described: String { "state: string, kind: string, seq: int, at: ?string" }
    /// `confirmed`, `trial`, `scheduled`, `already` or `not-for-me`.
    public let state: String
    /// The kind of change: `configuration`, `timetable`, `hijri`, `exceptions`, `command`, `keys` or `revert`.
    public let kind: String
    /// The envelope's number among those of its kind; an older one is refused.
    public let seq: Int
    /// The instant at which it takes effect, if later.
    public var at: String?

    package init(state: String, kind: String, seq: Int, at: String? = nil) {
        (self.state, self.kind, self.seq, self.at) = (state, kind, seq, at)
    }
}

/// The answer of `GetFleet`; without a fleet where the configuration names none.
public struct FleetReply: ReplyDocument, Equatable {
    public static var described: String { "fleet: ?Fleet" }
    /// The fleet; `null` where the box belongs to none.
    @Nullable public var fleet: FleetDocument?

    package init(fleet: FleetDocument?) { self.fleet = fleet }
}

/// The fleet of a box, and the state of its envelopes.
public struct FleetDocument: Codable, Sendable, Equatable {
    /// The newest envelope of one kind.
    public struct Applied: Codable, Sendable, Equatable {
        /// The kind of change: `configuration`, `timetable`, `hijri`, `exceptions`, `command`, `keys` or `revert`.
        public let kind: String
        /// The envelope's number among those of its kind.
        public let seq: Int
        /// SHA-256 of the decoded payload.
        public let digest: String
        /// `scheduled`, `trial`, `confirmed`, `reverted` or `refused`.
        public let state: String
        /// Why it was refused or abandoned.
        @Nullable public var reason: String?
        /// The instant of this state in RFC 3339; for a scheduled envelope, of its effect.
        public let at: String

        package init(kind: String, seq: Int, digest: String, state: String, reason: String?, at: String) {
            (self.kind, self.seq, self.digest) = (kind, seq, digest)
            (self.state, self.at) = (state, at)
            self.reason = reason
        }
    }

    /// The name of the fleet's organisation, from `[fleet]`.
    public let org: String
    /// The groups to which the box belongs.
    public let groups: [String]
    /// The public key for signatures.
    public let signing: String
    /// The newest envelope of each kind that the box has received.
    public let applied: [Applied]

    package init(org: String, groups: [String], signing: String, applied: [Applied]) {
        (self.org, self.groups, self.signing, self.applied) = (org, groups, signing, applied)
    }
}
