import PrayerEngine
import Texts

/// Every key of adhand.toml.
enum ConfigSchema {
    static let schema = Schema<Config>(
        initial: .default, parts: parts, pins: ["control", "pinned"],
        relations: { relations($0) + mosqueRelations($0) + outputRelations($0) + fleetRelations($0) },
        check: { config, facts in
            wholeComplaints(config, facts) + mosqueComplaints(config) + quietComplaints(config)
                + callComplaints(config) + outputComplaints(config)
        })

    static let index = schema.index
    static let sections = schema.sections

    private static let parts: [Schema<Config>.Part] =
        [
            .section(.init(path: [], keys: top)),
            .section(
                .init(
                    path: ["location"],
                    meaning: "default: the principal place of the time zone, shown as approximate",
                    keys: location)),
            .section(.init(path: ["calculation"], keys: calculation)),
            .section(
                .init(
                    path: ["calculation", "angles"], meaning: "only with method = \"custom\"", keys: angles)),
            .section(
                .init(
                    path: ["calculation", "rounding-by-event"],
                    meaning: "\"nearest\", \"up\" or \"down\", before rounding", keys: roundings)),
            .section(
                .init(
                    path: ["calculation", "adjustments"], meaning: "minutes, added last", keys: adjustments)),
            .section(
                .init(
                    path: ["timetable"], meaning: "what `adhanctl timetable import` took over",
                    keys: timetable)),
            .family(
                SchemaFamily(
                    adhanTable, meaning: "what every prayer does",
                    example: """
                        # Any of these keys for one prayer alone: fajr, dhuhr, asr, maghrib, isha, jumua (Friday's dhuhr).
                        # [adhan.fajr]
                        # volume = 60
                        # [adhan.dhuhr]
                        # at = "iqama-15m"                # anchored to its iqama
                        """,
                    // jumua comes last in the order of prayers, after dhuhr, from which it inherits.
                    members: Prayer.allCases.map(\.rawValue),
                    base: [Prayer.jumua.rawValue: Prayer.dhuhr.rawValue], initial: AdhanSettings(),
                    keys: adhan,
                    get: { config, name in Prayer(rawValue: name).map { config[$0] } ?? AdhanSettings() },
                    set: { config, name, settings in
                        if let prayer = Prayer(rawValue: name) { config[prayer] = settings }
                    })),
            .section(
                .init(
                    path: ["iqama"], meaning: "when congregations stand up, where it is not published",
                    keys: iqama)),
        ] + iqamaRules.map { .section($0) } + [
            .section(.init(path: ["jumua"], meaning: "Friday's congregations", keys: jumua)),
            .section(
                .init(path: ["ramadan"], meaning: "from the maghrib before its first day", keys: ramadan)),
            .section(.init(path: ["ramadan", "iqama"], meaning: "instead of [iqama]", keys: ramadanIqama)),
            .section(.init(path: ["eid"], keys: eid)),
            .section(.init(path: ["hijri"], keys: hijri)),
            .section(.init(path: ["audio"], keys: audio)),
            .section(.init(path: [], keys: [outputs, quiet, calls])),
            .section(.init(path: ["control"], keys: control)),
            .section(
                .init(path: ["fleet"], meaning: "absent: no envelope changes this box", keys: fleet)),
            .section(.init(path: ["debug"], keys: debug)),
        ]

    /// The keys of `[adhan]` and of `[adhan.<prayer>]`.
    static let adhan: [ConfigKey<AdhanSettings>] = [
        .flag("enabled", \.enabled, "false: no timer, no sound"),
        .sounds(
            "sound", \.sound,
            "a name, a list played one after another, an absolute path, \"silent\", or { rotate = [...] }"),
        .integer("volume", 0...100, "percent", \.volumePercent, "percent of perceived loudness"),
        .duration(
            "late-grace", 0...21_600, \.lateGraceSeconds,
            "how late it may still be called after sleep, a restart or a clock step"),
        .durations(
            "reminders", 1...21_600, \.reminderSeconds, "before the prayer, such as [\"10m\", \"5m\"]"),
        .sound("reminder-sound", \.reminderSound, "what a reminder plays"),
        .duration("fade-in", 0...300, \.fadeInSeconds, "from silence to the volume"),
        ConfigKey(
            name: "at", rule: .text(.beforeIqama), meaning: "anchored to its iqama",
            example: .text("iqama-15m")
        ) {
            $0.beforeIqamaSeconds.map { .text("iqama-\(DurationText.format($0))") }
        } set: { settings, value in
            if case .text(let text) = value {
                settings.beforeIqamaSeconds = AdhanSettings.beforeIqamaSeconds(text)
            }
        },
    ]

