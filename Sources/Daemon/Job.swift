package import Announcements
package import PrayerEngine
package import Texts

/// An announcement that playback has in hand: prepared, sounding, or fading out.
package struct Job: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        case cued, playing, stopping
    }

    /// Tells this job from an earlier one of the same announcement, whose last report may still be under way.
    package let token: Int
    package internal(set) var announcement: Announcement
    package var phase: Phase
    /// One for each output that is to make a sound, in the order of the configuration; at least one.
    package internal(set) var parts: [OutputPart]
    /// When the sound began; of a resumed announcement, when that was before the restart.
    package var startedAt: Instant?
    /// The cause that cut it short.
    package var endedBy: EndedBy?
    /// Whether another announcement takes its outputs, each as that one begins there.
    var isTakenOver = false
    /// Whether its fade was shortened for the announcement that comes.
    var hasGivenWay = false
    /// Whether it fades out only because the program ends: the next start goes on with it, or accounts for it.
    package var isToBeResumed = false
    /// Whether it sounds, or will again after a restart, unless somebody ends it.
    package var isToGoOn: Bool { phase == .playing || isToBeResumed }
    /// The caller that waits to hear whether it sounds.
    package var waiting: RequestID?
    /// True when a sound that cannot be played is an answer to somebody, and nothing is to replace it.
    package var strict = false
    /// The device that somebody wants to hear, and no other: what comes of it says nothing about those in use.
    package var onlyDevice: String?
    /// Seconds to play at most, where a caller said so.
    var limitSeconds: Double?
    /// Seconds of a resumed one, as it was before the restart, until all of its devices have told: one may play the shorter signal.
    var notedDurationSeconds: Double?
    /// Whether the clock was set for the outputs that had not begun.
    var isClockSet = false
    /// When it was called and when it began to fade, by the clock as it is now, and by how much its end has moved since it began.
    var calledAt: Instant?
    var stoppedAt: Instant?
    var extraSeconds = 0.0
    /// When those that are a way from their devices have heard the last of the parts that have ended.
    var heardUntil: Instant?
    /// How little of the part that ended last came out, where that was too little.
    var shortfall: String?

    /// Seconds before its instant at which its first output is started.
    package var leadSeconds: Double { parts.map(\.leadSeconds).max() ?? 0 }

    /// Whether the configuration names its outputs.
    var isNamed: Bool { announcement.shares != nil }

    /// The first part that sounded, in the order of the configuration: it speaks for the whole.
    package var front: OutputPart {
        parts.first(where: \.hasSounded) ?? parts.first(where: \.hasBegun) ?? parts[0]
    }

    package var device: String? { front.device }

    /// Seconds.
    package var durationSeconds: Double? {
        front.durationSeconds ?? parts.lazy.compactMap(\.durationSeconds).first
    }

    /// Seconds into the sound at which it began.
    package var positionSeconds: Double { front.positionSeconds }

    /// From the sound's beginning, whatever a resumed one leaves out. One output may play the signal instead, which is shorter.
    var wholeDurationSeconds: Double? {
        (parts.map(\.wholeDurationSeconds) + [notedDurationSeconds]).compactMap(\.self).max()
    }

    /// Why nothing of it is heard now, while a device is looked for.
    package var silence: String? {
        let open = parts.filter { !$0.isOver }
        return open.allSatisfy { $0.silence != nil } ? open.first?.silence : nil
    }

    /// The sound that replaced one that could not be played, and why.
    package var substitution: String? { front.substitution }

    /// Whether it sounds, or the silence before it does.
    var hasDevice: Bool { phase != .cued || startedAt != nil }

    /// Whether it is for later, and the silence before it has begun on the device already: the earlier one can only be cut short.
    func hasTakenDevice(from earlier: Announcement) -> Bool {
        phase == .cued && startedAt != nil && earlier.at < announcement.at
    }

    /// Whether it makes room before the instant of an announcement that takes its outputs.
    func isInTheWay(of coming: Announcement) -> Bool {
        switch phase {
        case .cued: false
        case .playing: coming.takesOver(from: announcement)
        case .stopping: !hasGivenWay
        }
    }

    package init(token: Int, announcement: Announcement, phase: Phase, parts: [OutputPart]) {
        self.token = token
        self.parts = parts
        self.announcement = announcement
        self.phase = phase
    }
}

