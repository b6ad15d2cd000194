/// The answer on `/run/adhan-box/hotspot.sock`, where programs of a flashed box request its own network. It does not contain the
/// key.
package struct HotspotReply: Codable, Sendable, Equatable {
    package static let longestBytes = 2048

    package enum Outcome: String, Codable, CaseIterable, Sendable {
        /// The network is up.
        case up
        /// The box tries its known networks for a minute. If it joins none, it creates its own.
        case coming
        /// The box is in a network, or is joining one.
        case connected
        /// Settings, radio or machine prevent it.
        case impossible
    }

    package let outcome: Outcome
    /// The name of the box's own network.
    package let network: String
    /// A sentence for the log.
    package let message: String

    package init(_ outcome: Outcome, network: String, message: String) {
        (self.outcome, self.network, self.message) = (outcome, network, message)
    }
}
