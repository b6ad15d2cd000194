/// A convention for calculating the times: angles or intervals, and what its authority adds and how it
/// rounds.
public struct Method: Sendable, Equatable {
    /// The name that configuration uses, such as `umm-al-qura`.
    public let name: String
    /// AlAdhan's number for it.
    public let number: Int
    /// The authority's name.
    public let title: String
    /// Where it is used.
    public let region: String
    /// Where the figures come from.
    public let source: String
    /// Degrees of the Sun's centre below the horizon at Fajr.
    public let fajrAngle: Double
    public let isha: Isha
    /// Degrees below the horizon at Maghrib; 0 is sunset.
    public let maghribAngle: Double
    /// Minutes that the authority's own tables add.
    public let offsets: EventMinutes
    /// How the authority's tables come to whole minutes; used unless the configuration says otherwise.
    public let rounding: Rounding
    /// The night whose middle is midnight; used unless the configuration says otherwise.
    public let midnight: MidnightRule
    /// Whole-minute sunrise is rounded down where the other times are rounded up: both to the safe side.
    public let sunriseRoundsDown: Bool
    /// Degrees of the Sun's centre below the horizon at sunrise.
    public let sunriseDepression: Double
    /// What Fajr's angle was before a decree changed it.
    public let earlierFajr: EarlierFajr?
    /// Whether Fajr and Isha follow the Moonsighting Committee's seasons.
    public let isSeasonal: Bool

    public enum Isha: Sendable, Equatable {
        /// Degrees below the horizon.
        case angle(Double)
        /// Minutes after Maghrib, and in Ramadan.
        case minutes(Double, ramadan: Double)
    }

    public struct EarlierFajr: Sendable, Equatable {
        /// Degrees below the horizon.
        public let angle: Double
        /// The first day of the present angle.
        public let until: CivilDate
    }

    init(
        _ name: String, _ number: Int, _ title: String, region: String, source: String, fajr: Double,
        isha: Isha,
        maghrib: Double = 0, offsets: EventMinutes = EventMinutes(), rounding: Rounding = .nearest,
        midnight: MidnightRule = .standard, sunriseRoundsDown: Bool = false,
        sunriseDepression: Double = Observer.horizonDepression, earlierFajr: EarlierFajr? = nil,
        isSeasonal: Bool = false
    ) {
        self.name = name
        self.number = number
        self.title = title
        self.region = region
        self.source = source
        fajrAngle = fajr
        self.isha = isha
        maghribAngle = maghrib
        self.offsets = offsets
        self.rounding = rounding
        self.midnight = midnight
        self.sunriseRoundsDown = sunriseRoundsDown
        self.sunriseDepression = sunriseDepression
        self.earlierFajr = earlierFajr
        self.isSeasonal = isSeasonal
    }

    /// A method by its name or, as text, AlAdhan's number.
    public static func named(_ text: String) -> Method? {
        if let number = Int(text) { return all.first { $0.number == number } }
        return all.first { $0.name == text }
    }

    /// The method of one's own angles.
    ///
    /// - Parameters:
    ///   - fajr: degrees below the horizon, 0 < fajr ≤ 30.
    ///   - isha: an angle 0 < isha ≤ 30, or minutes after Maghrib, 0 < minutes ≤ 300.
    ///   - maghrib: degrees below the horizon, 0 (sunset) to 15, and less than Isha's.
    public static func custom(fajr: Double, isha: Isha, maghrib: Double = 0) throws(EngineError) -> Method {
        try check("fajr angle", fajr, above: 0, upTo: 30, unit: "degrees")
        switch isha {
        case .angle(let angle):
            try check("isha angle", angle, above: 0, upTo: 30, unit: "degrees")
            guard maghrib < angle else {
                throw .contradiction("maghrib angle \(maghrib) must be smaller than isha angle \(angle)")
            }
        case .minutes(let minutes, let ramadan):
            try check("isha minutes", minutes, above: 0, upTo: 300, unit: "minutes")
            try check("isha minutes in Ramadan", ramadan, above: 0, upTo: 300, unit: "minutes")
        }
        guard (0.0...15).contains(maghrib) else {
            throw .outOfRange(what: "maghrib angle", value: maghrib, allowed: "0 to 15 degrees")
        }
        return Method(
            "custom", 99, "Custom", region: "", source: "the configuration", fajr: fajr, isha: isha,
            maghrib: maghrib)
    }

    private static func check(
        _ what: String, _ value: Double, above: Double, upTo limit: Double, unit: String
    ) throws(EngineError) {
        guard value > above, value <= limit else {
            throw .outOfRange(
                what: what, value: value,
                allowed: "above \(above.shortText), up to \(limit.shortText) \(unit)")
        }
    }

    /// Fajr's angle on a date.
    func fajrAngle(on date: CivilDate) -> Double {
        if let earlierFajr, date < earlierFajr.until { return earlierFajr.angle }
        return fajrAngle
    }
}

/// Minutes for the six events that tables and users shift.
public struct EventMinutes: Sendable, Equatable {
    public var fajr: Int
    public var sunrise: Int
    public var dhuhr: Int
    public var asr: Int
    public var maghrib: Int
    public var isha: Int

    public init(
        fajr: Int = 0, sunrise: Int = 0, dhuhr: Int = 0, asr: Int = 0, maghrib: Int = 0, isha: Int = 0
    ) {
        self.fajr = fajr
        self.sunrise = sunrise
        self.dhuhr = dhuhr
        self.asr = asr
        self.maghrib = maghrib
        self.isha = isha
    }

    /// Minutes for an event; 0 for those that are never shifted by themselves.
    public subscript(event: DayEvent) -> Int {
        get {
            switch event {
            case .fajr: fajr
            case .sunrise: sunrise
            case .dhuhr: dhuhr
            case .asr: asr
            case .maghrib: maghrib
            case .isha: isha
            case .imsak, .sunset, .midnight, .lastThird: 0
            }
        }
        set {
            switch event {
            case .fajr: fajr = newValue
            case .sunrise: sunrise = newValue
            case .dhuhr: dhuhr = newValue
            case .asr: asr = newValue
            case .maghrib: maghrib = newValue
            case .isha: isha = newValue
            case .imsak, .sunset, .midnight, .lastThird: break
            }
        }
    }
}
