package import Texts

/// The whole configuration, checked and with every default filled in. Nothing in it depends on the machine.
package struct Config: Sendable, Equatable {
    /// An IANA zone name such as `America/New_York`; `nil` is the system's zone.
    package var timezone: String?
    /// The location; `nil` is the principal place of the zone, which is then displayed as approximate.
    package var location: ConfiguredLocation?
    package var calculation: CalculationSettings
    /// The settings of each prayer; all six are present. Read them through ``subscript(_:)``.
    package var adhan: [Prayer: AdhanSettings]
    /// The rule for days that the timetable lacks.
    package var missing = MissingDays.compute
    /// The congregations' times, and their announcements.
    package var iqama = IqamaSettings()
    package var iqamaAnnouncement = IqamaAnnouncement()
    package var jumua = JumuaSettings()
    package var ramadan = RamadanSettings()
    package var eid = EidSettings()
    /// Loudspeakers that differ, as the file names them; none: the one that the next keys describe. Read them through
    /// ``allOutputs``.
    package var outputs: [OutputSettings] = []
    /// ALSA names, at least one, tried in order at every announcement.
    package var devices: [String]
    /// Seconds of silence before a sound, 0...60.
    package var prerollSeconds: Double
    /// Seconds over which stop and mute fade what is playing, 0...60.
    package var fadeOutSeconds: Double
    /// Seconds between two tones that keep the device's loudspeaker awake, 60...3600; `nil`: none.
    package var keepAwakeSeconds: Double?
    /// Hours in which sounds are quieter or silent, with distinct names.
    package var quiet: [QuietWindow] = []
    /// Sounds besides those of prayers, with distinct names.
    package var calls: [CallSettings] = []
    /// The group whose members may change things, besides root and the daemon's own user.
    package var controlGroup: String
    /// The bounds of settings by command.
    package var control = CommandBounds()
    /// The fleet; `nil`: none.
    package var fleet: FleetSettings?
    /// Whether `debug trigger` is answered.
    package var debugTriggers: Bool

    /// The settings of `prayer`.
    package subscript(prayer: Prayer) -> AdhanSettings {
        get { adhan[prayer] ?? AdhanSettings() }
        set { adhan[prayer] = newValue }
    }

    /// The embedded default, which is also the meaning of an empty file.
    package static let `default` = Config(
        timezone: nil, location: nil, calculation: CalculationSettings(),
        adhan: Dictionary(uniqueKeysWithValues: Prayer.allCases.map { ($0, AdhanSettings()) }),
        devices: ["default"], prerollSeconds: 0, fadeOutSeconds: 1, controlGroup: "adhan",
        debugTriggers: false)
}

/// `[location]`: the place for which times are computed.
package struct ConfiguredLocation: Sendable, Equatable {
    /// The name for people only; `nil` when the file has none.
    package var name: String?
    /// Degrees, north positive, -90...90.
    package var latitude: Double
    /// Degrees, east positive, -180...180.
    package var longitude: Double
    /// Metres above the surroundings, 0...9000.
    package var elevationMetres: Double
    /// Metres of the town above the sea, 0...9000, for methods whose authority considers it.
    package var townElevationMetres: Double

    package init(
        name: String? = nil, latitude: Double, longitude: Double, elevationMetres: Double = 0,
        townElevationMetres: Double = 0
    ) {
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.elevationMetres = elevationMetres
        self.townElevationMetres = townElevationMetres
    }
}

/// The settings of one prayer's adhan.
package struct AdhanSettings: Sendable, Equatable {
    package var enabled = true
    /// The sound, never empty.
    package var sound: RotatingSound = ["standard"]
    /// Percent of perceived loudness, 0...100.
    package var volumePercent = 80
    /// Seconds after its instant during which an adhan may still be called, 0...21600.
    package var lateGraceSeconds: Double = 120
    /// Seconds before its instant, in the order of the file, each 1...21600, all different.
    package var reminderSeconds: [Double] = []
    /// A single sound, or a rotation of single sounds.
    package var reminderSound = RotatingSound([AdhanSettings.signal])
    /// Seconds of fade-in, 0...300.
    package var fadeInSeconds: Double = 0
    /// Seconds before its congregation at which it is called, but never before the prayer's time; `nil`: at that time.
    package var beforeIqamaSeconds: Double?

    /// The name that stands for no sound.
    package static let silent = "silent"

    /// The shipped time signal.
    package static let signal = "signal"

    package init() {}
}
