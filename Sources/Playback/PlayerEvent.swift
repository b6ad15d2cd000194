internal import Recording

/// The playback thread's reports about an order, in the order in which they happened. Every cued order ends with exactly one
/// `ended`.
package enum PlayerEvent: Sendable {
    /// The device is open and its buffer filled; only `snd_pcm_start` is left. `durationSeconds` excludes the preroll, and is nil
    /// where the file does not state its length.
    case cued(id: String, device: String, rateHz: Int, durationSeconds: Double?)
    /// The device runs. `atUnixSeconds` is the wall clock (Unix seconds, from the clock given to `Player`) as `snd_pcm_start`
    /// returned, less the part of the preroll that was left out to join an output that already sounds. For a resumed order it is
    /// less all that was left out: the instant at which it would have begun with its device available at once.
    case began(id: String, atUnixSeconds: Double, device: String, rateHz: Int)
    /// The device ran dry, was suspended or had to be reopened for the `count`th time during this order.
    case dropout(id: String, count: Int, device: String)
    /// The file at `path` cannot be played; the fallback replaces it.
    case substituted(id: String, path: String, reason: String)
    case deviceLost(id: String, device: String, reason: String)
    case deviceRecovered(id: String, device: String)
    /// No device opened, or not the first; `next` is what the player does instead.
    case noDevice(id: String, reason: String, next: String)
    /// A recording is damaged; its readable part is played.
    case damaged(id: String, reason: String)
    /// A command that cannot be followed, and why.
    case trouble(id: String, reason: String)
    case ended(PlayerResult)
    /// No device played the tone that keeps a loudspeaker awake, or it stopped in the middle.
    case toneFailed(reason: String)
}

/// How an order ended.
package enum PlayerOutcome: Sendable, Equatable {
    /// The last frame left the device.
    case completed
    /// It was ended by `stop`, by `shutdown`, or by another order that started.
    case stopped
    /// The order's `limit` was reached.
    case limited
    /// Nothing could be played, or no device was left.
    case failed(String)
}

/// The proof of play of one order once it is over.
package struct PlayerResult: Sendable, Equatable {
    package var id: String
    package var outcome: PlayerOutcome
    /// The wall clock at the first `snd_pcm_start`; nil if the order never sounded.
    package var startedAtUnixSeconds: Double?
    package var endedAtUnixSeconds: Double
    /// The device that was used last.
    package var device: String?
    /// Frames a second of the device; both frame counts are in this rate.
    package var rateHz: Int
    /// Frames of sound that were written to the device; those written again after an interruption count once.
    package var framesWritten: Int
    /// Frames of sound that the device consumed, by `snd_pcm_status`: written frames minus those that never left.
    package var framesPlayed: Int
    package var dropouts: Int
    /// The audible share of the samples that went to the device; nil without any.
    package var audibleShare: Double?
    /// The share that should have been audible according to the files' measurements; nil without them, or where only a part was
    /// to be played.
    package var measuredShare: Double?
    /// Decibels applied to the first sound: its own gain plus the order's.
    package var gainDb: Double
}

extension PlayerResult {
    /// The audible share below which the sound counts as not played.
    package var leastAudibleShare: Double { RecordingLimits.leastAudibleShare(ofMeasured: measuredShare) }

    /// The proof of an order that was never heard.
    init(unheard order: PlayerOrder, _ outcome: PlayerOutcome, at now: Double) {
        self.init(
            id: order.id, outcome: outcome, startedAtUnixSeconds: nil, endedAtUnixSeconds: now, device: nil,
            rateHz: 0, framesWritten: 0, framesPlayed: 0, dropouts: 0, audibleShare: nil,
            measuredShare: nil, gainDb: order.gainDb)
    }
}