/// The order to prepare and play a job on its outputs. Sound names become files at the edge, where the disk is; the orders that
/// playback gets, one for each output, are then `PlayerOrder`s.
package struct JobOrder: Sendable, Equatable {
    package let token: Int
    package let prayer: Prayer
    package let sounds: [String]
    /// In the order of the configuration; at least one.
    package let outputs: [OutputOrder]
    package let fadeInSeconds: Double
    /// Seconds for which a device is looked for before the sound has begun on any output, even if the sound itself is shorter.
    package let patienceSeconds: Double
    /// The instant at which it is heard on every output. Each of them starts by itself earlier by its own
    /// ``OutputOrder/leadSeconds``, unless it is stopped before: so that a daemon that is held up, by a slow disk say, does not
    /// hold up the adhan. `nil`: it waits for the start.
    package let heardAt: Instant?
    /// See ``Job/strict``.
    package let strict: Bool
}

/// One output's share of a job.
package struct OutputOrder: Sendable, Equatable {
    package let name: String
    /// ALSA names, tried in order.
    package let devices: [String]
    /// Percent of perceived loudness.
    package let volumePercent: Int
    /// Seconds of silence with which the device is started.
    package let prerollSeconds: Double
    /// Seconds from the device to the ear, after that silence.
    package let latencySeconds: Double
    /// Seconds over which it fades, unless a stop leaves it fewer.
    package let fadeOutSeconds: Double
    /// Seconds into the sound at which to begin.
    package let positionSeconds: Double
    /// Seconds to play at most.
    package let limitSeconds: Double?

    /// Seconds from the start of its device until the sound is heard.
    package var leadSeconds: Double { prerollSeconds + latencySeconds }
}

/// Playback's events about a job.
package enum JobEvent: Sendable, Equatable {
    case cued(device: String, durationSeconds: Double?)
    /// The wall clock at which the device was started.
    case began(at: Instant, device: String)
    case dropout(count: Int, device: String)
    case substituted(sound: String, reason: String)
    /// No device opened, or not the first; `next` is the reaction.
    case noDevice(reason: String, next: String)
    /// A recording is damaged; its readable part is played.
    case soundDamaged(reason: String)
    case trouble(reason: String)
    case deviceLost(device: String, reason: String)
    case deviceRecovered(device: String)
    /// The device takes the sound and nobody hears it: its mixer is muted, or there is no loudspeaker behind its name.
    case deviceSilent(device: String, reason: String)
    /// Somebody looked, and nothing keeps the device silent.
    case deviceAudible(device: String)
    case soundMissing(name: String, searched: [String])
    case ended(JobResult)
}

/// The end of a job, with the proof of play: the frames that the device counted.
package struct JobResult: Sendable, Equatable {
    package enum End: Sendable, Equatable {
        case completed
        case stopped
        case failed(reason: String)
    }

    package internal(set) var end: End
    package let startedAt: Instant?
    package let endedAt: Instant
    package let device: String?
    package let rateHz: Int
    package let framesDecoded: Int
    /// Frames that the device consumed, as it says itself.
    package let framesPlayed: Int
    package let dropouts: Int
    /// Gain of the sound's own loudness and of the volume together.
    package let gainDb: Double
    /// By the samples that went to the device; nil where none went.
    package let audible: Audible?

    /// How much of a sound was loud enough to be heard.
    package struct Audible: Sendable, Equatable {
        package let share: Double
        /// The share that is audible by the recordings' measurements; nil without them.
        package let measuredShare: Double?
        /// With less it counts as not played. Recordings have the rule, and the state machine knows nothing of them.
        package let leastShare: Double

        package init(share: Double, measuredShare: Double?, leastShare: Double) {
            self.share = share
            self.measuredShare = measuredShare
            self.leastShare = leastShare
        }

        var isEnough: Bool { leastShare <= share }
    }

    package init(
        end: End, startedAt: Instant?, endedAt: Instant, device: String?, rateHz: Int, framesDecoded: Int,
        framesPlayed: Int, dropouts: Int, gainDb: Double, audible: Audible? = nil
    ) {
        self.end = end
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.device = device
        self.rateHz = rateHz
        self.framesDecoded = framesDecoded
        self.framesPlayed = framesPlayed
        self.dropouts = dropouts
        self.gainDb = gainDb
        self.audible = audible
    }

    /// Seconds that were heard.
    package var seconds: Double { rateHz > 0 ? Double(framesPlayed) / Double(rateHz) : 0 }
}