    static let adhanTable = "adhan"

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
            get: { $0.location?.elevationMetres }, set: { $0.place.elevationMetres = $1 }),
        .number(
            "town-elevation", 0...9000, "metres", example: 0,
            "metres of the town above the sea, for methods that consider it",
            get: { $0.location?.townElevationMetres }, set: { $0.place.townElevationMetres = $1 }),
    ]

    private static let calculation: [ConfigKey<Config>] = [
        .text(
            "method", .method, \.calculation.method,
            "\"auto\" is the one of the place's country or region; `adhanctl methods` lists them"),
        .optionalText(
            "zone", .text(.label), \.calculation.zone, example: "WLY01",
            "a region that the method's authority publishes for; default: the one that the place lies in"),
        .optionalChoice(
            "asr", \.calculation.asr, example: .hanafi,
            "\"standard\" (shadow 1) or \"hanafi\" (shadow 2); default: the place's or the method's own"),
        .optionalChoice(
            "high-latitude", \.calculation.highLatitude, example: .auto,
            "what stands in where the sun does not go down far enough; default: the place's with method = \"auto\""
        ),
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
            get: { $0.calculation.angles?.fajrDegrees }, set: { $0.calculation.custom.fajrDegrees = $1 }),
        .number(
            "isha", 1...30, "degrees below the horizon", example: 17, "or isha-minutes",
            get: { $0.calculation.angles?.ishaAngle },
            set: { $0.calculation.custom.isha = .angle(degrees: $1) }),
        .number(
            "isha-minutes", 1...300, "minutes after maghrib", example: 90, "minutes after maghrib",
            get: { $0.calculation.angles?.ishaMinutes }, set: { $0.calculation.custom.isha = .minutes($1) }),
        .number(
            "maghrib", 0...15, "degrees below the horizon, 0 is sunset", example: 0,
            "0 is sunset; or an angle such as 4.5",
            get: { $0.calculation.angles?.maghribDegrees }, set: { $0.calculation.custom.maghribDegrees = $1 }
        ),
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
        ConfigKey(
            name: "devices", rule: .texts(.device, orOne: false),
            meaning: "ALSA names, tried in order at every announcement", example: .texts(["default"])
        ) {
            // These keys are not combined with [[output]].
            $0.outputs.isEmpty ? .texts($0.devices) : nil
        } set: { config, value in
            config.devices = value.strings
        },
        .duration(
            "preroll", 0...60, exact: true, \.prerollSeconds,
            "silence first, for HDMI or amplifiers that need time to wake"),
        .duration("fade-out", 0...60, \.fadeOutSeconds, "on stop and mute"),
        .optionalDuration(
            "keep-awake", 60...3600, \.keepAwakeSeconds, example: 300,
            "2 s of a tone too low and too quiet to hear that often, for loudspeakers that fall asleep"),
    ]

    private static let control: [ConfigKey<Config>] =
        [
            .text(
                "group", .text(.group), \.controlGroup,
                "who, besides root and the daemon's own user, may change things")
        ] + commandBounds + [commandGrants]

    private static let debug: [ConfigKey<Config>] = [
        .flag("triggers", \.debugTriggers, "whether `adhanctl debug trigger` is answered")
    ]
}

extension Config {
    /// The location, created when the first of its keys is set; an earlier check ensures both coordinates.
    fileprivate var place: ConfiguredLocation {
        get { location ?? ConfiguredLocation(latitude: 0, longitude: 0) }
        set { location = newValue }
    }
}

extension CalculationSettings {
    /// The custom angles, created when the first of them is set; an earlier check ensures fajr and isha.
    fileprivate var custom: CustomAngles {
        get { angles ?? CustomAngles(fajrDegrees: 18, isha: .angle(degrees: 17)) }
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
