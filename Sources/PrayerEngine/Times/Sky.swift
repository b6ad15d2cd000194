/// What the Sun does on one solar day at one place; where it does not rise or set, what the rule puts there.
struct Sky: Sendable {
    let solar: SolarDay
    /// The civil date of its noon.
    let date: CivilDate
    let noon: Double
    let sunrise: Mark
    let sunset: Mark
    let asr: Mark
    /// The angles of Fajr, Isha and Maghrib, without any rule. Isha is not a number for a method of minutes,
    /// Maghrib for sunset.
    let fajr: Mark
    let isha: Mark
    let maghrib: Mark

    init(solar: SolarDay, date: CivilDate, noon: Double, plan: Plan) {
        self.solar = solar
        self.date = date
        self.noon = noon
        let here = plan.observer
        fajr = Self.dip(plan.method.fajrAngle(on: date), .morning, solar, here)
        if case .angle(let angle) = plan.method.isha {
            isha = Self.dip(angle, .evening, solar, here)
        } else {
            isha = Mark()
        }
        maghrib =
            plan.method.maghribAngle > 0 ? Self.dip(plan.method.maghribAngle, .evening, solar, here) : Mark()

        var sunrise = Mark(
            solar.crossing(here.sunriseTarget, .morning, at: here), on: solar, above: .midnightSun,
            below: .polarNight)
        var sunset = Mark(
            solar.crossing(here.sunsetTarget, .evening, at: here), on: solar, above: .midnightSun,
            below: .polarNight)
        var asr =
            solar.sineNoonAltitude(at: here) > 0
            ? Mark(
                solar.crossing(plan.asr, .evening, at: here), on: solar, above: .shortShadow, below: .noShadow
            )
            : Mark(note: EventNote(reason: .noShadow))
        let isAsrLate = sunset.exists && asr.exists && asr.seconds >= sunset.seconds
        if !sunrise.exists || !sunset.exists || !asr.exists || isAsrLate {
            plan.standIn(for: solar)?.fill(&sunrise, &asr, &sunset, noon: noon)
        }
        self.sunrise = sunrise
        self.sunset = sunset
        self.asr = asr
    }

    private static func dip(_ angle: Double, _ half: SolarDay.Half, _ day: SolarDay, _ here: Observer) -> Mark
    {
        Mark(
            day.crossing(.depression(angle), half, at: here), on: day, above: .neverSoLow,
            below: .neverSoHigh,
            value: angle)
    }
}

/// What is the same for every day of a timetable, worked out once.
struct Plan: Sendable, Equatable {
    let observer: Observer
    let longitude: Double
    let calculation: Calculation
    let asr: Target
    /// The rule for the night, and that for a Sun that does not rise or set; `auto` resolved by latitude.
    let nightRule: HighLatitudeRule
    let polarRule: HighLatitudeRule

    var method: Method { calculation.method }

    /// Below this latitude (degrees) `auto` never needs more than the middle of the night: 18° below the
    /// horizon is reached on every night of the year up to 48.5°.
    static let autoLatitude = 48.0

    init(place: Place, calculation: Calculation) {
        observer = Observer(
            latitude: place.latitude, elevation: place.elevation,
            sunrise: calculation.method.sunriseDepression)
        longitude = place.longitude
        self.calculation = calculation
        asr = .shadow(factor: calculation.asr.shadowFactor)
        switch calculation.highLatitude {
        case .auto:
            nightRule = abs(place.latitude) < Self.autoLatitude ? .middleOfNight : .twilightAngle
            polarRule = .nearestLatitude
        case .nearestLatitude, .nearestDay:
            nightRule = calculation.highLatitude
            polarRule = calculation.highLatitude
        case .none, .middleOfNight, .oneSeventh, .twilightAngle:
            nightRule = calculation.highLatitude
            // They share out a night; where there is none, they have nothing to say.
            polarRule = .none
        }
    }

    static func == (a: Plan, b: Plan) -> Bool {
        a.observer.latitude == b.observer.latitude && a.longitude == b.longitude
            && a.observer.sunsetDepression == b.observer.sunsetDepression && a.calculation == b.calculation
    }
}
