/// Invariants of the daemon's own state that are checked after every event. The raw value is the `code` in `status`.
public enum InvariantCode: String, Codable, Sendable, CaseIterable {
    case severalPlay = "several-play"
    case sharedToken = "shared-token"
    case preparedAfterOutcome = "prepared-after-outcome"
    case playsWithoutOutcome = "plays-without-outcome"
    case playsUnsaved = "plays-unsaved"
    case fadesAfterOutcome = "fades-after-outcome"
    case planOutOfOrder = "plan-out-of-order"
    case timerInThePast = "timer-in-the-past"

    /// The command that reports it.
    package static let fix = "adhanctl feedback"
    package static let remedy = "Please report it with \"\(fix)\"; a restart of adhand begins afresh."
}
