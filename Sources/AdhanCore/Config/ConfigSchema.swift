import PrayerEngine

/// Every key there is. Reading, the sentences about mistakes, and printing all follow this one table.
enum ConfigSchema {
    struct Section: Sendable {
        /// The table's path; empty at the top of the file.
        let path: [String]
        /// The comment after its header.
        let meaning: String
        let keys: [ConfigKey<Config>]
    }

    static let sections: [Section] = [
        Section(path: [], meaning: "", keys: top),
        Section(
            path: ["location"],
            meaning: "default: the principal place of the time zone, shown as approximate",
            keys: location),
        Section(path: ["calculation"], meaning: "", keys: calculation),
        Section(path: ["calculation", "angles"], meaning: "only with method = \"custom\"", keys: angles),
        Section(
            path: ["calculation", "rounding-by-event"],
            meaning: "\"nearest\", \"up\" or \"down\", before rounding",
            keys: roundings),
        Section(path: ["calculation", "adjustments"], meaning: "minutes, added last", keys: adjustments),
        Section(path: followsAdhan, meaning: "", keys: audio),
        Section(path: ["control"], meaning: "", keys: control),
        Section(path: ["debug"], meaning: "", keys: debug),
    ]

    /// The keys of `[adhan]` and of `[adhan.<prayer>]`.
    static let adhan: [ConfigKey<AdhanSettings>] = [
        .flag("enabled", \.enabled, "false: no timer, no sound"),
        .texts(
            "sound", .texts(.sound, orOne: true), \.sound,
            "a name, a list played one after another, an absolute path, or \"silent\""),
        .integer("volume", 0...100, "percent", \.volume, "percent of perceived loudness"),
        .duration(
            "late-grace", 0...21_600, \.lateGrace,
            "how late it may still be called after sleep, a restart or a clock step"),
        ConfigKey(
            name: "reminders", rule: .durations(1...21_600),
            meaning: "before the prayer, such as [\"10m\", \"5m\"]"
        ) {
            .durations($0.reminders)
        } set: { settings, value in
            if case .durations(let durations) = value { settings.reminders = durations }
        },
        .text("reminder-sound", .text(.sound), \.reminderSound, "what a reminder plays"),
        .duration("fade-in", 0...300, \.fadeIn, "from silence to the volume"),
    ]

    static let adhanTable = "adhan"
    /// The section before which `[adhan]` stands in a file.
    static let followsAdhan = ["audio"]

    private static let top: [ConfigKey<Config>] = [
        ConfigKey(
            name: "timezone", rule: .text(.zone), meaning: "default: the system's zone",
            example: .text("America/New_York")
        ) {
            $0.timezone.map { .text($0) }
        } set: { config, value in
            if case .text(let name) = value { config.timezone = name }
        }
    ]

    private static let location: [ConfigKey<Config>] = [
        ConfigKey(
            name: "name", rule: .text(.label), meaning: "for people; any text",
            example: .text("Queens, New York")
        ) {
            $0.location?.name.map { .text($0) }
        } set: { config, value in
            if case .text(let name) = value { config.place.name = name }
        },
        .number(
            "latitude", -90...90, "degrees, north positive", example: 40.7282, "degrees, north positive",
            get: { $0.location?.latitude }, set: { $0.place.latitude = $1 }),
        .number(
            "longitude", -180...180, "degrees, east positive", example: -73.7949, "degrees, east positive",
            get: { $0.location?.longitude }, set: { $0.place.longitude = $1 }),
        .number(
            "elevation", 0...9000, "metres", example: 0, "metres; above 0 the horizon lies lower",
            get: { $0.location?.elevation }, set: { $0.place.elevation = $1 }),
    ]

    private static let calculation: [ConfigKey<Config>] = [
        .text("method", .method, \.calculation.method, "`adhanctl methods` lists them"),
        .optionalText(
            "zone", .text(.label), \.calculation.zone, example: "WLY01",
            "a region that the method's authority publishes for; default: the one that the place lies in"),
        .optionalChoice(
            "asr", \.calculation.asr, example: .hanafi,
            "\"standard\" (shadow 1) or \"hanafi\" (shadow 2); default: the method's own"),
        .choice(
            "high-latitude", \.calculation.highLatitude,
            "what stands in where the sun does not go down far enough"),
        .optionalChoice(
            "rounding", \.calculation.rounding, example: .nearest,
            "\"nearest\", \"up\", \"safe\" or \"none\" (the exact instant); default: the method's own"),
        .optionalChoice(
            "midnight", \.calculation.midnight, example: .standard,
            "\"standard\" (sunset to sunrise) or \"jafari\" (sunset to fajr); default: the method's own"),
        .choice("shafaq", \.calculation.shafaq, "method \"moonsighting\" only"),
        .integer("hijri-adjustment", -2...2, "days", \.calculation.hijriAdjustment, "days, -2 to 2"),
    ]

