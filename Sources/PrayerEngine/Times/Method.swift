/// A model of one authority: its computation, its inputs, and the adjustments of its results.
public struct Method: Sendable, Equatable {
    /// The name that configuration uses, such as `umm-al-qura`.
    public let name: String
    /// Further names of the method.
    public var aliases: [String] = []
    /// The method's number at AlAdhan, where it has one.
    public let number: Int?
    /// The authority's name.
    public let title: String
    /// The region where it is used.
    public let region: String
    /// The origin of the figures, with the year or the number of published days with which they were compared.
    public let source: String
    /// Degrees of the Sun's centre below the horizon at Fajr.
    public let fajrAngle: Double
    /// The rule for Isha, everywhere or in the authority's own country.
    public let isha: Isha
    /// Degrees below the horizon at Maghrib; 0 is sunset.
    public var maghribAngle = 0.0
    /// Degrees of the Sun's centre below the horizon at sunrise and at sunset, seen from the height of the land.
    public var sunriseDepressionDegrees = Observer.horizonDepression
    /// Degrees of the Sun's centre below the horizon at sunset; see ``sunriseDepressionDegrees``.
    public var sunsetDepressionDegrees = Observer.horizonDepression
    /// The effect of the place's height.
    public var elevation = ElevationRule()
    /// The moment for which the Sun's position is computed, for all events; another one applies to the daytime events Dhuhr and
    /// Asr.
    public var ephemeris = Ephemeris.exact
    /// The moment of the Sun's position for Dhuhr and Asr; `nil`: ``ephemeris``, as for all other events.
    public var daylightEphemeris: Ephemeris?
    /// The moment of the Sun's position for Fajr, below the latitude ``CalculationPlan/dawnLatitude``, where the authority uses
    /// another one.
    public var dawnEphemeris: Ephemeris?
    /// Hours after 0 h UT of the date at which the declination is taken for Asr's noon shadow; `nil`: at Asr itself.
    public var noonShadowHour: Double?
    /// The authority's school; used unless configured otherwise.
    public var asr = AsrSchool.standard
    /// Minutes that the authority's own tables add.
    public var offsets = EventOffsets()
    /// The offsets before the authority changed its rule.
    var earlierOffsets: EarlierOffsets?
    /// Minutes that the authority's own tables add in Ramadan, on top of ``offsets``.
    public var ramadanOffsets = EventOffsets()
    var seasonalOffsets: PerEvent<YearCurve>?
    /// Minutes from imsak to Fajr.
    public var imsakMinutes = 10.0
    /// The rounding in the authority's tables; used unless configured otherwise.
    public var rounding = Rounding.nearest
    /// The rounding of single events, which overrides ``rounding``; `nil` for an event: ``rounding`` applies.
    public var roundingByEvent = PerEvent<EventRounding?>(all: nil)
    /// The night whose middle is midnight; used unless configured otherwise.
    public var midnight = MidnightRule.standard
    /// The angle of Fajr before a decree changed it.
    public var earlierFajr: EarlierFajr?
    /// Minutes that bound Fajr and Isha by the season; `nil`: only the Sun determines them.
    public var season: Season?
    /// The printed times for nights that do not become dark; used while the high-latitude rule is `auto`.
    var shortNights: ShortNights?
    /// The rule outside the authority's own country.
    var abroad: Abroad?
    /// The towns whose tables determine those of all others, where the authority works in that way.
    var centres: TableCentres?
    /// The places for which the authority publishes, where it does not compute for every town.
    public var places = ReferencePlaces.none

    /// The source of the season's minutes from Fajr to sunrise and from sunset to Isha.
    public enum Season: Sendable, Equatable {
        /// The Moonsighting Committee's functions of date and latitude.
        case moonsighting
        /// A town's table, used for every place.
        case table(SeasonTable)
    }

    /// The authority's rule for Isha.
    public enum Isha: Sendable, Equatable {
        /// Degrees below the horizon.
        case angle(Double)
        /// Minutes after Maghrib, usually and in Ramadan.
        case minutes(Double, ramadan: Double)
    }

    struct Abroad: Sendable, Equatable {
        /// A box of degrees around the authority's own country.
        let home: (latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>)
        let isha: Isha
        let shortNights: ShortNights

        func holds(at place: Place) -> Bool {
            !home.latitudes.contains(place.latitude) || !home.longitudes.contains(place.longitude)
        }

