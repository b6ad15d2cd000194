/// The values that are the same for every day of the computed times, worked out once. A class, so that passing it on
/// costs nothing.
final class CalculationPlan: Sendable, Equatable {
    let observer: Observer
    let longitude: Double
    /// Metres by which the horizon is lowered: the user's own figure, the authority's, or the town's.
    let elevationMetres: Double
    let calculation: Calculation
    /// The place for which the authority computes, where it is not the user's own.
    let reference: ReferencePlace?
    /// The town whose table determines this place's, where whole months share their minutes.
    let centre: TableCentres.Centre?
    /// Isha's rule at this place.
    let isha: Method.Isha
    /// The authority's own rule for nights that do not become dark.
    let shortNights: ShortNights?
    /// The moment of the Sun's position for Fajr, where the authority uses another one.
    let dawnEphemeris: Ephemeris?
    /// The angle of Fajr before a decree changed it here.
    private let earlierFajr: Method.EarlierFajr?
    /// Degrees by which Fajr's and Isha's angles deepen where the height of the land affects them.
    let twilightDipDegrees: Double
    /// The rule for nights, and the one for days without sunrise or sunset; `auto` is resolved by latitude.
    let nightRule: HighLatitudeRule
    let polarRule: HighLatitudeRule
    /// The method's values, kept here so that a day reads them without copying the whole method.
    let season: Method.Season?
    let ephemeris: Ephemeris
    let daylightEphemeris: Ephemeris?
    let maghribAngle: Double
    let imsakMinutes: Double
    let knowsRamadan: Bool
    private let fajr: Double
    /// Whether ``steadyOffsets`` are the only offsets outside Ramadan.
    private let isSteady: Bool
    /// The rounding of each event.
    private let roundings: EventRoundings
    /// The minutes of the method and of the place, where they are the same all year.
    private let steadyOffsets: EventOffsets

    var method: Method { calculation.method }

    /// The latitude, in degrees, below which `auto` only needs the middle of the night: the Sun reaches 18° below the
    /// horizon on every night of the year up to 48.5°.
    static let autoLatitude = 48.0

    /// The latitude beyond which the Sun's position of another hour may not reach Fajr's angle on a day on which the true one
    /// does.
    static let dawnLatitude = 45.0

