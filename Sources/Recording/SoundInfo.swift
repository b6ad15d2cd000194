/// The facts about a sound file that was decoded to its end.
package struct SoundInfo: Sendable, Equatable {
    /// Frames a second at the beginning of the file.
    package var rateHz: Int
    /// 1 or 2, at the beginning of the file.
    package var channels: Int
    /// Frames after gapless trimming, in `rateHz`; a part of another rate is counted by its duration.
    package var frames: Int
    /// Seconds.
    package var durationSeconds: Double
    /// Sentences about oddities that did not prevent decoding.
    package var warnings: [String]
    /// The findings of decoding it.
    package let evidence: RecordingEvidence
    /// Whether it is fit to be called.
    package let verdict: RecordingVerdict
    /// Share of its windows of 400 ms that are audible at the gain at which it is played; nil where it has not one window, or
    /// loudness was not measured.
    package var audibleShare: Double? { evidence.audibleShare }

    /// Why this ought not to be called; nil where nothing speaks against it.
    package var objection: RecordingObjection? { verdict.objection }

    package init(
        rateHz: Int, channels: Int, frames: Int, durationSeconds: Double, warnings: [String],
        evidence: RecordingEvidence
    ) {
        self.rateHz = rateHz
        self.channels = channels
        self.frames = frames
        self.durationSeconds = durationSeconds
        self.warnings = warnings
        self.evidence = evidence
        verdict = RecordingVerdict(evidence)
    }
}

/// The limits that a file must keep to be called.
package enum RecordingLimits {
    /// Seconds. Less than one block of BS.1770 has no loudness, and is no more than a click.
    static let shortestSeconds = 0.4
    /// Seconds, after which decoding ends: no adhan, dua or recitation before one lasts two hours.
    static let longestSeconds = 7200.0
    /// Share of the windows of 400 ms that must be audible. With less it is silence with a sound in it.
    static let leastAudibleShare = 0.1
    /// Share of what is audible in the recording itself that must have been audible when it was played.
    private static let leastMeasuredShare = 0.5
    /// Share below which somebody should listen first: a recitation's pauses take a third of it.
    static let leastUsualAudibleShare = 0.4
    /// LUFS, at the gain at which the recording is played (-18 LUFS in all), above which a window is audible.
    package static let audibleLoudnessLufs = -50.0
    /// Share of the encoded audio that must decode. Of an announcement of which less is heard, the history says that it was
    /// cut short.
    static let leastShare = 0.9
    /// Share of the bytes that must be MPEG audio, where nothing tells how much was encoded. Pictures and other
    /// tags may take the rest.
    static let leastAudioShare = 0.5
    /// Bytes of a file: two hours at 320 kbit/s and the pictures of a generous album.
    package static let largestFileBytes = 512 << 20
    /// Bytes between two frames after which a stream is given up. Tags say how long they are, and do not count.
    static let mostJunkBytes = 1 << 20

    /// Share of what was played that must have been audible.
    /// - Parameter measured: the share that is audible in the recordings; nil where they were not measured.
    package static func leastAudibleShare(ofMeasured measured: Double?) -> Double {
        measured.map { leastMeasuredShare * $0 } ?? leastAudibleShare
    }
}
