/// The steps for switching a television. Its answer only determines whether it may return to standby afterwards.
package enum TelevisionPlan {
    package enum Power: Sendable, Equatable, CaseIterable {
        case on, standby, unknown
    }

    package enum Action: Sendable, Equatable {
        case wake
        /// Makes it show this machine.
        case show
        case sleep
        /// Records, across restarts of this process, that it was in standby before.
        case note
        case forget
    }

    /// The record precedes the switching, so that a process that is killed in between leaves no television on.
    package static func on(_ power: Power) -> [Action] {
        power == .standby ? [.note, .wake, .show] : [.wake, .show]
    }

    /// - Parameter isNoted: whether it was woken from standby.
    package static func off(_ settings: TelevisionSettings, isNoted: Bool) -> [Action] {
        guard isNoted else { return [] }
        return settings.isStandby ? [.sleep, .forget] : [.forget]
    }
}
