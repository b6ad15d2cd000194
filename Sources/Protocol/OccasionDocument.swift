public import Settings
public import Texts

/// One line of the agenda: an announcement, or an event that is only shown.
public struct OccasionDocument: Codable, Sendable, Equatable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case adhan, iqama, khutba, reminder, imsak, iftar, wake, takbirat, sunrise, eid, tarawih, qiyam, call
    }

    public let id: String
    public let kind: Kind
    /// `null` where it belongs to no prayer.
    @Nullable public var prayer: String?
    /// Which of several congregations, from 1; `null` where there is no prayer.
    @Nullable public var slot: Int?
    public let at: String
    public let source: TimeOrigin
    /// Empty where it is only shown.
    public let sounds: [String]
    /// Whether it is to be announced.
    public let enabled: Bool
    /// A prayer's state; `unknown` for a past one without a record, `passed` for an event that is only shown.
    public let state: String
    /// The volume of each output; left out of what is only shown, and where the configuration has neither outputs nor quiet windows.
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

public struct AgendaReply: ReplyDocument, Equatable {
    public static var described: String { "occasions: []Occasion" }
    public let occasions: [OccasionDocument]

    public init(occasions: [OccasionDocument]) {
        self.occasions = occasions
    }
}

public struct AgendaParameters: Codable, Sendable, Equatable {
    public var from: String
    public var days: Int

    public init(from: String, days: Int) {
        self.from = from
        self.days = days
    }
}
