package import PrayerEngine
package import Protocol
package import Settings
package import Texts

/// One sound at one instant: a prayer's adhan, a reminder before it, or a sound that a person requested.
package struct Announcement: Sendable, Equatable {
    package let id: AnnouncementID
    package let at: Instant
    /// Sound names in the order in which they are played; `["silent"]` plays none.
    package let sounds: [String]
    /// Percent of perceived loudness, quiet windows included once its outputs are known.
    package private(set) var volumePercent: Int
    /// Percent of perceived loudness by its own settings, without quiet windows.
    package let ownVolumePercent: Int
    /// The name of the quiet window that decided the volume.
    package private(set) var quiet: String?
    /// Its share of each output, once it has been planned with configured outputs; `nil`: there is one output.
    package private(set) var shares: [OutputShare]?
    /// Names of the outputs of a call; none: all.
    package private(set) var outputs: [String] = []
    /// Seconds of fade-in.
    package let fadeInSeconds: Double
    /// Seconds after ``at`` within which it may still be called.
    package let lateGraceSeconds: Double
    /// Seconds after which it is faded out at the latest; `nil`: it is played to its end.
    package private(set) var limitSeconds: Double?
    /// The position in the file: of several calls at one instant the first is heard.
    package private(set) var place = 0
    /// The subject of a test, unless it is a prayer's own sound: a sound by its name, or a device.
    package private(set) var subject: String?

    /// The volume that a quiet window imposed at its beginning.
    package struct Cap: Sendable, Equatable {
        /// The volume in percent.
        package let volume: Int
        /// The window's name.
        package let quiet: String

        package init(volume: Int, quiet: String) { (self.volume, self.quiet) = (volume, quiet) }
    }

    package var prayer: Prayer { id.prayer }

    package var isSilent: Bool { sounds.allSatisfy { $0 == AdhanSettings.silent } }

    /// The title for people: `Fajr`, `reminder 10m before Fajr`, `Fajr (simulated)`, `test of Fajr`, `test of the loudspeaker`.
    package var title: String {
        let name = id.slot == 1 ? prayer.title : "\(prayer.title) \(id.slot)"
        return switch id.kind {
        case .adhan: name
        case .iqama: "iqama of \(name)"
        case .khutba: "khutba of \(name)"
        case .wake: "wake-up before Fajr"
        case .imsak: "imsak"
        case .takbirat: "takbirat"
        case .call(let called): "call \(called)"
        case .iqamaReminder(let before): "reminder \(DurationText.format(before)) before the iqama of \(name)"
        case .reminder(let before): "reminder \(DurationText.format(before)) before \(name)"
        case .simulated: "\(name) (simulated)"
        case .test: "test of \(subject ?? name)"
        }
    }

    /// Whether the history's success rate counts it.
    package var isAdhan: Bool { id.kind == .adhan }

    package var isPlanned: Bool { id.isPlanned }

    package var isReminder: Bool { id.isReminder }

    /// Whether it gives way to everything else.
    package var isCall: Bool { id.isCall }

    package var isTest: Bool {
        if case .test = id.kind { true } else { false }
    }

    package var isSimulated: Bool {
        if case .simulated = id.kind { true } else { false }
    }

    /// Makes an announcement from an identity, an instant and its prayer's settings: a reminder has the settings of reminders.
    /// - Parameter day: the day whose sound an identity without a date has.
    package init(
        _ id: AnnouncementID, at instant: Instant, settings: AdhanSettings, day: CivilDate? = nil
    ) {
        self.id = id
        let day = id.date ?? day ?? CivilDate(dayNumber: Int((instant.unixSeconds / 86_400).rounded(.down)))
        at = instant
        (volumePercent, ownVolumePercent) = (settings.volumePercent, settings.volumePercent)
        switch id.kind {
        case .reminder(let before), .iqamaReminder(let before):
            sounds = settings.reminderSound.sounds(on: day)
            fadeInSeconds = 0
            // A reminder is worth nothing once the prayer itself is due.
            lateGraceSeconds = min(settings.lateGraceSeconds, before)
        case .adhan, .iqama, .khutba, .wake, .imsak, .takbirat, .call, .simulated, .test:
            sounds = settings.sound.sounds(on: day)
            fadeInSeconds = settings.fadeInSeconds
            lateGraceSeconds = settings.lateGraceSeconds
        }
    }

    /// Returns a resumed announcement with its original sounds, even if its time or its sound has been changed since.
    package func continuing(at instant: Instant, sounds: [String]?, cap: Cap? = nil) -> Self {
        var continued = Self(
            id: id, at: instant, sounds: sounds ?? self.sounds, volume: ownVolumePercent,
            fadeInSeconds: fadeInSeconds,
            lateGraceSeconds: lateGraceSeconds)
        continued.subject = subject
        (continued.limitSeconds, continued.place, continued.outputs) = (limitSeconds, place, outputs)
        if let cap { (continued.volumePercent, continued.quiet) = (cap.volume, cap.quiet) }
        return continued
    }

    /// Returns it as loud as a quiet window allows.
    package func under(_ window: QuietWindow?) -> Self {
        var changed = self
        (changed.volumePercent, changed.quiet) = (
            min(ownVolumePercent, window?.volumePercent ?? ownVolumePercent), window?.name
        )
        return changed
    }

    /// Returns it with its outputs: its own volume is that of the first audible one.
    package func on(_ shares: [OutputShare]) -> Self {
        var changed = self
        changed.shares = shares
        let first = shares.heard.first ?? shares.first
        (changed.volumePercent, changed.quiet) = (first?.volumePercent ?? 0, first?.quiet)
        return changed
    }

    private init(
        id: AnnouncementID, at instant: Instant, sounds: [String], volume: Int, fadeInSeconds: Double,
        lateGraceSeconds: Double
    ) {
        self.id = id
        at = instant
        self.sounds = sounds
        (self.volumePercent, ownVolumePercent) = (volume, volume)
        self.fadeInSeconds = fadeInSeconds
        self.lateGraceSeconds = lateGraceSeconds
    }

    /// Makes a sound to be heard at once, whatever the plan contains.
    package init(
        testing prayer: Prayer, serial: Int, at now: Instant, sounds: [String], settings: AdhanSettings,
        subject: String? = nil
    ) {
        self.subject = subject
        id = .test(prayer, serial: serial)
        at = now
        self.sounds = sounds
        (volumePercent, ownVolumePercent) = (settings.volumePercent, settings.volumePercent)
        fadeInSeconds = settings.fadeInSeconds
        lateGraceSeconds = 0
    }

    /// Makes a call from its settings.
    package init(_ call: CallSettings, place: Int, on date: CivilDate, at instant: Instant) {
        self.init(
            id: .call(call.name, on: date), at: instant, sounds: call.sound.sounds(on: date),
            volume: call.volumePercent, fadeInSeconds: call.fadeInSeconds,
            lateGraceSeconds: call.lateGraceSeconds)
        (limitSeconds, self.place, outputs) = (call.limitSeconds, place, call.outputs)
    }

    /// Makes the time signal that tests a device.
    package init(testingDeviceAt volume: Int, serial: Int, at now: Instant) {
        self.init(
            id: .test(.dhuhr, serial: serial), at: now, sounds: [AdhanSettings.signal], volume: volume,
            fadeInSeconds: 0, lateGraceSeconds: 0)
        subject = "the loudspeaker"
    }

    package static func adhan(_ prayer: Prayer, on date: CivilDate, at: Instant, settings: AdhanSettings)
        -> Self
    {
        Self(.adhan(prayer, on: date), at: at, settings: settings)
    }
}