        static func == (a: Abroad, b: Abroad) -> Bool {
            a.home == b.home && a.isha == b.isha && a.shortNights == b.shortNights
        }
    }

    struct EarlierOffsets: Sendable, Equatable {
        let offsets: EventOffsets
        /// The first day of the present minutes.
        let until: CivilDate
    }

    /// An angle of Fajr that applied until a decree changed it.
    public struct EarlierFajr: Sendable, Equatable {
        /// Degrees below the horizon.
        public let angle: Double
        /// The first day of the present angle.
        public let until: CivilDate
    }

    init(
        _ name: String, _ number: Int?, _ title: String, region: String, source: String, fajr: Double,
        isha: Isha, _ change: (inout Method) -> Void = { _ in }
    ) {
        self.name = name
        self.number = number
        self.title = title
        self.region = region
        self.source = source
        fajrAngle = fajr
        self.isha = isha
        change(&self)
    }

    /// Returns a method by one of its names or by AlAdhan's number, as text.
    public static func named(_ text: String) -> Method? {
        if let number = Int(text) { return all.first { $0.number == number } }
        return all.first { $0.name == text || $0.aliases.contains(text) }
    }

    /// Makes a method with custom angles.
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
            "custom", 99, "Custom", region: "", source: "the configuration", fajr: fajr, isha: isha
        ) {
            $0.maghribAngle = maghrib
            // No authority's practice determines the school, so keep the default of the first version.
            $0.asr = .hanafi
        }
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

    /// Whether Fajr and Isha follow the season's minutes.
    public var isSeasonal: Bool { season != nil }

    /// Whether Fajr and Isha come from a town's table instead of an angle.
    public var followsTable: Bool {
        if case .table = season { true } else { false }
    }

    /// The first day of the present minutes, where the authority printed others before.
    public var offsetsSince: CivilDate? { earlierOffsets?.until }

    /// Whether the table's minutes change through the year.
    public var hasSeasonalOffsets: Bool { seasonalOffsets != nil }

    /// The rule for Isha outside the authority's own country, where it differs.
    public var ishaAbroad: Isha? { abroad?.isha }

    /// Whether the authority has a rule of its own for nights that do not become dark.
    public var knowsShortNights: Bool { shortNights != nil || abroad != nil }

    /// The names of the towns whose tables determine those of all others.
    public var centreNames: [String] { centres?.centres.map(\.name) ?? [] }

    /// Whether any of the times differs in Ramadan.
    var knowsRamadan: Bool {
        if case .minutes(let usual, let ramadan) = isha, usual != ramadan { return true }
        return ramadanOffsets != EventOffsets()
    }
}

/// The moment for which the Sun's declination and the equation of time are computed. Historical tables used one value a day, and
/// many still do.
public enum Ephemeris: Sendable, Equatable {
    /// The moment of the event itself.
    case exact
    /// A fixed number of hours after 0 h UT of the date.
    case fixed(hour: Double)
    /// 0 h UT of the same day and month of one year, for a table that is reprinted every year.
    case perpetual(year: Int)
    /// The event itself, on the same day and month of one year, for a reprinted table that was computed with a moving Sun.
    case perpetualExact(year: Int)

    /// The day of UT1 since 1970, if all events share it; `nil`: the moment of the event itself.
    func day(of index: Int) -> Double? {
        switch self {
        case .exact, .perpetualExact: nil
        case .fixed(let hour): Double(index) + hour / 24
        case .perpetual(let year): Double(Self.index(index, in: year))
        }
    }

    /// The solar day that supplies the Sun's position for a solar day.
    func index(of index: Int) -> Int {
        if case .perpetualExact(let year) = self { Self.index(index, in: year) } else { index }
    }

    /// The same day and month in another year.
    private static func index(_ index: Int, in year: Int) -> Int {
        let date = CivilDate(dayNumber: index)
        return CivilDate.dayNumber(year: year, month: date.month, day: date.day)
    }
}

/// The effect of the land's height on the horizon.
public struct ElevationRule: Sendable, Equatable {
    /// Minutes of arc per square root of a metre: 1.76 with terrestrial refraction (Admiralty Manual of Navigation; Nautical
    /// Almanac, "Dip").
    public var dipMinutes = 1.76
    /// Whether Fajr and Isha are counted from the lowered horizon as well.
    public var lowersTwilight = false
    /// Whether the authority considers the height of each town.
    public var isTown = false
}
