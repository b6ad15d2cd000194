/// The outcome of an announcement, past or future: the `state` of a prayer and the `outcome` in the history.
public enum Outcome: String, Codable, Sendable, CaseIterable {
    case upcoming, playing
    /// It was heard to its end.
    case played
    /// It was heard, but not on every output on which it should have been; only with configured outputs.
    case partial
    /// It was not heard because everything, or the next announcement, was muted.
    case muted
    /// It was not heard because the prayer is switched off.
    case disabled
    /// It was reached on time with the sound "silent".
    case silent
    /// It was not heard because of a quiet window; only with configured windows.
    case quiet
    /// It gave way to another announcement, or was skipped for its day by hand.
    case skipped
    /// Its time and its grace period passed while it could not be called.
    case missed
    /// It was called, but no device or file produced sound.
    case failed
    /// It was heard in part: stopped by hand, by another announcement, or by the end of the program.
    case interrupted

    /// Whether an announcement with this outcome is never called again, whatever the clock does afterwards. A missed announcement
    /// was not heard: if a wrong clock is set back before its instant, it is called after all.
    public var isFinal: Bool {
        switch self {
        case .upcoming, .missed: false
        default: true
        }
    }

    /// Whether it was heard to its end on at least one output.
    public var isHeardSomewhere: Bool { self == .played || self == .partial }

    /// Whether it was heard at least in part, or may have been.
    public var isHeard: Bool {
        switch self {
        case .playing, .played, .partial, .failed, .interrupted: true
        case .upcoming, .muted, .disabled, .silent, .quiet, .skipped, .missed: false
        }
    }
}