    /// - Parameters:
    ///   - isUntil2023: whether the plan is for the years before the authority adopted other reference points.
    ///   - isFurther: whether the plan is for the reference place's second point.
    ///   - isCentre: whether the plan is for the town whose table determines the place's.
    init(
        place: Place, calculation: Calculation, isUntil2023: Bool = false, isFurther: Bool = false,
        isCentre: Bool = false
    ) {
        let method = calculation.method
        reference = calculation.zone.map { method.places[$0] } ?? method.places.around(place)
        var point = reference?.point ?? .init(latitude: place.latitude, longitude: place.longitude)
        if isUntil2023, let earlier = reference?.pointUntil2023 { point = earlier }
        if isFurther, let further = reference?.further { point = further }
        let centre = reference == nil ? method.centres?.centre(of: place) : nil
        var isShifted = false
        if let centre, let centres = method.centres {
            switch centres.shift {
            case .noon:
                let minutes = ((centre.point.longitude - place.longitude) * 4).rounded()
                point = .init(
                    latitude: centre.point.latitude, longitude: centre.point.longitude - minutes / 4)
            case .monthly where isCentre || centres.isCentre(place, of: centre): point = centre.point
            case .monthly: isShifted = true
            }
        }
        self.centre = isShifted ? centre : nil
        var metres = place.elevationMetres
        if metres == 0 { metres = reference?.elevationMetres ?? 0 }
        if metres == 0, method.elevation.isTown { metres = place.townElevationMetres }
        elevationMetres = metres
        let dip = method.elevation.dipMinutes / 60 * metres.squareRoot()
        observer = Observer(
            latitude: point.latitude, sunrise: method.sunriseDepressionDegrees + dip,
            sunset: method.sunsetDepressionDegrees + dip)
        longitude = point.longitude
        twilightDipDegrees = method.elevation.lowersTwilight ? dip : 0
        self.calculation = calculation
        let abroad = method.abroad.flatMap { $0.holds(at: place) ? $0 : nil }
        isha = reference?.ishaAngle.map { .angle($0) } ?? abroad?.isha ?? method.isha
        var shortNights = abroad?.shortNights ?? method.shortNights
        if case .shares(let rule) = shortNights, point.latitude < rule.latitude { shortNights = nil }
        self.shortNights = calculation.highLatitude == .auto ? shortNights : nil
        dawnEphemeris = abs(point.latitude) < Self.dawnLatitude ? method.dawnEphemeris : nil
        let present = reference?.presentFajrSince
        earlierFajr = method.earlierFajr.map { .init(angle: $0.angle, until: present ?? $0.until) }
        season = method.season
        ephemeris = method.ephemeris
        daylightEphemeris = method.daylightEphemeris
        maghribAngle = method.maghribAngle
        imsakMinutes = method.imsakMinutes
        knowsRamadan = method.knowsRamadan
        fajr = method.fajrAngle
        isSteady = method.earlierOffsets == nil && method.seasonalOffsets == nil
        var roundings = EventRoundings()
        for event in DayEvent.allCases { roundings[event] = calculation.rounding(of: event) }
        self.roundings = roundings
        var offsets = method.offsets
        for event in DayEvent.allCases { offsets[event] += reference?.offsets[event] ?? 0 }
        steadyOffsets = offsets
        switch calculation.highLatitude {
        case .auto:
            nightRule = abs(point.latitude) < Self.autoLatitude ? .middleOfNight : .twilightAngle
            polarRule = .nearestLatitude
        case .nearestLatitude, .nearestDay:
            nightRule = calculation.highLatitude
            polarRule = calculation.highLatitude
        case .frozen:
            nightRule = .frozen
            polarRule = .nearestLatitude
        case .none, .middleOfNight, .oneThird, .oneSeventh, .twilightAngle:
            nightRule = calculation.highLatitude
            // These rules divide a night; where there is no night they do not apply.
            polarRule = .none
        }
    }

    func rounding(of event: DayEvent) -> EventRounding? { roundings[event] }

    /// The method's minutes for an event on a date.
    func offset(of event: DayEvent, on date: CivilDate, isRamadan: Bool) -> Double {
        var minutes = steadyOffsets[event]
        if isSteady, !isRamadan { return minutes }
        if let earlier = method.earlierOffsets, date < earlier.until {
            minutes += earlier.offsets[event] - method.offsets[event]
        }
        if isRamadan { minutes += method.ramadanOffsets[event] }
        if let curve = method.seasonalOffsets?.value(at: event) { minutes += curve.minutes(on: date) }
        return minutes
    }

    /// Fajr's angle on a date.
    func fajrAngle(on date: CivilDate) -> Double {
        (earlierFajr(on: date)?.angle ?? fajr) + twilightDipDegrees
    }

    /// The angle of Fajr that applied on a date, if a decree changed it later.
    func earlierFajr(on date: CivilDate) -> Method.EarlierFajr? {
        guard let earlierFajr, date < earlierFajr.until else { return nil }
        return earlierFajr
    }

    static func == (a: CalculationPlan, b: CalculationPlan) -> Bool {
        a.observer.latitude == b.observer.latitude && a.longitude == b.longitude
            && a.observer.sunsetDepressionDegrees == b.observer.sunsetDepressionDegrees
            && a.calculation == b.calculation
    }
}

/// A rounding for each event.
private struct EventRoundings: Sendable {
    private var values = InlineArray<10, EventRounding?>(repeating: nil)

    subscript(event: DayEvent) -> EventRounding? {
        get { values[event.ordinal] }
        set { values[event.ordinal] = newValue }
    }
}
