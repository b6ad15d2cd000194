package import Recording

/// The order to play: sounds, devices and how. It has everything that the playback thread needs, so that the thread never has to
/// ask back.
package struct PlayerOrder: Sendable {
    /// The order's token, which the caller chose. Events contain it.
    package var id: String
    /// The sounds, played one after another without a gap.
    package var sounds: [SoundFile]
    /// The file that replaces, once, a file that cannot be played.
    package var fallback: SoundFile?
    /// The volume as a gain in decibels, at most 0; added to every file's own gain.
    package var gainDb: Double
    /// ALSA device names, tried in this order.
    package var devices: [String]
    /// Seconds of silence before the first sample, for amplifiers and HDMI sinks that swallow the beginning.
    package var prerollSeconds: Double
    /// Seconds from a frame's leaving the device until it is heard, as with networks, Bluetooth and HDMI receivers. The device is
    /// started that much earlier.
    package var latencySeconds: Double
    /// Seconds over which the sound rises from silence; 0 starts it as recorded.
    package var fadeInSeconds: Double
    /// Seconds of the fade-out, unless a stop leaves less.
    package var fadeOutSeconds: Double
    /// Seconds into the sounds at which to begin.
    package var positionSeconds: Double
    /// The most seconds of sound to play; the last part fades out. Nil plays to the end.
    package var limitSeconds: Double?
    /// Seconds after `start` for which a device is looked for, even where the sound itself is shorter.
    package var patienceSeconds: Double
    /// Wall clock (Unix seconds) at which a cued order is heard by itself, without `start`: its device is started `leadSeconds`
    /// before, however busy the caller is. If the thread notices the instant half a second late or more, the caller decides.
    package var heardAtUnixSeconds: Double?

    package init(
        id: String, sounds: [SoundFile], fallback: SoundFile? = nil, gainDb: Double = 0,
        devices: [String] = ["default"], prerollSeconds: Double = 0, latencySeconds: Double = 0,
        fadeInSeconds: Double = 0, fadeOutSeconds: Double = 0, positionSeconds: Double = 0,
        limitSeconds: Double? = nil, patienceSeconds: Double = 0, heardAtUnixSeconds: Double? = nil
    ) {
        self.id = id
        self.sounds = sounds
        self.fallback = fallback
        self.gainDb = gainDb
        self.devices = devices
        self.prerollSeconds = prerollSeconds
        self.latencySeconds = latencySeconds
        self.fadeInSeconds = fadeInSeconds
        self.fadeOutSeconds = fadeOutSeconds
        self.positionSeconds = positionSeconds
        self.limitSeconds = limitSeconds
        self.patienceSeconds = patienceSeconds
        self.heardAtUnixSeconds = heardAtUnixSeconds
    }

    /// Seconds from the start of the device until the first sample is heard.
    package var leadSeconds: Double { max(0, prerollSeconds) + max(0, latencySeconds) }

    /// Share of the sounds' windows that are audible according to their measurements; nil where one was not measured, or only a
    /// part is to be played.
    var measuredShare: Double? {
        guard positionSeconds == 0 else { return nil }
        var (audible, whole) = (0.0, 0.0)
        for sound in sounds {
            guard let share = sound.audibleShare, let seconds = sound.seconds else { return nil }
            (audible, whole) = (audible + share * seconds, whole + seconds)
        }
        return whole > 0 ? audible / whole : nil
    }
}