    private static let angles: [ConfigKey<Config>] = [
        .number(
            "fajr", 1...30, "degrees below the horizon", example: 18, "degrees below the horizon",
            get: { $0.calculation.angles?.fajr }, set: { $0.calculation.custom.fajr = $1 }),
        .number(
            "isha", 1...30, "degrees below the horizon", example: 17, "or isha-minutes",
            get: { $0.calculation.angles?.ishaAngle }, set: { $0.calculation.custom.isha = .angle($1) }),
        .number(
            "isha-minutes", 1...300, "minutes after maghrib", example: 90, "minutes after maghrib",
            get: { $0.calculation.angles?.ishaMinutes }, set: { $0.calculation.custom.isha = .minutes($1) }),
        .number(
            "maghrib", 0...15, "degrees below the horizon, 0 is sunset", example: 0,
            "0 is sunset; or an angle such as 4.5",
            get: { $0.calculation.angles?.maghrib }, set: { $0.calculation.custom.maghrib = $1 }),
    ]

    private static let adjustments: [ConfigKey<Config>] = [
        .integer("fajr", minutes, "minutes", \.calculation.adjustments.fajr, ""),
        .integer("sunrise", minutes, "minutes", \.calculation.adjustments.sunrise, ""),
        .integer("dhuhr", minutes, "minutes", \.calculation.adjustments.dhuhr, ""),
        .integer("asr", minutes, "minutes", \.calculation.adjustments.asr, ""),
        .integer("maghrib", minutes, "minutes", \.calculation.adjustments.maghrib, ""),
        .integer("isha", minutes, "minutes", \.calculation.adjustments.isha, ""),
    ]

    private static let minutes = -60...60

    private static let roundings: [ConfigKey<Config>] = [
        .optionalChoice("fajr", \.calculation.roundingByEvent.fajr, example: .up, ""),
        .optionalChoice("sunrise", \.calculation.roundingByEvent.sunrise, example: .down, ""),
        .optionalChoice("dhuhr", \.calculation.roundingByEvent.dhuhr, example: .up, ""),
        .optionalChoice("asr", \.calculation.roundingByEvent.asr, example: .up, ""),
        .optionalChoice("maghrib", \.calculation.roundingByEvent.maghrib, example: .up, ""),
        .optionalChoice("isha", \.calculation.roundingByEvent.isha, example: .up, ""),
    ]

    private static let audio: [ConfigKey<Config>] = [
        .texts(
            "devices", .texts(.device, orOne: false), \.devices,
            "ALSA names, tried in order at every announcement"),
        .duration(
            "preroll", 0...60, \.preroll, "silence first, for HDMI or amplifiers that need time to wake"),
        .duration("fade-out", 0...60, \.fadeOut, "on stop and mute"),
    ]

    private static let control: [ConfigKey<Config>] = [
        .text(
            "group", .text(.group), \.controlGroup,
            "who, besides root and the daemon's own user, may change things")
    ]

    private static let debug: [ConfigKey<Config>] = [
        .flag("triggers", \.debugTriggers, "whether `adhanctl debug trigger` is answered")
    ]
}

extension Config {
    /// The location, made when the first of its keys is set; that both coordinates are given is checked before.
    fileprivate var place: ConfiguredLocation {
        get { location ?? ConfiguredLocation(latitude: 0, longitude: 0) }
        set { location = newValue }
    }
}

extension CalculationSettings {
    /// The custom angles, made when the first of them is set; that fajr and isha are given is checked before.
    fileprivate var custom: CustomAngles {
        get { angles ?? CustomAngles(fajr: 18, isha: .angle(17)) }
        set { angles = newValue }
    }
}

extension CustomAngles {
    fileprivate var ishaAngle: Double? {
        if case .angle(let angle) = isha { angle } else { nil }
    }

    fileprivate var ishaMinutes: Double? {
        if case .minutes(let minutes) = isha { minutes } else { nil }
    }
}
