/// The moment of an event on one day, and the reason for its value.
struct EventTime: Sendable {
    /// Unix seconds; not a number when the event does not occur.
    var seconds = Double.nan
    var note = EventNote.none

    var exists: Bool { !seconds.isNaN }

    /// Seconds per day from which the movement of a time gets a note. Half of ten minutes, because near the grazing point
    /// tomorrow's step is up to twice today's rate.
    static let quick = 300.0
}

extension EventTime {
    /// A crossing by the Sun: found, or missing for the reason in its state.
    init(
        _ crossing: Crossing, on day: SolarDay, above: EventNote.Reason, below: EventNote.Reason,
        value: Double = 0
    ) {
        switch crossing.state {
        case .found:
            seconds = day.instant(crossing.x).unixSeconds
            let daily = abs(crossing.drift) * 86_400
            if daily > Self.quick { note = EventNote(reason: .grazing, value: Float(daily / 60)) }
        case .staysAbove: note = EventNote(reason: above, value: Float(value))
        case .staysBelow: note = EventNote(reason: below, value: Float(value))
        }
    }
}

/// The Sun's events on one solar day at one place; if the Sun does not rise or set, the rule's substitutes.
struct SolarEvents: Sendable {
    let solar: SolarDay
    /// The civil date of its noon.
    let date: CivilDate
    let noon: Double
    /// Noon by the method.
    let dhuhr: Double
    let sunrise: EventTime
    let sunset: EventTime
    let asr: EventTime
    /// The times of the angles of Fajr, Isha and Maghrib, without any rule. Isha is not a number for a method with minutes,
    /// nor is Maghrib if it is sunset.
    let fajr: EventTime
    let isha: EventTime
    let maghrib: EventTime

    /// - Parameters:
    ///   - daylight: the day with the Sun that the method uses for Dhuhr and Asr.
    ///   - dawn: the day with the Sun that the method uses for Fajr.
    init(
        solar: SolarDay, daylight: SolarDay, dawn: SolarDay, date: CivilDate, noon: Double,
        plan: CalculationPlan
    ) {
        self.solar = solar
        self.date = date
        self.noon = noon
        dhuhr = daylight.instant(daylight.transit).unixSeconds
        let here = plan.observer
        fajr = Self.dip(plan.fajrAngle(on: date), .morning, dawn, here)
        if case .angle(let angle) = plan.isha {
            isha = Self.dip(angle + plan.twilightDipDegrees, .evening, solar, here)
        } else {
            isha = EventTime()
        }
        maghrib =
            plan.maghribAngle > 0
            ? Self.dip(plan.maghribAngle, .evening, solar, here) : EventTime()

        var sunrise = EventTime(
            solar.crossing(here.sunriseTarget, .morning, at: here), on: solar, above: .midnightSun,
            below: .polarNight)
        var sunset = EventTime(
            solar.crossing(here.sunsetTarget, .evening, at: here), on: solar, above: .midnightSun,
            below: .polarNight)
        plan.limitDay(&sunrise, &sunset, noon: noon, on: date)
        var asr =
            daylight.sineNoonAltitude(at: here) > 0
            ? EventTime(
                daylight.crossing(plan.asrTarget(on: daylight), .evening, at: here), on: daylight,
                above: .shortShadow, below: .noShadow)
            : EventTime(note: EventNote(reason: .noShadow))
        let isAsrLate = sunset.exists && asr.exists && asr.seconds >= sunset.seconds
        if !sunrise.exists || !sunset.exists || !asr.exists || isAsrLate {
            plan.substituteDay(for: solar)?.fill(&sunrise, &asr, &sunset, noon: noon)
        }
        self.sunrise = sunrise
        self.sunset = sunset
        self.asr = asr
    }

    private static func dip(_ angle: Double, _ half: SolarDay.Half, _ day: SolarDay, _ here: Observer)
        -> EventTime
    {
        EventTime(
            day.crossing(.depression(angle), half, at: here), on: day, above: .neverSoLow,
            below: .neverSoHigh, value: angle)
    }
}

extension CalculationPlan {
    /// Asr's altitude: the noon shadow is computed from the declination at Asr itself, or at one hour of the date.
    fileprivate func asrTarget(on day: SolarDay) -> Target {
        let shadow = Target.shadow(factor: calculation.asr.shadowFactor)
        guard let hour = method.noonShadowHour else { return shadow }
        let sine = day.curve(Double(day.index) + hour / 24 - day.origin).sineDeclination
        return .altitude(
            sine: shadow.sineAltitude(sine, (1 - sine * sine).squareRoot(), at: observer))
    }
}
