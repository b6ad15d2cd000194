/// Facts about a sound file that was decoded to its end.
package struct SoundInfo: Sendable, Equatable {
    /// Frames a second at the beginning of the file.
    package var rateHz: Int
    /// 1 or 2, at the beginning of the file.
    package var channels: Int
    /// Frames after gapless trimming, in `rateHz`; a part of another rate is counted by its duration.
    package var frames: Int
    /// The duration in seconds.
    package var durationSeconds: Double
    /// Sentences about oddities that did not prevent decoding.
    package var warnings: [String]
    /// The findings of decoding it.
    package let evidence: RecordingEvidence
    /// Whether it is fit to be called.
    package let verdict: RecordingVerdict
    /// Share of its windows of 400 ms that are audible at the gain of playback; nil where it has no window, or loudness was not
    /// measured.
    package var audibleShare: Double? { evidence.audibleShare }

    /// Why it should not be called; nil where there is no objection.
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

/// The limits for a file that is to be called.
package enum RecordingLimits {
    /// The least length in seconds. Less than one block of BS.1770 has no loudness, and is no more than a click.
    static let shortestSeconds = 0.4
    /// Seconds after which decoding ends: no adhan, dua or recitation before one lasts two hours.
    static let longestSeconds = 7200.0
    /// The least share of audible windows of 400 ms. With less it is silence with a sound in it.
    static let leastAudibleShare = 0.1
    /// The least share of the recording's audible part that must have been audible when it was played.
    private static let leastMeasuredShare = 0.5
    /// The share below which a person should listen first: a recitation's pauses take a third of it.
    static let leastUsualAudibleShare = 0.4
    /// LUFS, at the gain of playback (-18 LUFS in all), above which a window is audible.
    package static let audibleLoudnessLufs = -50.0
    /// The least share of the encoded audio that must decode. An announcement of which less is heard counts as cut short in the
    /// history.
    static let leastShare = 0.9
    /// The least share of the bytes that must be MPEG audio, where the encoded length is unknown. Pictures and other tags may
    /// take the rest.
    static let leastAudioShare = 0.5
    /// The most bytes of a file: two hours at 320 kbit/s and the pictures of a generous album.
    package static let largestFileBytes = 512 << 20
    /// Bytes between two frames after which a stream is given up. Tags state their length, and do not count.
    static let mostJunkBytes = 1 << 20

    /// The least share of the played sound that must have been audible.
    /// - Parameter measured: the share that is audible in the recordings; nil where they were not measured.
    package static func leastAudibleShare(ofMeasured measured: Double?) -> Double {
        measured.map { leastMeasuredShare * $0 } ?? leastAudibleShare
    }
}
