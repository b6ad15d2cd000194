package import PrayerEngine

/// A sound in the hands of playback.
package struct Job: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        case cued, playing, stopping
    }

    /// Tells this job from an earlier one of the same announcement, whose last report may still be under way.
    package let token: Int
    package let announcement: Announcement
    package var phase: Phase
    /// Seconds of silence with which its device is started, as configured when it was prepared.
    package let preroll: Double
    /// When the sound began; of a resumed announcement, when that was before the restart.
    package var startedAt: Instant?
    package var device: String?
    /// Seconds.
    package var duration: Double?
    /// From the sound's beginning, whatever a resumed one leaves out.
    var wholeDuration: Double? { duration.map { $0 + position } }
    /// Who or what cut it short.
    package var endedBy: String?
    /// Whether it fades out only because the program ends: the next start goes on with it, or accounts for it.
    package var isToBeResumed = false
    /// Whether it sounds, or will again after a restart, unless somebody ends it.
    package var isToGoOn: Bool { phase == .playing || isToBeResumed }
    /// Whoever waits to hear whether it sounds.
    package var waiting: RequestID?
    /// True when a sound that cannot be played is an answer to somebody, and nothing is to stand in for it.
    package var strict = false
    /// Seconds into the sound at which it began.
    package var position = 0.0
    /// What is wrong with its recordings.
    package var damage: [String] = []
    /// What stood in for a sound that could not be played, and why.
    package var substitution: String?

    /// Whether it sounds, or the silence before it does.
    var hasDevice: Bool { phase != .cued || startedAt != nil }

    package init(token: Int, announcement: Announcement, phase: Phase, preroll: Double) {
        self.token = token
        self.preroll = preroll
        self.announcement = announcement
        self.phase = phase
    }
}
