internal import Recording

/// The playback thread's reports about an order, in the order in which they happened. Every cued order ends
/// with exactly one `ended`.
package enum PlayerEvent: Sendable {
    /// The device is open and its buffer filled; only `snd_pcm_start` is left. `durationSeconds` is in seconds,
    /// without the preroll, and nil where the file does not tell.
    case cued(id: String, device: String, rateHz: Int, durationSeconds: Double?)
    /// The device runs. `atUnixSeconds` is the wall clock (Unix seconds, from the clock given to `Player`) as
    /// `snd_pcm_start` returned, less the part of the preroll that was left out to join what is heard elsewhere. Of an order that goes
    /// on with a sound, less all that was left out: when it would have begun, had the device been there at once.
    case began(id: String, atUnixSeconds: Double, device: String, rateHz: Int)
    /// The device ran dry, was suspended or had to be reopened for the `count`th time during this order.
    case dropout(id: String, count: Int, device: String)
    /// The file at `path` cannot be played; the fallback stands in.
    case substituted(id: String, path: String, reason: String)
    case deviceLost(id: String, device: String, reason: String)
    case deviceRecovered(id: String, device: String)
    /// No device opened, or not the first; `next` is the reaction.
    case noDevice(id: String, reason: String, next: String)
    /// A recording is damaged; its readable part is played.
    case damaged(id: String, reason: String)
    /// A command that cannot be followed, and why.
    case trouble(id: String, reason: String)
    case ended(PlayerResult)
    /// No device made the tone that keeps a loudspeaker awake, or it stopped in the middle.
    case toneFailed(reason: String)
}

/// How an order ended.
package enum PlayerOutcome: Sendable, Equatable {
    /// The last frame left the device.
    case completed
    /// `stop`, `shutdown`, or another order that was started.
    case stopped
    /// The order's `limit` was reached.
    case limited
    /// Nothing could be played, or no device was left.
    case failed(String)
}

/// The proof about one order once it is over.
package struct PlayerResult: Sendable, Equatable {
    package var id: String
    package var outcome: PlayerOutcome
    /// Of the wall clock at the first `snd_pcm_start`; nil if the order never sounded.
    package var startedAtUnixSeconds: Double?
    package var endedAtUnixSeconds: Double
    /// The device that was used last.
    package var device: String?
    /// Frames a second of the device; both frame counts are in this rate.
    package var rateHz: Int
    /// Frames of sound that were written to the device; those written again after an interruption count once.
    package var framesDecoded: Int
    /// Frames of sound the device consumed, by `snd_pcm_status`: the written frames minus those that never left.
    package var framesPlayed: Int
    package var dropouts: Int
    /// How much of the sound was loud enough to be heard, by the samples that went to the device; nil without any.
    package var audibleShare: Double?
    /// The share that should have been audible by the files' measurements; nil without them, or where only a part was
    /// to be played.
    package var measuredShare: Double?
    /// Decibels applied to the first sound: its own gain plus the order's.
    package var gainDb: Double
}

extension PlayerResult {
    /// The share with less of which the sound counts as not played.
    package var leastAudibleShare: Double { RecordingLimits.leastAudibleShare(ofMeasured: measuredShare) }

    /// The proof of an order of which nothing came to anything.
    init(unheard order: PlayerOrder, _ outcome: PlayerOutcome, at now: Double) {
        self.init(
            id: order.id, outcome: outcome, startedAtUnixSeconds: nil, endedAtUnixSeconds: now, device: nil,
            rateHz: 0, framesDecoded: 0, framesPlayed: 0, dropouts: 0, audibleShare: nil,
            measuredShare: nil, gainDb: order.gainDb)
    }
}
