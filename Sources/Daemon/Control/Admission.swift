import Announcements
import Protocol
import Settings

/// Decides which connections to the control socket are kept when more arrive than there is room for. Strangers, members of the
/// control group and root have separate room, so that a crowd of one kind does not keep others from reading, muting or reloading.
package enum Admission {
    /// The most connections of one rank.
    package static let mostOfRank = 64
    /// The most of these connections that one user other than root may hold.
    package static let mostOfUser = 32

    /// The current use of a connection, the least important first.
    package enum Use: Int, Comparable, Sendable {
        /// The other end has left, and everything that it requested is done.
        case over
        case idle
        /// A request that is unfinished, or a reply that is not being read.
        case stalled
        case monitoring
        /// The caller waits for an answer.
        case working

        package static func < (a: Use, b: Use) -> Bool { a.rawValue < b.rawValue }
    }

    package struct ConnectionSlot<ID: Hashable & Sendable>: Sendable {
        package let id: ID
        package let user: UInt32
        package let rank: CallerRank
        package let use: Use
        /// A counter that rises with every request on any connection: the least value has been idle the longest.
        package let lastActive: UInt64

        package init(id: ID, user: UInt32, rank: CallerRank, use: Use, lastActive: UInt64) {
            self.id = id
            self.user = user
            self.rank = rank
            self.use = use
            self.lastActive = lastActive
        }
    }

    package enum Verdict<ID: Hashable & Sendable>: Equatable, Sendable {
        case admitted
        /// The newcomer is admitted, and this connection is closed.
        case inPlaceOf(ID)
        case turnedAway
    }

    package static func admit<ID>(
        user: UInt32, rank: CallerRank, among all: [ConnectionSlot<ID>]
    ) -> Verdict<ID> {
        let ofRank = all.filter { $0.rank == rank }
        let own = ofRank.filter { $0.user == user }
        let hasShare = rank != .root && own.count >= mostOfUser
        guard hasShare || ofRank.count >= mostOfRank else { return .admitted }
        let candidates = hasShare ? own : ofRank
        if let over = candidates.first(where: { $0.use == .over }) { return .inPlaceOf(over.id) }
        // The user with the most connections makes room; among equals the newcomer is refused.
        let crowds = Dictionary(grouping: candidates, by: \.user)
        let most = crowds.values.map(\.count).max() ?? 0
        let victims = own.count == most ? own : crowds.values.first { $0.count == most } ?? []
        // A user's own connections that are in use are kept, and the newcomer is refused. A crowd's are not kept.
        let limit: Use = own.count == most ? .stalled : .working
        let chosen = victims.filter { $0.use <= limit }
            .min { ($0.use.rawValue, $0.lastActive) < ($1.use.rawValue, $1.lastActive) }
        return chosen.map { .inPlaceOf($0.id) } ?? .turnedAway
    }
}

/// The rights of callers on the control socket.
package enum CallerRank: Int, Comparable, Sendable {
    /// A user who may only read.
    case stranger
    /// A user who may change things: the daemon's own user and members of the control group.
    case member
    case root

    package static func < (a: CallerRank, b: CallerRank) -> Bool { a.rawValue < b.rawValue }
}

extension DaemonInputs {
    package func rank(of peer: Peer) -> CallerRank {
        if peer.user == 0 { return .root }
        let isMember = peer.user == user || controlGroup.map(peer.groups.contains) ?? false
        return isMember ? .member : .stranger
    }

    /// Whether a caller may make a change: members may make every change, other users those that a grant allows.
    func permits(_ change: ControlMethod.Change, to peer: Peer) -> Bool {
        if rank(of: peer) > .stranger { return true }
        guard let grant = change.grant else { return false }
        // The bridge of a box in a fleet delivers envelopes: their signature decides.
        if grant == .fleet, config.fleet != nil, peer.name == "adhan-bridge" { return true }
        return config.control.grants[peer.name]?.contains(grant) == true
    }

    /// The role that limits what a caller may do; `nil`: no limit. A user with only a grant is a household, whatever role the
    /// caller claims: a mute by such a user ends within a day.
    func limitedRole(of peer: Peer) -> SettingRole? {
        rank(of: peer) > .stranger ? peer.claim.role : .household
    }
}
