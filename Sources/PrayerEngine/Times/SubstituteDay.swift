/// Sunrise, Asr and sunset of another latitude or another day, for a day on which the Sun does not rise or
/// set.
struct SubstituteDay: Sendable {
    let rule: HighLatitudeRule
    /// Seconds from sunrise to noon and from noon to sunset; and Asr's position between noon and sunset, 0…1.
    let morningSeconds: Double
    let afternoonSeconds: Double
    let asrShare: Double

    /// Degrees by which the Sun must pass an altitude before a latitude or a day can supply times: where it only grazes the
    /// altitude, twilight lasts all night.
    static let margin = 2.0

    /// The times of a solar day at a latitude; `nil` if the Sun does not rise, set and cast a shadow
    /// there.
    init?(_ day: SolarDay, at observer: Observer, asr: Target, rule: HighLatitudeRule) {
        let sunrise = day.crossing(observer.sunriseTarget, .morning, at: observer)
        let sunset = day.crossing(observer.sunsetTarget, .evening, at: observer)
        guard sunrise.state == .found, sunset.state == .found, day.sineNoonAltitude(at: observer) > 0 else {
            return nil
        }
        let shadow = day.crossing(asr, .evening, at: observer)
        guard shadow.state == .found, shadow.x < sunset.x else { return nil }
        self.rule = rule
        morningSeconds = (day.transit - sunrise.x) * 86_400
        afternoonSeconds = (sunset.x - day.transit) * 86_400
        asrShare = (shadow.x - day.transit) / (sunset.x - day.transit)
    }

    func fill(_ sunrise: inout EventTime, _ asr: inout EventTime, _ sunset: inout EventTime, noon: Double) {
        if !sunrise.exists { substitute(noon - morningSeconds, to: &sunrise) }
        if !sunset.exists { substitute(noon + afternoonSeconds, to: &sunset) }
        if !asr.exists || asr.seconds >= sunset.seconds {
            if asr.exists { asr.note.reason = .shortShadow }
            substitute(noon + asrShare * (sunset.seconds - noon), to: &asr)
        }
    }

    private func substitute(_ seconds: Double, to time: inout EventTime) {
        time.seconds = seconds
        time.note.rule = rule
    }
}

extension CalculationPlan {
    /// The latitude nearest to the observer's, in the same hemisphere, at which the Sun passes well below
    /// `angle` at night and well clear of the horizon by day.
    func substituteLatitude(_ day: SolarDay, angle: Double) -> Double {
        let declination = day.noonDeclinationDegrees
        let toPole = observer.latitude < 0 ? -declination : declination
        let deepEnough = 90 - toPole - angle - SubstituteDay.margin
        let highEnough =
            90 + toPole + min(observer.sunriseDepressionDegrees, observer.sunsetDepressionDegrees)
            - SubstituteDay.margin
        let latitude = min(abs(observer.latitude), deepEnough, highEnough)
        return observer.latitude < 0 ? -latitude : latitude
    }

    /// The rule's substitute if the Sun does not rise or set on this day; `nil` if the rule has none.
    func substituteDay(for day: SolarDay) -> SubstituteDay? {
        switch polarRule {
        case .nearestLatitude:
            let angle = max(observer.sunriseDepressionDegrees, observer.sunsetDepressionDegrees)
            return SubstituteDay(
                day, at: observer.at(latitude: substituteLatitude(day, angle: angle)),
                asr: .shadow(factor: calculation.asr.shadowFactor), rule: polarRule)
        case .nearestDay:
            let angle = max(observer.sunriseDepressionDegrees, observer.sunsetDepressionDegrees)
            guard let substitute = nearestDay(to: day, angle: angle) else { return nil }
            return SubstituteDay(
                substitute, at: observer, asr: .shadow(factor: calculation.asr.shadowFactor), rule: polarRule)
        case .auto, .none, .middleOfNight, .oneThird, .oneSeventh, .twilightAngle, .frozen: return nil
        }
    }

    /// The time at which the Sun last passed an angle on a day before this one, in days after mean noon; `nil`
    /// if it did not in a whole year.
    func lastCrossing(before day: SolarDay, angle: Double, _ half: SolarDay.Half) -> Double? {
        var track = SunTrack()
        for distance in 1...366 {
            let candidate = SolarDay(
                index: day.index - distance, longitude: longitude, track: &track, ephemeris: method.ephemeris)
            let (depth, _) = observer.extremes(declination: candidate.noonDeclinationDegrees)
            // The declination at midnight differs from that at noon by up to 0.2°.
            guard depth > angle - 0.25 else { continue }
            let crossing = candidate.crossing(.depression(angle), half, at: observer)
            if crossing.state == .found { return crossing.x }
        }
        return nil
    }

    /// The nearest solar day, the earlier of two, on which the Sun at the observer's own latitude passes well below `angle` at
    /// night and well clear of the horizon by day; `nil` if no day of the half year before or after qualifies.
    func nearestDay(to day: SolarDay, angle: Double) -> SolarDay? {
        var track = SunTrack()
        for distance in 1...186 {
            for index in [day.index - distance, day.index + distance] {
                let candidate = SolarDay(
                    index: index, longitude: longitude, track: &track, ephemeris: method.ephemeris)
                let (depth, height) = observer.extremes(declination: candidate.noonDeclinationDegrees)
                let horizon = min(observer.sunriseDepressionDegrees, observer.sunsetDepressionDegrees)
                if depth >= angle + SubstituteDay.margin, height >= SubstituteDay.margin - horizon {
                    return candidate
                }
            }
        }
        return nil
    }
}
