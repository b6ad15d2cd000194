import PrayerEngine
package import Texts

/// The calculation options of the command line: texts as typed, which ``apply(to:)`` checks with the same table of keys as the
/// configuration, so that both accept the same values and report the same errors.
package struct CalculationOptions: Sendable, Equatable {
    package var latitude: String?
    package var longitude: String?
    package var elevation: String?
    package var timezone: String?
    package var method: String?
    package var zone: String?
    package var asr: String?
    package var highLatitude: String?
    package var rounding: String?
    package var midnight: String?
    package var shafaq: String?
    package var fajrAngle: String?
    package var ishaAngle: String?
    package var ishaMinutes: String?
    package var maghribAngle: String?
    package var hijriAdjustment: String?
    /// Adjustments: `PRAYER=MINUTES`.
    package var adjustments: [String] = []

    package init() {}

    /// Whether the place differs from the configuration's.
    package var movesPlace: Bool { latitude != nil || longitude != nil }

    /// The settings for another place than the configured one, which has its own practice. People's decisions about the calendar
    /// stay.
    private static func practice(besides own: CalculationSettings) -> CalculationSettings {
        var settings = CalculationSettings()
        settings.hijriRule = own.hijriRule
        settings.hijriAdjustment = own.hijriAdjustment
        settings.hijriPins = own.hijriPins
        settings.hijriDayBegins = own.hijriDayBegins
        return settings
    }

    /// The configuration with the options over it.
    package func apply(to configured: Config) throws(OptionError) -> Config {
        var config = configured
        if movesPlace { config.calculation = Self.practice(besides: config.calculation) }
        try setPlace(of: &config)
        try setMethod(of: &config)
        let calculation = ["calculation"]
        try set(&config, "--timezone", ["timezone"], timezone)
        // A zone belongs to a method: a zone configured for another method is meaningless here.
        if method != nil { config.calculation.zone = nil }
        try set(&config, "--zone", calculation + ["zone"], zone)
        try set(&config, "--asr", calculation + ["asr"], asr.map(Spelling.school))
        try set(&config, "--high-latitude", calculation + ["high-latitude"], highLatitude)
        try set(&config, "--rounding", calculation + ["rounding"], rounding)
        try set(&config, "--midnight", calculation + ["midnight"], midnight)
        try set(&config, "--shafaq", calculation + ["shafaq"], shafaq)
        try set(&config, "--hijri-adjustment", calculation + ["hijri-adjustment"], hijriAdjustment)
        for adjustment in adjustments { try adjust(&config, adjustment) }
        return config
    }

    private func setPlace(of config: inout Config) throws(OptionError) {
        if movesPlace {
            if config.location == nil, latitude == nil || longitude == nil {
                let (given, missing) =
                    latitude == nil ? ("--longitude", "--latitude") : ("--latitude", "--longitude")
                throw OptionError("\(given) needs \(missing) beside it: no location is configured")
            }
            // Another place: neither the name nor the height applies.
            config.location?.name = nil
            config.location?.elevationMetres = 0
            config.location?.townElevationMetres = 0
        }
        try set(&config, "--latitude", ["location", "latitude"], latitude)
        try set(&config, "--longitude", ["location", "longitude"], longitude)
        if elevation != nil, config.location == nil {
            throw OptionError(
                "--elevation needs --latitude and --longitude beside it: no location is configured")
        }
        try set(&config, "--elevation", ["location", "elevation"], elevation)
    }

    private func setMethod(of config: inout Config) throws(OptionError) {
        let angles = [
            ("--fajr-angle", "fajr", fajrAngle), ("--isha-angle", "isha", ishaAngle),
            ("--isha-minutes", "isha-minutes", ishaMinutes), ("--maghrib-angle", "maghrib", maghribAngle),
        ]
        try set(&config, "--method", ["calculation", "method"], method.map(Spelling.method))
        let firstAngle = angles.first { $0.2 != nil }?.0
        if method != nil || firstAngle != nil { config.calculation.isOption = true }
        if method != nil, config.calculation.method != CalculationSettings.custom {
            if let firstAngle {
                throw OptionError(
                    "\(firstAngle) goes with --method custom, not with \(config.calculation.method), which has its own"
                )
            }
            config.calculation.angles = nil
            return
        }
        guard firstAngle != nil || config.calculation.method == CalculationSettings.custom else { return }
        if ishaAngle != nil, ishaMinutes != nil {
            throw OptionError("--isha-angle and --isha-minutes exclude each other; give one of them")
        }
        if config.calculation.angles == nil {
            guard fajrAngle != nil, ishaAngle != nil || ishaMinutes != nil else {
                throw OptionError("the method custom needs --fajr-angle, and --isha-angle or --isha-minutes")
            }
        }
        config.calculation.method = CalculationSettings.custom
        for (option, key, text) in angles {
            try set(&config, option, ["calculation", "angles", key], text)
        }
    }

    private func adjust(_ config: inout Config, _ text: String) throws(OptionError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let names = ConfigSchema.index.names(in: ["calculation", "adjustments"])
        guard parts.count == 2 else {
            throw OptionError("--adjust must be written PRAYER=MINUTES such as fajr=-2, not \"\(text)\"")
        }
        let typed = parts[0].lowercased()
        let name = Spelling.prayer(typed)?.event.rawValue ?? Spelling.event(typed)?.rawValue ?? typed
        guard names.contains(name) else {
            let near = NearestName.of(name, among: names).map { "; did you mean \($0)?" } ?? ""
            throw OptionError("--adjust knows \(names.joined(separator: ", ")), not \"\(parts[0])\"\(near)")
        }
        try set(&config, "--adjust \(name)", ["calculation", "adjustments", name], String(parts[1]))
    }

    /// Checks one text with the rule of a key, and sets it.
    private func set(
        _ config: inout Config, _ option: String, _ path: [String], _ text: String?
    ) throws(OptionError) {
        guard let text else { return }
        let table = Array(path.dropLast())
        guard
            let key = ConfigSchema.sections.first(where: { $0.path == table })?.keys
                .first(where: { $0.name == path.last })
        else { throw OptionError("\(option) is not known to this version") }
        do throws(ValueRule.ValueError) {
            key.set(&config, try key.rule.check(WrittenValue(option: text, for: key.rule)))
        } catch {
            let because = error.because.map { ": \($0)" } ?? ""
            let hint = error.hint.map { "; did you mean \($0)?" } ?? ""
            throw OptionError("\(option) must be \(key.rule.allowed), not \"\(text)\"\(because)\(hint)")
        }
    }
}

extension WrittenValue {
    /// The value of an option's text for its rule.
    fileprivate init(option text: String, for rule: ValueRule) {
        switch rule {
        case .integer: self = Int(text).map { .integer($0) } ?? .text(text)
        case .number:
            // A plain decimal number: Double would also accept "nan", "inf" and "0x1p3".
            let isDecimal = text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
            }
            self = (isDecimal ? Double(text) : nil).map { .number($0) } ?? .text(text)
        default: self = .text(text)
        }
    }
}
