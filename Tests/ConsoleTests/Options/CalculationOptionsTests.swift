import LabSupport
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

    private static let mistakes: [(typed: String, edit: Edit)] = [
        ("--latitude=91", { $0.latitude = "91" }),
        ("--latitude=nan", { $0.latitude = "nan" }),
        ("--latitude=inf", { $0.latitude = "inf" }),
        ("--latitude=", { $0.latitude = "" }),
        ("--latitude=0x10", { $0.latitude = "0x10" }),
        ("--latitude=40.7°", { $0.latitude = "40.7°" }),
        ("--longitude=-181", { $0.longitude = "-181" }),
        ("--elevation=-1", { $0.elevation = "-1" }),
        ("--asr=hanaffi", { $0.asr = "hanaffi" }),
        ("--rounding=down", { $0.rounding = "down" }),
        ("--hijri-adjustment=3", { $0.hijriAdjustment = "3" }),
        ("--timezone=../etc", { $0.timezone = "../etc" }),
        ("--adjust=fajr", { $0.adjustments = ["fajr"] }),
        ("--adjust=fajr=61", { $0.adjustments = ["fajr=61"] }),
        ("--adjust=maghrbi=1", { $0.adjustments = ["maghrbi=1"] }),
        ("--method=mwl --fajr-angle=18", { ($0.method, $0.fajrAngle) = ("mwl", "18") }),
        ("--method=custom", { $0.method = "custom" }),
        ("--fajr-angle=18", { $0.fajrAngle = "18" }),
        (
            "--fajr-angle=18 --isha-angle=17 --isha-minutes=90",
            { ($0.fajrAngle, $0.ishaAngle, $0.ishaMinutes) = ("18", "17", "90") }
        ),
    ]
    private static let halves: [(typed: String, edit: Edit)] = [
        ("--latitude=40", { $0.latitude = "40" }),
        ("--longitude=40", { $0.longitude = "40" }),
        ("--elevation=40", { $0.elevation = "40" }),
    ]

    /// Options as they were typed, each with the sentence that it earns.
    private static func answers(_ mistakes: [(typed: String, edit: Edit)], to config: Config) -> String {
        mistakes.map { typed, edit -> String in
            do throws(OptionError) {
                _ = try options(edit).apply(to: config)
                return "\(typed)\n=> no mistake\n"
            } catch {
                return "\(typed)\n=> \(error.message)\n"
            }
        }.joined()
    }

    @Test("A mistake is one sentence with what is allowed")
    func sentences() throws {
        try ExpectedText.expect(
            Self.answers(Self.mistakes, to: Self.queens), in: "option-mistakes.txt", of: .module)
    }

    @Test("Half a place is refused where no other half is configured")
    func halfAPlace() throws {
        try ExpectedText.expect(Self.answers(Self.halves, to: .default), in: "half-a-place.txt", of: .module)
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
