import Protocol

/// The outcome of an announcement that was due and is not called: the sentence for people, the codes for programs.
struct NotCalled {
    let outcome: Outcome
    let reason: String
    /// A person's switch or another announcement; `nil` where the outcome says it.
    let cause: EndCause?
    let gaveWayTo: AnnouncementID?

    init(_ outcome: Outcome, _ reason: String, cause: EndCause? = nil) {
        (self.outcome, self.reason, self.cause, gaveWayTo) = (outcome, reason, cause, nil)
    }

    init(_ yielding: Precedence.Yielding) {
        (outcome, reason, cause, gaveWayTo) = (
            .skipped, yielding.reason, .announcement, yielding.other
        )
    }
}
