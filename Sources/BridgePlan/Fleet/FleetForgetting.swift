package import Protocol

/// Decides whether adhan-bridge removes what it has kept of a fleet: the box's password, and how much that fleet knows.
///
/// Whoever removes it from a box that still obeys its fleet makes a box that nobody can reach. And a service that still speaks with the
/// broker would report for a fleet that the box has left.
package enum FleetForgetting {
    /// adhand's own answer about its fleet.
    package enum Membership: Sendable, CaseIterable {
        case member
        case none
        case unanswered
    }

    package enum Verdict: Sendable, Equatable {
        case forget
        case wait
        case refuse(MessagesReply.Refusal)
    }

    /// Seconds for which the service's farewell to the fleet is awaited.
    package static let farewellSeconds = 8.0

    /// Root may ask, and the bridge's own user, who may remove the files anyway. The phone page may connect, and may not ask this.
    /// - Parameters:
    ///   - user: the caller, according to the kernel.
    ///   - own: the bridge's user.
    package static func mayAsk(user: UInt32?, own: UInt32) -> Bool { user == 0 || user == own }

    /// - Parameters:
    ///   - isServiceConnected: whether the service has a connection with the fleet's broker, or makes one.
    ///   - isOver: whether the farewell was awaited for its time.
    package static func verdict(
        _ membership: Membership, isServiceConnected: Bool, isOver: Bool
    ) -> Verdict {
        switch (membership, isServiceConnected) {
        case (.member, _): .refuse(.member)
        case (_, false): .forget
        case (_, true): isOver ? .refuse(.connected) : .wait
        }
    }
}
