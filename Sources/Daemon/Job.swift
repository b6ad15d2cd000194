package import Announcements
package import PrayerEngine
package import StateFile
package import Texts

/// An announcement that playback is handling: prepared, sounding, or fading out.
package struct Job: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        case cued, playing, stopping
    }

    /// Distinguishes this job from an earlier one of the same announcement, whose last report may still arrive.
    package let token: Int
    package internal(set) var announcement: Announcement
    package var phase: Phase
    /// One part for each output that makes a sound, in the order of the configuration; at least one.
    package internal(set) var parts: [OutputPart]
    /// When the sound began; for a resumed announcement, when it began before the restart.
    package var startedAt: Instant?
    /// The cause that cut it short.
    package var endedBy: EndedBy?
    /// Whether another announcement takes over its outputs, each as that one begins there.
    var isTakenOver = false
    /// Whether its fade was shortened for the next announcement.
    var hasGivenWay = false
    /// Whether it fades out only because the program ends: the next start resumes or records it.
    package var isToBeResumed = false
    /// Whether it sounds, or will again after a restart, unless it is ended.
    package var isToGoOn: Bool { phase == .playing || isToBeResumed }
    /// The caller that waits to learn whether it sounds.
    package var waiting: RequestID?
    /// Whether a sound that cannot be played is reported to the caller rather than replaced.
    package var strict = false
    /// The only device to be tested: the result proves nothing about the devices in use.
    package var onlyDevice: String?
    /// The most seconds to play, where the caller set a limit.
    var limitSeconds: Double?
    /// Seconds of a resumed sound, as before the restart, until all its devices have reported: one may play the shorter signal.
    var notedDurationSeconds: Double?
    /// Whether the outputs that had not begun were given the clock.
    var isClockSet = false
    /// When it was called and when it began to fade, by the clock as it is now, and by how much its end has moved since it began.
    var calledAt: Instant?
    var stoppedAt: Instant?
    var extraSeconds = 0.0
    /// When listeners of distant loudspeakers have heard the last of the parts that have ended.
    var heardUntil: Instant?
    /// The share of the last ended part that was heard, where that was too small.
    var shortfall: String?

    /// Seconds before its instant at which its first output is started.
    package var leadSeconds: Double { parts.map(\.leadSeconds).max() ?? 0 }

    /// Whether the configuration names its outputs.
    var isNamed: Bool { announcement.shares != nil }

    /// The first part that sounded, in the order of the configuration: it represents the whole.
    package var front: OutputPart {
        parts.first(where: \.hasSounded) ?? parts.first(where: \.hasBegun) ?? parts[0]
    }

    package var device: String? { front.device }

    /// The duration of the sound in seconds.
    package var durationSeconds: Double? {
        front.durationSeconds ?? parts.lazy.compactMap(\.durationSeconds).first
    }

    /// Seconds into the sound at which it began.
    package var positionSeconds: Double { front.positionSeconds }

    /// Seconds of the whole sound, even if resumed in the middle. One output may play the signal instead, which is shorter.
    var wholeDurationSeconds: Double? {
        (parts.map(\.wholeDurationSeconds) + [notedDurationSeconds]).compactMap(\.self).max()
    }

    /// Why it is silent now, while a device is looked for.
    package var silence: String? {
        let open = parts.filter { !$0.isOver }
        return open.allSatisfy { $0.silence != nil } ? open.first?.silence : nil
    }

    /// The sound that replaced an unplayable one, and why.
    package var substitution: String? { front.substitution }

    /// Whether its sound, or the silence before it, occupies the device.
    var hasDevice: Bool { phase != .cued || startedAt != nil }

    /// Whether it is for later, and the silence before it has begun on the device: the earlier sound can only be cut short.
    func hasTakenDevice(from earlier: Announcement) -> Bool {
        phase == .cued && startedAt != nil && earlier.at < announcement.at
    }

    /// Whether it must make room before the instant of an announcement that needs its outputs.
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

/// The order to prepare and play a job on its outputs. The shell, which can read the disk, resolves sound names into files;
/// playback then gets one `PlayerOrder` for each output.
package struct JobOrder: Sendable, Equatable {
    package let token: Int
    package let prayer: Prayer
    package let sounds: [String]
    /// The outputs in the order of the configuration; at least one.
    package let outputs: [OutputOrder]
    package let fadeInSeconds: Double
    /// Seconds for which a device is looked for before the sound has begun on any output, even if the sound itself is shorter.
    package let patienceSeconds: Double
    /// The instant at which it is heard on every output. Each output starts by itself earlier by its own
    /// ``OutputOrder/leadSeconds``, unless it is stopped before, so that a daemon that is delayed, by a slow disk say, does not
    /// delay the adhan. `nil`: it waits for the start.
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
    /// Seconds over which it fades, unless a stop leaves less.
    package let fadeOutSeconds: Double
    /// Seconds into the sound at which to begin.
    package let positionSeconds: Double
    /// The most seconds to play.
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
    /// No device opened, or not the first; `next` is what playback does instead.
    case noDevice(reason: String, next: String)
    /// A recording is damaged; its readable part is played.
    case soundDamaged(reason: String)
    case trouble(reason: String)
    case deviceLost(device: String, reason: String)
    case deviceRecovered(device: String)
    /// The device accepts the sound but it is inaudible: its mixer is muted, or there is no loudspeaker behind its name.
    case deviceSilent(device: String, reason: String)
    /// A check found that nothing silences the device.
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
    package let framesWritten: Int
    /// Frames that the device reports as consumed.
    package let framesPlayed: Int
    package let dropouts: Int
    /// Gain of the sound's own loudness and of the volume together.
    package let gainDb: Double
    /// Measured on the samples that went to the device; `nil` where none went.
    package let audible: Audible?

    /// How much of a sound was loud enough to be heard.
    package struct Audible: Sendable, Equatable {
        package let share: Double
        /// The share that is audible according to the recordings' measurements; `nil` without them.
        package let measuredShare: Double?
        /// The share below which it counts as not played. Recordings define it, and the state machine knows nothing about them.
        package let leastShare: Double

        package init(share: Double, measuredShare: Double?, leastShare: Double) {
            self.share = share
            self.measuredShare = measuredShare
            self.leastShare = leastShare
        }

        var isEnough: Bool { leastShare <= share }
    }

    package init(
        end: End, startedAt: Instant?, endedAt: Instant, device: String?, rateHz: Int, framesWritten: Int,
        framesPlayed: Int, dropouts: Int, gainDb: Double, audible: Audible? = nil
    ) {
        self.end = end
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.device = device
        self.rateHz = rateHz
        self.framesWritten = framesWritten
        self.framesPlayed = framesPlayed
        self.dropouts = dropouts
        self.gainDb = gainDb
        self.audible = audible
    }

    /// Seconds that were heard.
    package var seconds: Double { rateHz > 0 ? Double(framesPlayed) / Double(rateHz) : 0 }
}
