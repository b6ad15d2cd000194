package import Protocol

/// The network that a phone named last and the box now leaves its own one for. Until that one is gone forms still come: the same one
/// once more, or that of a second phone.
package struct JoinBegun: Sendable, Equatable {
    package enum Relation: Sendable, Equatable {
        /// The form was sent twice.
        case same
        /// Another phone was faster.
        case other
    }

    /// The pause of `join.sh`, and the time in which the network ends.
    package static let lastsSeconds = 10.0

    private let ssid: String
    private let at: Double

    /// - Parameter uptime: seconds since the boot.
    package init(_ request: JoinRequest, at uptime: Double) { (ssid, at) = (request.ssid, uptime) }

    /// - Returns: `nil` where the box may take another network.
    package func relation(to request: JoinRequest, at uptime: Double) -> Relation? {
        guard uptime - at < Self.lastsSeconds else { return nil }
        return request.ssid == ssid ? .same : .other
    }
}
