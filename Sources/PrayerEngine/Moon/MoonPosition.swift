internal import Glibc

/// The Moon as it is seen from the Earth's centre at one moment: ecliptic and equinox of date.
///
/// Source: J. Meeus, "Astronomical Algorithms", second edition, chapter 47.
struct MoonPosition {
    /// Radians, without nutation.
    let longitude: Double
    let latitude: Double
    /// Kilometres.
    let distance: Double

    /// - Parameter day: UT1 in days since 1970-01-01T00:00.
    init(ut1 day: Double) {
        let t = (day - 10_957.5 + EarthRotation.deltaT(day: day) / 86_400) / 36_525
        let arguments = LunarArguments(centuries: t)
        var (sines, cosines, latitudes) = (0.0, 0.0, 0.0)
        let table = LunarSeries.longitudeAndDistance
        for row in stride(from: 0, to: table.count, by: 6) {
            let (angle, factor) = arguments.term(table, at: row)
            sines += factor * Double(table[row + 4]) * sin(angle)
            cosines += factor * Double(table[row + 5]) * cos(angle)
        }
        for row in stride(from: 0, to: LunarSeries.latitude.count, by: 5) {
            let (angle, factor) = arguments.term(LunarSeries.latitude, at: row)
            latitudes += factor * Double(LunarSeries.latitude[row + 4]) * sin(angle)
        }
        // Effects of Venus, of Jupiter and of the flattening of the Earth.
        let venus = (119.75 + 131.849 * t).radians
        let jupiter = (53.09 + 479_264.290 * t).radians
        let third = (313.45 + 481_266.484 * t).radians
        let mean = arguments.mean
        sines += 3958 * sin(venus) + 1962 * sin(mean - arguments.node) + 318 * sin(jupiter)
        latitudes += 382 * sin(third) - 2235 * sin(mean)
        latitudes += 175 * (sin(venus - arguments.node) + sin(venus + arguments.node))
        latitudes += 127 * sin(mean - arguments.moon) - 115 * sin(mean + arguments.moon)
        longitude = mean + (sines / 1e6).radians
        latitude = (latitudes / 1e6).radians
        distance = 385_000.56 + cosines / 1000
    }
}

/// The mean longitude of the Moon and the four arguments of its terms, in radians: Meeus, 47.1 to 47.6.
private struct LunarArguments {
    let mean: Double
    /// The mean elongation D.
    let elongation: Double
    /// The Sun's mean anomaly M.
    let sun: Double
    /// The Moon's mean anomaly M′.
    let moon: Double
    /// The argument of latitude F.
    let node: Double
    /// The factor by which terms with the Sun's anomaly shrink as the Earth's orbit becomes more circular.
    let eccentricity: Double

    init(centuries t: Double) {
        let (square, cube, fourth) = (t * t, t * t * t, t * t * t * t)
        mean =
            (218.3164477 + 481_267.88123421 * t - 0.0015786 * square + cube / 538_841 - fourth / 65_194_000)
            .radians
        elongation =
            (297.8501921 + 445_267.1114034 * t - 0.0018819 * square + cube / 545_868 - fourth / 113_065_000)
            .radians
        sun = (357.5291092 + 35_999.0502909 * t - 0.0001536 * square + cube / 24_490_000).radians
        moon =
            (134.9633964 + 477_198.8675055 * t + 0.0087414 * square + cube / 69_699 - fourth / 14_712_000)
            .radians
        node =
            (93.2720950 + 483_202.0175233 * t - 0.0036539 * square - cube / 3_526_000 + fourth / 863_310_000)
            .radians
        eccentricity = 1 - 0.002516 * t - 0.0000074 * square
    }

    func term(_ table: [Int32], at row: Int) -> (angle: Double, factor: Double) {
        let ofSun = table[row + 1]
        let angle =
            Double(table[row]) * elongation + Double(ofSun) * sun + Double(table[row + 2]) * moon
            + Double(table[row + 3]) * node
        switch abs(ofSun) {
        case 0: return (angle, 1)
        case 1: return (angle, eccentricity)
        default: return (angle, eccentricity * eccentricity)
        }
    }
}

extension Double {
    /// Degrees converted to radians.
    var radians: Double { self * .pi / 180 }
    /// Radians converted to degrees.
    var degrees: Double { self * 180 / .pi }
}
