/// How much a caller may change through the control socket. Each role includes the earlier ones.
public enum SettingRole: String, Codable, Sendable, CaseIterable, Comparable {
    /// Immediate actions, such as a mute or a volume.
    case household
    /// A mosque's decisions, such as its iqamas.
    case keeper
    /// A keeper who has just entered a code from the room: changes that could disable or silence the box for long.
    case fresh

    /// The longest mute in seconds, because a forgotten one must end by itself; `nil` for a role whose mute may have no end.
    package var longestMuteSeconds: Double? {
        switch self {
        case .household: 86_400
        case .keeper: 7 * 86_400
        case .fresh: nil
        }
    }

    public static func < (a: Self, b: Self) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
}

/// The changes that the role `household` may make (`[control] household`).
package enum HouseholdRights: String, Codable, Sendable, CaseIterable {
    /// Mute, stop, switches and volumes.
    case volume
    /// Mute, stop and switches only.
    case `switch`
}
