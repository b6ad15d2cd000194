/// One line of the agenda: what is announced, or only shown, at one instant.
package struct OccasionDocument: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable {
        case adhan, iqama, khutba, reminder, imsak, iftar, wake, takbirat, sunrise, eid, tarawih, qiyam
    }

    package enum Source: String, Codable, Sendable {
        case computed, published, rule, exception
    }

    package let id: String
    package let kind: Kind
    /// `null` for what belongs to no prayer.
    @Nullable package var prayer: String?
    /// Which of several congregations, from 1; `null` where there is no prayer.
    @Nullable package var slot: Int?
    package let at: String
    package let source: Source
    /// Empty for what is only shown.
    package let sounds: [String]
    /// Whether it is to be announced.
    package let enabled: Bool
    /// A prayer's state; `unknown` for what is past and nothing is known of, `passed` for what is only shown.
    package let state: String
}

package struct AgendaReply: ReplyDocument, Equatable {
    package let occasions: [OccasionDocument]
}

package struct AgendaParameters: Codable, Sendable, Equatable {
    package var from: String
    package var days: Int

    package init(from: String, days: Int) {
        self.from = from
        self.days = days
    }
}
