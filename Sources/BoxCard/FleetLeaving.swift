import TOML

/// A file by which a box came into its fleet, beside `[fleet]` in adhand's own configuration.
package enum FleetTrace: String, Codable, Sendable, CaseIterable {
    /// The drop-in of bridge.toml with the fleet's broker.
    case link
    /// The instant up to which the fleet knows what was called.
    case known
    /// The password that the box has made for the broker.
    case password
    /// The word of the card.
    case token
    /// The certificate of the broker's authority.
    case authority

    /// Whether a box comes into its fleet by it.
    package var isWayIn: Bool {
        switch self {
        case .link, .password, .token: true
        case .known, .authority: false
        }
    }
}

/// The way out of a fleet, in the order in which a box goes it once adhand belongs to none. It may be cut off after each step, and the same
/// steps again end it.
///
/// adhand comes before all of them: a box that obeys its fleet has to be reachable. Then the bridge says farewell and removes the password
/// itself, as it is the bridge's own file. The link goes before the files that it names, because the bridge refuses a configuration whose
/// files are missing, and then nobody learns when an adhan is not heard. The password is removed once more for a bridge that did not answer.
package enum FleetLeaving {
    package enum Step: Sendable, Equatable {
        /// Has the bridge forget the fleet.
        case askBridge
        case remove(FleetTrace)
        /// Has a running bridge go on without the link.
        case reloadBridge
    }

    package static let steps: [Step] = [
        .askBridge, .remove(.link), .reloadBridge, .remove(.known), .remove(.password), .remove(.token),
        .remove(.authority),
    ]

    /// Whether a configuration of the bridge names a file as a value. Without the file the bridge would not start with it.
    /// - Parameter texts: bridge.toml and its drop-ins.
    package static func isNamed(_ path: String, in texts: [[UInt8]]) -> Bool {
        texts.contains { text in
            let document = TOMLDocument(text)
            // In a damaged text the path counts wherever it stands.
            guard document.faults.isEmpty else { return String(decoding: text, as: UTF8.self).contains(path) }
            return document.nodes.contains { $0.value == .text(path) }
        }
    }
}
