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
    /// The envelope's number among those of its kind, by which an older one is refused.
    public let seq: Int
    /// When it takes effect, where that is later.
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

/// The fleet of a box, and what became of its envelopes.
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
        /// Why it was refused or left.
        @Nullable public var reason: String?
        /// RFC 3339: when it took this state; of one that is scheduled, when it takes effect.
        public let at: String

        package init(kind: String, seq: Int, digest: String, state: String, reason: String?, at: String) {
            (self.kind, self.seq, self.digest) = (kind, seq, digest)
            (self.state, self.at) = (state, at)
            self.reason = reason
        }
    }

    /// The name of the fleet's organisation, as `[fleet]` has it.
    public let org: String
    /// The groups that the box is in.
    public let groups: [String]
    /// The public key that signs.
    public let signing: String
    /// The newest envelope of each kind that the box has had.
    public let applied: [Applied]

    package init(org: String, groups: [String], signing: String, applied: [Applied]) {
        (self.org, self.groups, self.signing, self.applied) = (org, groups, signing, applied)
    }
}
