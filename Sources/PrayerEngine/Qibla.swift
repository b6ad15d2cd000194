internal import Glibc

/// The direction to the Ka'bah along the shortest line on the Earth's ellipsoid (WGS84).
public struct Qibla: Sendable, Equatable {
    /// Degrees from true north, clockwise, 0..<360.
    public let bearing: Double
    /// Metres.
    public let distanceMetres: Double

    /// The centre of the Ka'bah. Source: satellite imagery, 21.422487° N, 39.826206° E (± 10 m).
    static let latitude = 21.422487
    static let longitude = 39.826206

    /// The direction from a place. At the Ka'bah itself the bearing is meaningless.
    public init(from place: Place) {
        let line = Geodesic(
            from: (place.latitude, place.longitude), to: (Self.latitude, Self.longitude))
        bearing = line.azimuth
        distanceMetres = line.length
    }
}

extension Place {
    /// Metres to another place along the shortest line on the Earth's ellipsoid (WGS84).
    public func distanceMetres(to other: Place) -> Double {
        Geodesic(from: (latitude, longitude), to: (other.latitude, other.longitude)).length
    }
}

/// The inverse geodesic problem on WGS84.
///
/// T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid", Survey Review 23 (1975) 88: to
/// 0.1 mm. Near the antipode, where its iteration does not converge, the distance is found by stepping along the
/// bearings instead.
struct Geodesic {
    let azimuth: Double
    let length: Double

    private static let semiMajorAxis = 6_378_137.0
    private static let flattening = 1 / 298.257223563

    init(from start: (latitude: Double, longitude: Double), to end: (latitude: Double, longitude: Double)) {
        let degree = Double.pi / 180
        let reduced1 = atan((1 - Self.flattening) * tan(start.latitude * degree))
        let reduced2 = atan((1 - Self.flattening) * tan(end.latitude * degree))
        let difference = remainder(end.longitude - start.longitude, 360) * degree
        let sphere = Auxiliary(reduced1: reduced1, reduced2: reduced2, flattening: Self.flattening)
        let lambda = sphere.longitude(reaching: difference)
        let arc = sphere.arc(lambda)
        azimuth = arc.azimuth < 0 ? arc.azimuth / degree + 360 : arc.azimuth / degree

        let semiMinorAxis = Self.semiMajorAxis * (1 - Self.flattening)
        let ratio = Self.semiMajorAxis / semiMinorAxis
        let u2 = arc.cosineSquared * (ratio * ratio - 1)
        let a = 1 + u2 / 16_384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)))
        let b = u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
        let c = arc.cosineMidpoint
        let tail =
            b / 6 * c * (-3 + 4 * arc.sineSigma * arc.sineSigma) * (-3 + 4 * c * c)
        let correction =
            b * arc.sineSigma * (c + b / 4 * (arc.cosineSigma * (-1 + 2 * c * c) - tail))
        length = semiMinorAxis * a * (arc.sigma - correction)
    }
}

/// Vincenty's auxiliary sphere between two reduced latitudes.
private struct Auxiliary {
    let sine1: Double
    let cosine1: Double
    let sine2: Double
    let cosine2: Double
    let flattening: Double

    struct Arc {
        var sigma: Double
        var sineSigma: Double
        var cosineSigma: Double
        var cosineSquared: Double
        var sineAlpha: Double
        var cosineMidpoint: Double
        var azimuth: Double
    }

    init(reduced1: Double, reduced2: Double, flattening: Double) {
        (sine1, cosine1) = (sin(reduced1), cos(reduced1))
        (sine2, cosine2) = (sin(reduced2), cos(reduced2))
        self.flattening = flattening
    }

    /// The great circle on the sphere for a difference of longitude on it.
    func arc(_ lambda: Double) -> Arc {
        let (sineLambda, cosineLambda) = (sin(lambda), cos(lambda))
        let across = cosine2 * sineLambda
        let along = cosine1 * sine2 - sine1 * cosine2 * cosineLambda
        let sineSigma = (across * across + along * along).squareRoot()
        let cosineSigma = sine1 * sine2 + cosine1 * cosine2 * cosineLambda
        let sineAlpha = sineSigma == 0 ? 0 : cosine1 * cosine2 * sineLambda / sineSigma
        let cosineSquared = 1 - sineAlpha * sineAlpha
        return Arc(
            sigma: atan2(sineSigma, cosineSigma), sineSigma: sineSigma, cosineSigma: cosineSigma,
            cosineSquared: cosineSquared, sineAlpha: sineAlpha,
            // On the equator the midpoint's latitude is zero whatever the quotient.
            cosineMidpoint: cosineSquared < 1e-15 ? 0 : cosineSigma - 2 * sine1 * sine2 / cosineSquared,
            azimuth: atan2(across, along))
    }

    /// The difference of longitude on the sphere minus that on the ellipsoid.
    private func shortfall(_ arc: Arc) -> Double {
        let f = flattening
        let c = f / 16 * arc.cosineSquared * (4 + f * (4 - 3 * arc.cosineSquared))
        let m = arc.cosineMidpoint
        return (1 - c) * f * arc.sineAlpha
            * (arc.sigma + c * arc.sineSigma * (m + c * arc.cosineSigma * (-1 + 2 * m * m)))
    }

    /// The difference of longitude on the sphere that corresponds to `difference` on the ellipsoid.
    func longitude(reaching difference: Double) -> Double {
        var lambda = difference
        for _ in 0..<50 {
            let next = difference + shortfall(arc(lambda))
            if abs(next - lambda) < 1e-13 { return next }
            lambda = next
        }
        // Near the antipode the iteration does not converge: bisect, because the shortfall is less than a degree there.
        var (low, high) = difference < 0 ? (-Double.pi, difference) : (difference, Double.pi)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if middle - shortfall(arc(middle)) < difference { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
