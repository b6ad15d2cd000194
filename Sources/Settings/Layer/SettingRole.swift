/// How much a caller may change through the control socket. Each role includes the roles before it.
public enum SettingRole: String, Codable, Sendable, CaseIterable, Comparable {
    /// Acts of the moment, such as a mute or a volume.
    case household
    /// The decisions of a mosque, such as its iqamas.
    case keeper
    /// A keeper who has just shown a code from the room: changes that could make the box useless or silent for long.
    case fresh

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
