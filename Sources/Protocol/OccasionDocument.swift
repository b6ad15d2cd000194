package import Settings
package import Texts

/// One line of the agenda: what is announced, or only shown, at one instant.
package struct OccasionDocument: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case adhan, iqama, khutba, reminder, imsak, iftar, wake, takbirat, sunrise, eid, tarawih, qiyam
    }

    package let id: String
    package let kind: Kind
    /// `null` for what belongs to no prayer.
    @Nullable package var prayer: String?
    /// Which of several congregations, from 1; `null` where there is no prayer.
    @Nullable package var slot: Int?
    package let at: String
    package let source: TimeOrigin
    /// Empty for what is only shown.
    package let sounds: [String]
    /// Whether it is to be announced.
    package let enabled: Bool
    /// A prayer's state; `unknown` for what is past and nothing is known about, `passed` for what is only shown.
    package let state: String

    package init(
        id: String, kind: Kind, prayer: String? = nil, slot: Int? = nil, at: String, source: TimeOrigin,
        sounds: [String], enabled: Bool, state: String
    ) {
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

package struct AgendaReply: ReplyDocument, Equatable {
    package static var described: String { "occasions: []Occasion" }
    package let occasions: [OccasionDocument]

    package init(occasions: [OccasionDocument]) {
        self.occasions = occasions
    }
}

package struct AgendaParameters: Codable, Sendable, Equatable {
    package var from: String
    package var days: Int

    package init(from: String, days: Int) {
        self.from = from
        self.days = days
    }
}
