internal import Glibc

/// A parallel of latitude and its horizon, in the form that the Sun's altitude needs.
struct Observer: Sendable {
    /// Degrees.
    let latitude: Double
    let sine: Double
    let cosine: Double
    /// Degrees of the Sun's centre below the true horizon at sunrise and at sunset.
    let sunriseDepressionDegrees: Double
    let sunsetDepressionDegrees: Double
    let sunriseTarget: Target
    let sunsetTarget: Target

    /// Refraction 34′ plus semidiameter 16′, the convention of almanacs (Explanatory Supplement to the Astronomical
    /// Almanac, §9.31).
    static let horizonDepression = 50.0 / 60

    /// - Parameters:
    ///   - sunrise, sunset: degrees of the Sun's centre below the true horizon, the dip of a lowered one included.
    init(latitude: Double, sunrise: Double = Self.horizonDepression, sunset: Double = Self.horizonDepression)
    {
        self.latitude = latitude
        let radians = latitude * .pi / 180
        sine = sin(radians)
        // At a pole the cosine is not quite zero in floating point; zero would make every hour angle
        // undefined.
        cosine = max(cos(radians), 1e-15)
        sunriseDepressionDegrees = sunrise
        sunsetDepressionDegrees = sunset
        sunriseTarget = .depression(sunrise)
        sunsetTarget = .depression(sunset)
    }

    /// Returns the same horizon at another latitude.
    func at(latitude: Double) -> Observer {
        Observer(latitude: latitude, sunrise: sunriseDepressionDegrees, sunset: sunsetDepressionDegrees)
    }

    /// The Sun's depth below the horizon at the lower transit, and its height above it at the upper one, in degrees, on a day of
    /// this declination. Neither exceeds 90, on whichever side of the zenith or the nadir the Sun passes.
    func extremes(declination: Double) -> (depth: Double, height: Double) {
        (90 - abs(latitude + declination), 90 - abs(latitude - declination))
    }
}

/// An altitude that the Sun crosses: a fixed one, or that of Asr.
enum Target: Sendable {
    /// The target by the sine of the altitude.
    case altitude(sine: Double)
    /// The altitude at which a shadow is its noon length plus `factor` times the object's height.
    case shadow(factor: Double)

    /// Degrees below the horizon.
    static func depression(_ degrees: Double) -> Target { .altitude(sine: -sin(degrees * .pi / 180)) }

    /// The sine of the altitude sought while the declination has this sine and cosine.
    func sineAltitude(_ sine: Double, _ cosine: Double, at observer: Observer) -> Double {
        switch self {
        case .altitude(let altitude): return altitude
        case .shadow(let factor):
            // Noon's zenith distance is |φ − δ|; its tangent is the noon shadow.
            let sineNoon = observer.sine * cosine - observer.cosine * sine
            let cosineNoon = observer.cosine * cosine + observer.sine * sine
            let shadow = factor + abs(sineNoon) / max(cosineNoon, 1e-12)
            return 1 / (1 + shadow * shadow).squareRoot()
        }
    }
}

/// The outcome of the search for a crossing.
struct Crossing: Sendable {
    enum State: UInt8, Sendable { case found, staysAbove, staysBelow }

    var state: State
    /// The result: UT1 in days after the solar day's origin.
    var x = Double.nan
    /// The result: how fast it moves from one day to the next, as a fraction of a day.
    var drift = 0.0
}
