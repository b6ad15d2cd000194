public import Settings
public import Texts

/// One line of the agenda: an announcement, or an event that is only displayed.
public struct OccasionDocument: Codable, Sendable, Equatable {
    /// The kind of occasion. Iftar, sunrise, Eid, tarawih and qiyam are only displayed.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case adhan, iqama, khutba, reminder, imsak, iftar, wake, takbirat, sunrise, eid, tarawih, qiyam, call
    }

    /// The announcement's identity as text, see ``AnnouncementID``; for events that are only displayed, one of the same form:
    /// `sunrise_20261120`.
    public let id: String
    /// The kind, for programs.
    public let kind: Kind
    /// The prayer; `null` where it belongs to none.
    @Nullable public var prayer: String?
    /// The number of the congregation, from 1; `null` where the occasion belongs to no prayer.
    @Nullable public var slot: Int?
    /// The instant in RFC 3339 with the local offset.
    public let at: String
    /// The source of its time.
    public let source: TimeOrigin
    /// The sounds; empty where it is only displayed.
    public let sounds: [String]
    /// Whether it is to be announced.
    public let enabled: Bool
    /// A prayer's state; `unknown` for a past one without a record, `passed` for an event that is only displayed.
    public let state: String
    /// The volume of each output; omitted for events that are only displayed, and without configured outputs or quiet windows.
    public var outputs: [OutputPlan]?

    package init(
        id: String, kind: Kind, prayer: String? = nil, slot: Int? = nil, at: String, source: TimeOrigin,
        sounds: [String], enabled: Bool, state: String, outputs: [OutputPlan]? = nil
    ) {
        self.outputs = outputs
        self.id = id
        self.kind = kind
        self.prayer = prayer
        self.slot = slot
        self.at = at
        self.source = source
        self.sounds = sounds
        self.enabled = enabled
        self.state = state
    }
}

/// The answer of `GetAgenda`.
public struct AgendaReply: ReplyDocument, Equatable {
    public static var described: String { "occasions: []Occasion" }
    /// The occasions of these days, by instant.
    public let occasions: [OccasionDocument]

    package init(occasions: [OccasionDocument]) {
        self.occasions = occasions
    }
}

/// `GetAgenda`
public struct AgendaParameters: Codable, Sendable, Equatable {
    /// The first civil day: `2026-11-24`.
    public var from: String
    /// The number of days, 1 to 35.
    public var days: Int

    /// Makes the parameters.
    public init(from: String, days: Int) {
        self.from = from
        self.days = days
    }
}
