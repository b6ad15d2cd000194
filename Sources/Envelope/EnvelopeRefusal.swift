/// Why an envelope has no effect.
package struct EnvelopeRefusal: Error, Sendable, Equatable {
    /// The reasons in the order in which an envelope is checked. `clock`, `tooEarly` and `expired` are one step.
    package enum Reason: String, CaseIterable, Sendable {
        case malformed, type
        case unknownKey = "unknown-key"
        case signature, foreign, clock
        case tooEarly = "too-early"
        case expired, older
        case revertedBefore = "reverted-before"
        case invalid

        /// Whether the same envelope may be accepted later: a clock becomes trusted, a time comes, new keys arrive.
        package var isPassing: Bool {
            switch self {
            case .clock, .tooEarly, .unknownKey: true
            case .malformed, .type, .signature, .foreign, .expired, .older, .revertedBefore, .invalid: false
            }
        }

        /// Whether a box that gives this reason has verified the signature. With any other reason the envelope may be forged,
        /// or belong to another fleet.
        package var isVerified: Bool {
            switch self {
            case .clock, .tooEarly, .expired, .older, .revertedBefore, .invalid: true
            case .malformed, .type, .unknownKey, .signature, .foreign: false
            }
        }
    }

    package let reason: Reason
    /// One sentence for a person.
    package let detail: String

    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
