/// The outcome of an announcement, past or future: the `state` of a prayer and the `outcome` in the history.
public enum Outcome: String, Codable, Sendable, CaseIterable {
    case upcoming, playing
    /// Heard to its end.
    case played
    /// Heard, but not on every output on which it should have been; only where the configuration names outputs.
    case partial
    /// Not heard because everything, or the next announcement, was muted.
    case muted
    /// Not heard because the prayer is switched off.
    case disabled
    /// Reached on time with the sound "silent".
    case silent
    /// Not heard because of a quiet window; only where the configuration has one.
    case quiet
    /// Gave way to another announcement, or was skipped for its day by hand.
    case skipped
    /// Its time passed, and the grace after it, while it could not be called.
    case missed
    /// Called, but no device or file could be made to sound.
    case failed
    /// Heard in part: stopped by hand, by another announcement, or by the end of the program.
    case interrupted

    /// Whether an id with this outcome is never acted on again, whatever the clock does afterwards. A missed announcement
    /// was not heard: should a wrong clock be set back before its instant, it is called after all.
    public var isFinal: Bool {
        switch self {
        case .upcoming, .missed: false
        default: true
        }
    }

    /// Whether it was heard to its end on one output at least.
    public var isHeardSomewhere: Bool { self == .played || self == .partial }

    /// Whether sound came out, or may have.
    public var isHeard: Bool {
        switch self {
        case .playing, .played, .partial, .failed, .interrupted: true
        case .upcoming, .muted, .disabled, .silent, .quiet, .skipped, .missed: false
        }
    }
}
