import ArgumentParser
import Console
import Maintenance
import PrayerEngine
import Settings

/// The calculation options as text, which the configuration's schema checks with its own messages.
struct CalculationArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A town, such as \"cordoba, spain\", coordinates, or a map's address.", valueName: "name"))
    var city: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees, north positive.", valueName: "degrees"))
    var latitude: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Degrees, east positive.", valueName: "degrees"))
    var longitude: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Such as Europe/Berlin (default for another place: its own).", valueName: "zone"),
        completion: .zones)
    var timezone: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Metres; above 0 the horizon lies lower.", valueName: "metres"))
    var elevation: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("One that \"adhanctl methods\" lists, or custom.", valueName: "name"),
        completion: .methods)
    var method: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("A region of the method's authority, such as WLY01 of jakim.", valueName: "code"))
    var zone: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("standard or hanafi (default: the method's own).", valueName: "school"),
        completion: .names(of: AsrSchool.self))
    var asr: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "auto, none, middle-of-night, one-third, one-seventh, twilight-angle, nearest-latitude, nearest-day or frozen.",
            valueName: "rule"), completion: .names(of: HighLatitudeRule.self))
    var highLatitude: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("nearest, up, safe or none.", valueName: "rounding"),
        completion: .names(of: Rounding.self))
    var rounding: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("standard or jafari.", valueName: "rule"),
        completion: .names(of: MidnightRule.self))
    var midnight: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With moonsighting: general, ahmer or abyad.", valueName: "twilight"),
        completion: .names(of: Shafaq.self))
    var shafaq: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("With custom: degrees.", valueName: "degrees"))
    var fajrAngle: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("With custom: degrees.", valueName: "degrees"))
    var ishaAngle: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("With custom: after Maghrib.", valueName: "minutes"))
    var ishaMinutes: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With custom: degrees; 0 is sunset.", valueName: "degrees"))
    var maghribAngle: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Minutes added to one time, such as fajr=-2; repeatable.", valueName: "prayer=min"),
        completion: .adjustments)
    var adjust: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("-2 to 2.", valueName: "days"))
    var hijriAdjustment: String?

    @Option(
        help: ArgumentHelp("Read this configuration for what is left out above.", valueName: "file"),
        completion: .configurations)
    var config: String?

    var options: CalculationOptions {
        var options = CalculationOptions()
        options.latitude = latitude
        options.longitude = longitude
        options.timezone = timezone
        options.elevation = elevation
        options.method = method
        options.zone = zone
        options.asr = asr
        options.highLatitude = highLatitude
        options.rounding = rounding
        options.midnight = midnight
        options.shafaq = shafaq
        options.fajrAngle = fajrAngle
        options.ishaAngle = ishaAngle
        options.ishaMinutes = ishaMinutes
        options.maghribAngle = maghribAngle
        options.adjustments = adjust
        options.hijriAdjustment = hijriAdjustment
        return options
    }

    /// The configuration that the options override: the one of `--config`, else that of the adhand that answers.
    func configuration(_ place: StatePlace?) throws(CommandError) -> LocalConfiguration {
        // A file given on the command line is used without the daemon's settings.
        try LocalConfiguration(
            file: config ?? place?.configuration, over: config == nil ? place?.settings : nil,
            fleet: config == nil ? place?.fleet : nil)
    }

    /// Whether the options give a place.
    var isPlaced: Bool { city != nil || latitude != nil && longitude != nil }

    /// Whether everything comes from the configuration.
    var isEmpty: Bool { city == nil && config == nil && options == CalculationOptions() }

    func validate() throws {
        if city != nil, latitude != nil || longitude != nil {
            throw ValidationError("--city and --latitude with --longitude exclude each other")
        }
    }
}
