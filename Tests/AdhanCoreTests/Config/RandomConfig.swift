import PrayerEngine
import SeededRandom

@testable import AdhanCore

extension Config {
    /// Any configuration that a file can say.
    static func random(using random: inout SplitMix64) -> Config {
        var config = Config.default
        if Bool.random(using: &random) { config.timezone = "Europe/Berlin" }
        if Bool.random(using: &random) {
            config.location = ConfiguredLocation(
                name: Bool.random(using: &random) ? "A\"\\'é ☪" : nil,
                latitude: .random(in: -90...90, using: &random),
                longitude: .random(in: -180...180, using: &random),
                elevation: Double(Int.random(in: 0...9000, using: &random)))
        }
        config.calculation.method =
            (Method.all.map(\.name) + [CalculationSettings.custom]).randomElement(using: &random) ?? "isna"
        if config.calculation.method == CalculationSettings.custom {
            config.calculation.angles = CustomAngles(
                fajr: .random(in: 10...20, using: &random),
                isha: Bool.random(using: &random) ? .angle(17) : .minutes(77.5))
        }
        if Bool.random(using: &random) { config.calculation.rounding = .up }
        if Bool.random(using: &random) {
            config.calculation.adjustments = EventMinutes(sunrise: -60, asr: 60)
        }
        for prayer in Prayer.allCases where Bool.random(using: &random) {
            config[prayer].enabled = .random(using: &random)
            config[prayer].volume = .random(in: 0...100, using: &random)
            config[prayer].sound = Bool.random(using: &random) ? ["silent"] : ["a b", "/x/\"y\".mp3"]
            config[prayer].reminders = Bool.random(using: &random) ? [] : [600, 1, 21_600]
            config[prayer].lateGrace = Double(Int.random(in: 0...21_600, using: &random))
        }
        config.preroll = Double(Int.random(in: 0...60, using: &random))
        config.debugTriggers = .random(using: &random)
        return config
    }
}
