package import Protocol

/// The network that the box is leaving its own network for, because a phone has named it. Until its own network is down, more
/// forms may arrive: a repetition, another network from that phone, or one from a second phone.
package struct JoinBegun: Sendable, Equatable {
    package enum Relation: Sendable, Equatable {
        /// The form was sent twice.
        case same
        /// The phone now sends another network or password.
        case changed
        /// Another phone was faster.
        case other
    }

    /// The pause of `join.sh` and the time until the network is down.
    package static let lastsSeconds = 10.0

    /// A hash that only this process can compute, so that the password is not stored.
    private let form: Int
    private let phone: NetworkAddress
    private let beganAt: Double

    /// - Parameters:
    ///   - phone: identified by its address on the box's own network, which its lease preserves.
    ///   - uptime: seconds since boot.
    package init(_ request: JoinRequest, of phone: NetworkAddress, at uptime: Double) {
        (form, self.phone, beganAt) = (Self.hash(request), phone, uptime)
    }

    private static func hash(_ request: JoinRequest) -> Int {
        var hasher = Hasher()
        hasher.combine(request.ssid)
        hasher.combine(request.password)
        hasher.combine(request.hidden)
        hasher.combine(request.country)
        return hasher.finalize()
    }

    /// - Returns: `nil` if the box may join another network.
    package func relation(
        to request: JoinRequest, of phone: NetworkAddress, at uptime: Double
    ) -> Relation? {
        guard uptime - beganAt < Self.lastsSeconds else { return nil }
        if Self.hash(request) == form { return .same }
        return phone == self.phone ? .changed : .other
    }
}
