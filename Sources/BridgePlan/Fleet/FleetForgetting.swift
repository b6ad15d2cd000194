package import Protocol

/// Decides whether adhan-bridge removes its data about a fleet: the box's password, and the record of what the fleet has
/// received.
///
/// A box that still obeys its fleet would become unreachable without the password. And a service that is still connected to the
/// broker would report to a fleet that the box has left.
package enum FleetForgetting {
    /// The fleet membership that adhand reports.
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

    /// Seconds to wait for the service's farewell to the fleet.
    package static let farewellSeconds = 8.0

    /// Root may ask, and so may the bridge's own user, who can remove the files anyway. The phone page may connect, but not ask
    /// this.
    /// - Parameters:
    ///   - user: the caller, according to the kernel.
    ///   - own: the bridge's user.
    package static func mayAsk(user: UInt32?, own: UInt32) -> Bool { user == 0 || user == own }

    /// - Parameters:
    ///   - isServiceConnected: whether the service is connected, or connecting, to the fleet's broker.
    ///   - isOver: whether the time for the farewell has passed.
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
