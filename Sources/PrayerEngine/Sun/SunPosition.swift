internal import Glibc

/// The two numbers from which every event of a day is computed, at one moment.
struct SunPosition {
    /// The sine of the Sun's apparent declination.
    var sineDeclination: Double
    /// The equation of time in radians: apparent minus mean solar time, −π…π.
    var equationOfTime: Double
    /// The apparent longitude, the true obliquity of the ecliptic and the nutation in longitude, in radians.
    let longitude: Double
    let obliquity: Double
    let nutation: Double

    /// The apparent geocentric Sun (light-time, aberration, nutation; true equator and equinox of date).
    ///
    /// Between 1950 and 2100 right ascension and declination stay within 0.2″ of SOFA's `epv00` with IAU
    /// 2006/2000A (0.04″ rms): 0.013 s of time at most, 0.003 s usually.
    ///
    /// - Parameter day: UT1 in days since 1970-01-01T00:00.
    init(ut1 day: Double) {
        let daysSince2000 = day - 10_957.5
        let centuries = (daysSince2000 + EarthRotation.deltaT(day: day) / 86_400) / 36_525
        let earth = EarthPlace(centuries: centuries)
        let nutation = Nutation(centuries: centuries)

        // The offset between VSOP87's dynamical equinox and that of IAU 2006, measured against SOFA over
        // 1950–2100, and the correction of the precession rate, N. Capitaine et al., Astron. Astrophys. 412
        // (2003) 567.
        let equinox = -0.0645 - 0.29965 * centuries
        // Aberration with light-time: the constant of aberration over the distance, IAU 2009.
        let aberration = -20.49552 / earth.radius
        longitude =
            earth.longitude + Double.pi + (equinox + aberration) * arcsecond + nutation.longitude
        let latitude = -earth.latitude
        // Mean obliquity, IAU 2006: Capitaine et al. 2003, eq. 37.
        let meanObliquity =
            (84_381.406 - centuries * (46.836769 + centuries * (0.0001831 - centuries * 0.00200340)))
            * arcsecond
        obliquity = meanObliquity + nutation.obliquity
        self.nutation = nutation.longitude

        let (sineLongitude, cosineLongitude) = (sin(longitude), cos(longitude))
        let (sineObliquity, cosineObliquity) = (sin(obliquity), cos(obliquity))
        // The latitude never exceeds 1.2″, so its cosine is 1, and its sine equals the angle, to 1e-11.
        sineDeclination = latitude * cosineObliquity + sineObliquity * sineLongitude
        let rightAscension = atan2(
            sineLongitude * cosineObliquity - latitude * sineObliquity, cosineLongitude)
        let origins = nutation.equationOfOrigins(centuries: centuries, cosineObliquity: cosineObliquity)
        // Earth rotation angle minus mean solar time, IAU 2000: N. Capitaine et al., Astron. Astrophys. 355
        // (2000) 398.
        let rotation = 2 * .pi * (0.7790572732640 + 0.00273781191135448 * daysSince2000)
        equationOfTime = remainder(rotation + origins - rightAscension, 2 * .pi)
    }
}

/// One second of arc in radians.
let arcsecond = Double.pi / 648_000

/// The Earth seen from the Sun: radians and astronomical units, ecliptic and equinox of date.
private struct EarthPlace {
    let longitude: Double
    let latitude: Double
    let radius: Double

    init(centuries: Double) {
        let t = centuries / 10
        let l0 = EarthSeries.longitude0(t)
        let l1 = EarthSeries.longitude1(t)
        let l2 = EarthSeries.longitude2(t)
        let l3 = EarthSeries.longitude3(t)
        let l4 = EarthSeries.longitude4(t)
        longitude = 1e-8 * (l0 + t * (l1 + t * (l2 + t * (l3 + t * l4))))
        latitude = 1e-8 * EarthSeries.latitude0(t)
        radius = 1e-8 * (EarthSeries.radius0(t) + t * EarthSeries.radius1(t))
    }
}

/// The nutation at one moment.
private struct Nutation {
    /// Δψ in radians.
    let longitude: Double
    /// Δε in radians.
    let obliquity: Double
    private let sineNode: Double
    private let cosineNode: Double

    init(centuries: Double) {
        let node = NutationSeries.node(centuries)
        (sineNode, cosineNode) = (sin(node), cos(node))
        // The largest term's amplitude changes by 17.5 mas a century in longitude, 0.9 mas in obliquity
        // (table 5.3a).
        longitude =
            (NutationSeries.longitude(centuries / 10) - 17.4666 * centuries * sineNode) * arcsecond / 1000
        obliquity =
            (NutationSeries.obliquity(centuries / 10) + 0.9086 * centuries * cosineNode) * arcsecond / 1000
    }

    /// Apparent sidereal time minus the Earth rotation angle, in radians: precession in right ascension
    /// (Capitaine et al. 2003, eq. 42) and the equation of the equinoxes with its two largest complementary
    /// terms (IERS Conventions 2003, table 5.2e).
    func equationOfOrigins(centuries t: Double, cosineObliquity: Double) -> Double {
        let precession = 0.014506 + t * (4_612.156534 + t * (1.3915817 - t * 0.00000044))
        let complement = 0.00264096 * sineNode + 0.00012704 * sineNode * cosineNode
        return (precession + complement) * arcsecond + longitude * cosineObliquity
    }
}
