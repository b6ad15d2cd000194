import Announcements
import Protocol
import Settings

/// The outcome of an announcement that was due and is not called: the sentence for people, the codes for programs.
struct NotCalled {
    let outcome: Outcome
    let reason: String
    /// A person's switch or another announcement; `nil` where the outcome already implies it.
    let cause: EndCause?
    let gaveWayTo: AnnouncementID?
    /// The name of the quiet window that is the cause, if one is.
    let quiet: String?
    /// The outputs that a quiet window or a mute of one output silences.
    var shares: [OutputShare]?

    init(_ outcome: Outcome, _ reason: String, cause: EndCause? = nil) {
        (self.outcome, self.reason, self.cause, gaveWayTo, quiet) = (outcome, reason, cause, nil, nil)
    }

    init(_ yielding: Precedence.Yielding) {
        (outcome, reason, cause, gaveWayTo, quiet) = (
            .skipped, yielding.reason, .announcement, yielding.other, nil
        )
    }

    /// - Parameter words: the cause that silences the first of the outputs.
    init(_ shares: [OutputShare], _ silent: OutputShare, _ words: String) {
        (outcome, reason, cause, gaveWayTo, quiet) = (.quiet, words, nil, nil, silent.quiet)
        self.shares = shares
    }

    init(_ window: QuietWindow) {
        (outcome, reason, cause, gaveWayTo, quiet) = (.quiet, window.words, nil, nil, window.name)
        shares = [OutputShare(output: QuietWindow.mainOutput, volumePercent: 0, quiet: window.name)]
    }
}
