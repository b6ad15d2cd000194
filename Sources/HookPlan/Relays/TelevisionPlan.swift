/// What is done to a television. Its answer decides one thing alone: whether it may go back to standby afterwards.
package enum TelevisionPlan {
    package enum Power: Sendable, Equatable, CaseIterable {
        case on, standby, unknown
    }

    package enum Deed: Sendable, Equatable {
        case wake
        /// Make it show this machine.
        case show
        case sleep
        /// Note that it was in standby before, in a way that outlives this process.
        case note
        case forget
    }

    /// The mark comes before what it is about: whoever is killed in between leaves no television on.
    package static func on(_ power: Power) -> [Deed] {
        power == .standby ? [.note, .wake, .show] : [.wake, .show]
    }

    /// - Parameter isNoted: whether it was woken from standby.
    package static func off(_ settings: TelevisionSettings, isNoted: Bool) -> [Deed] {
        guard isNoted else { return [] }
        return settings.isStandby ? [.sleep, .forget] : [.forget]
    }
}
