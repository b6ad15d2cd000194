package import PrayerEngine
import Settings

/// A mute of one output that a person requested. It ends by itself, and is shown and recorded like a quiet window.
package struct OutputMute: Sendable, Equatable {
    package let output: String
    /// The instant of the request, never later than the clock shows.
    package var since: Instant
    package var until: Instant
    /// Whether the end was given as a duration: elapsed time counts, so a step of the wall clock moves the end along.
    package let followsElapsedTime: Bool
    /// The name of the person or program that requested it.
    package let by: String?

    package init(output: String, since: Instant, until: Instant, followsElapsedTime: Bool, by: String?) {
        (self.output, self.since, self.until) = (output, since, until)
        (self.followsElapsedTime, self.by) = (followsElapsedTime, by)
    }

    /// The name in place of a window's.
    package static let name = QuietWindow.muteName

    package mutating func clockWasSet(by seconds: Double) {
        guard followsElapsedTime else { return }
        (since, until) = (since + seconds, until + seconds)
    }

    package func isOver(at now: Instant) -> Bool { now >= until - 0.001 }

    package func silences(_ name: String, at instant: Instant) -> Bool {
        output == name && instant >= since && !isOver(at: instant)
    }
}
