import PrayerEngine
import Testing

@testable import Console
@testable import Settings
@testable import Texts

@Suite("Calculation options")
struct CalculationOptionsTests {
    private static let queens: Config = {
        var config = Config.default
        config.location = ConfiguredLocation(
            name: "Queens", latitude: 40.7282, longitude: -73.7949, elevationMetres: 20)
        return config
    }()

    typealias Edit = @Sendable (inout CalculationOptions) -> Void

    private static func options(_ edit: Edit) -> CalculationOptions {
        var options = CalculationOptions()
        edit(&options)
        return options
    }

    @Test("Left out, everything comes from the configuration")
    func nothing() throws {
        #expect(try CalculationOptions().apply(to: Self.queens) == Self.queens)
    }

    @Test("Another place has neither the name nor the height of the configured one")
    func place() throws {
        let moved = try Self.options { $0.latitude = "-33.87" }.apply(to: Self.queens)
        let here = ConfiguredLocation(latitude: -33.87, longitude: -73.7949, elevationMetres: 0)
        #expect(moved.location == here)
        var fez = Self.queens
        fez.location?.townElevationMetres = 400
        #expect(try Self.options { $0.latitude = "30" }.apply(to: fez).location?.townElevationMetres == 0)
        let both = Self.options { ($0.latitude, $0.longitude, $0.elevation) = ("1e1", "20", "300") }
        let there = ConfiguredLocation(latitude: 10, longitude: 20, elevationMetres: 300)
        #expect(try both.apply(to: .default).location == there)
    }

    @Test("Every option reaches its setting")
    func settings() throws {
        let options = Self.options {
            $0.timezone = "Europe/Oslo"
            $0.method = "2"
            $0.asr = "standard"
            $0.highLatitude = "one-seventh"
            $0.rounding = "none"
            $0.midnight = "jafari"
            $0.shafaq = "ahmer"
            $0.hijriAdjustment = "-1"
            $0.adjustments = ["fajr=-2", "Isha=3", "isha=5"]
        }
        let config = try options.apply(to: Self.queens)
        #expect(config.timezone == "Europe/Oslo")
        let calculation = config.calculation
        #expect(calculation.method == "isna")
        #expect(calculation.asr?.rawValue == "standard")
        #expect(calculation.highLatitude?.rawValue == "one-seventh")
        #expect(calculation.rounding?.rawValue == "none")
        #expect(calculation.midnight?.rawValue == "jafari")
        #expect(calculation.shafaq.rawValue == "ahmer")
        #expect(calculation.hijriAdjustment == -1)
        #expect(calculation.adjustments.fajr == -2)
        #expect(calculation.adjustments.isha == 5, "the last of several holds")
        #expect(config.location == Self.queens.location)
    }

    @Test("Angles of one's own make the method custom, and a named method drops configured ones")
    func angles() throws {
        let options = Self.options { ($0.fajrAngle, $0.ishaMinutes, $0.maghribAngle) = ("18.5", "90", "4") }
        let config = try options.apply(to: Self.queens)
        #expect(config.calculation.method == "custom")
        #expect(
            config.calculation.angles
                == CustomAngles(fajrDegrees: 18.5, isha: .minutes(90), maghribDegrees: 4))

