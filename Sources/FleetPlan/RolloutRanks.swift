import Texts

/// Caches the ranks of boxes by ``FleetRollout/order(_:rollout:)``: computing ten thousand of them takes longer than everything
/// else.
struct RolloutRanks: Sendable, Equatable {
    private var known: [String: String] = [:]

    /// Always equal, because the cached ranks do not affect a roll-out.
    static func == (_: Self, _: Self) -> Bool { true }

    mutating func order(_ boxes: some Sequence<String>, rollout: String) -> [String] {
        var ranked: [(rank: String, box: String)] = []
        for box in boxes {
            let rank = known[box] ?? Self.rank(of: box, rollout: rollout)
            known[box] = rank
            ranked.append((rank, box))
        }
        return ranked.sorted { ($0.rank, $0.box) < ($1.rank, $1.box) }.map(\.box)
    }

    private static func rank(of box: String, rollout: String) -> String {
        SHA256.hex(Array("\(box)/\(rollout)".utf8))
    }
}
