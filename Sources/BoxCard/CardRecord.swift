import Protocol

/// The outcome of one file of the card.
package struct CardRecord: Codable, Sendable, Equatable {
    package enum Outcome: String, Codable, Sendable {
        case taken
        /// It is empty; its earlier content stays in force.
        case nothingYet
        /// The file has no content; its earlier settings stay in force.
        case emptied
        /// The file lost its content, and its settings were removed.
        case removed = "takenBack"
        case refused
        case unreadable
        /// It was understood, and another file comes first.
        case outranked

        package var text: String {
            switch self {
            case .taken: "taken over"
            case .nothingYet: "says nothing yet"
            case .emptied: "is empty; the previous settings stay in force"
            case .removed: "says nothing any more"
            case .refused: "NOT taken over; the previous settings stay in force"
            case .unreadable: "cannot be read from the card"
            case .outranked: "not in force"
            }
        }
    }

    /// `adhand.toml`, `sounds/our-adhan.mp3`.
    package let name: String
    package let outcome: Outcome
    /// The understood content, or the reason why there is none.
    package let details: [String]

    package init(_ name: String, _ outcome: Outcome, _ details: [String] = []) {
        (self.name, self.outcome) = (name, outcome)
        // Every key of user-data that is skipped is listed.
        let most = outcome == .refused ? 20 : name == ImagerFile.userData.rawValue ? 200 : Self.usualMost
        self.details =
            details.count <= most
            ? details : details.prefix(most) + ["and \(details.count - most) lines more"]
    }

    private static let usualMost = 30

    /// Whether its list may leave no room for others in the report.
    package var isLong: Bool { details.count > Self.usualMost + 1 }

    package var isSound: Bool { name.hasPrefix("sounds/") }
}
