/// The answer on `/run/adhan-box/hotspot.sock`, by which programs of a flashed box ask for its own network. The key is not in it.
package struct HotspotReply: Codable, Sendable, Equatable {
    package static let longestBytes = 2048

    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// The network is there.
        case up
        /// The box tries the networks that it knows for a minute. If it joins none, it makes its own.
        case coming
        /// The box is in a network, or joins one.
        case connected
        /// Settings, radio or machine prevent it.
        case impossible
    }

    package let outcome: Outcome
    /// The name of the box's own network.
    package let network: String
    /// A sentence for the journal.
    package let message: String

    package init(_ outcome: Outcome, network: String, message: String) {
        (self.outcome, self.network, self.message) = (outcome, network, message)
    }
}