        let partly = try Self.options { $0.ishaAngle = "17" }.apply(to: config)
        #expect(
            partly.calculation.angles
                == CustomAngles(fajrDegrees: 18.5, isha: .angle(degrees: 17), maghribDegrees: 4))

        let named = try Self.options { $0.method = "mwl" }.apply(to: config)
        #expect(named.calculation.method == "mwl")
        #expect(named.calculation.angles == nil)
    }

    static let mistakes: [(Edit, String)] = [
        (
            { $0.latitude = "91" },
            "--latitude must be a number from -90 to 90 (degrees, north positive), not \"91\""
        ),
        (
            { $0.latitude = "nan" },
            "--latitude must be a number from -90 to 90 (degrees, north positive), not \"nan\""
        ),
        (
            { $0.latitude = "inf" },
            "--latitude must be a number from -90 to 90 (degrees, north positive), not \"inf\""
        ),
        (
            { $0.latitude = "" },
            "--latitude must be a number from -90 to 90 (degrees, north positive), not \"\""
        ),
        (
            { $0.latitude = "0x10" },
            "--latitude must be a number from -90 to 90 (degrees, north positive), not \"0x10\"; did you mean 16.0?"
        ),
        (
            { $0.latitude = "40.7°" },
            "--latitude must be a number from -90 to 90 (degrees, north positive), not \"40.7°\"; did you mean 40.7?"
        ),
        (
            { $0.longitude = "-181" },
            "--longitude must be a number from -180 to 180 (degrees, east positive), not \"-181\""
        ),
        ({ $0.elevation = "-1" }, "--elevation must be a number from 0 to 9000 (metres), not \"-1\""),
        (
            { $0.asr = "hanaffi" },
            "--asr must be one of \"standard\", \"hanafi\", not \"hanaffi\"; did you mean \"hanafi\"?"
        ),
        (
            { $0.rounding = "down" },
            "--rounding must be one of \"nearest\", \"up\", \"safe\", \"none\", not \"down\""
        ),
        (
            { $0.hijriAdjustment = "3" },
            "--hijri-adjustment must be a whole number from -2 to 2 (days), not \"3\""
        ),
        (
            { $0.timezone = "../etc" },
            "--timezone must be a time zone's name such as \"Europe/Berlin\", not \"../etc\""
        ),
        (
            { $0.adjustments = ["fajr"] },
            "--adjust must be written PRAYER=MINUTES such as fajr=-2, not \"fajr\""
        ),
        (
            { $0.adjustments = ["fajr=61"] },
            "--adjust fajr must be a whole number from -60 to 60 (minutes), not \"61\""
        ),
        (
            { $0.adjustments = ["maghrbi=1"] },
            "--adjust knows fajr, sunrise, dhuhr, asr, maghrib, isha, not \"maghrbi\"; did you mean maghrib?"
        ),
        (
            { ($0.method, $0.fajrAngle) = ("mwl", "18") },
            "--fajr-angle goes with --method custom, not with mwl, which has its own"
        ),
        (
            { $0.method = "custom" },
            "the method custom needs --fajr-angle, and --isha-angle or --isha-minutes"
        ),
        (
            { $0.fajrAngle = "18" },
            "the method custom needs --fajr-angle, and --isha-angle or --isha-minutes"
        ),
        (
            { ($0.fajrAngle, $0.ishaAngle, $0.ishaMinutes) = ("18", "17", "90") },
            "--isha-angle and --isha-minutes exclude each other; give one of them"
        ),
    ]

    @Test("A mistake is one sentence with what is allowed", arguments: mistakes.indices)
    func mistake(index: Int) {
        let (edit, sentence) = Self.mistakes[index]
        #expect(throws: OptionError(sentence)) { try Self.options(edit).apply(to: Self.queens) }
    }

    @Test("Half a place is refused where no other half is configured")
    func halfAPlace() {
        #expect(throws: OptionError("--latitude needs --longitude beside it: no location is configured")) {
            try Self.options { $0.latitude = "40" }.apply(to: .default)
        }
        #expect(throws: OptionError("--longitude needs --latitude beside it: no location is configured")) {
            try Self.options { $0.longitude = "40" }.apply(to: .default)
        }
        let height = "--elevation needs --latitude and --longitude beside it: no location is configured"
        #expect(throws: OptionError(height)) { try Self.options { $0.elevation = "40" }.apply(to: .default) }
    }

    @Test("An unknown method is answered with the names, and the nearest of them")
    func unknownMethod() {
        let error = #expect(throws: OptionError.self) {
            try Self.options { $0.method = "isnaa" }.apply(to: Self.queens)
        }
        #expect(error?.message.hasPrefix("--method must be \"auto\", or a method that") == true)
        #expect(error?.message.hasSuffix("not \"isnaa\"; did you mean \"isna\"?") == true)
    }
}
