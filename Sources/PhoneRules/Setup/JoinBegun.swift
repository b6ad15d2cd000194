package import Protocol

/// The network that a phone named last and the box now leaves its own one for. Until that one is gone forms still come: the same one
/// once more, another one of that phone, or that of a second phone.
package struct JoinBegun: Sendable, Equatable {
    package enum Relation: Sendable, Equatable {
        /// The form was sent twice.
        case same
        /// The same phone has another network or password by now.
        case changed
        /// Another phone was faster.
        case other
    }

    /// The pause of `join.sh`, and the time in which the network ends.
    package static let lastsSeconds = 10.0

    /// Of this process alone: the password is not kept.
    private let form: Int
    private let phone: NetworkAddress
    private let beganAt: Double

    /// - Parameters:
    ///   - phone: by its address in the box's own network, which its lease keeps.
    ///   - uptime: seconds since the boot.
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

    /// - Returns: `nil` where the box may take another network.
    package func relation(
        to request: JoinRequest, of phone: NetworkAddress, at uptime: Double
    ) -> Relation? {
        guard uptime - beganAt < Self.lastsSeconds else { return nil }
        if Self.hash(request) == form { return .same }
        return phone == self.phone ? .changed : .other
    }
}
