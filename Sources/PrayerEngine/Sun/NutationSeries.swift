/// Nutation: the 36 largest luni-solar terms of the IAU 2000A model.
///
/// Source: IERS Conventions (2003), chapter 5, tables 5.3a and 5.3b (P. M. Mathews, T. A. Herring, B. A.
/// Buffett 2002). Terms of at least 1 mas are kept, which differ from the whole model by 2 mas (rms), 10 mas at
/// most, in longitude.
enum NutationSeries {
    /// Multiples of l, l′, F, D and Ω; then in milliarcseconds the sine's amplitude in longitude and the
    /// cosine's in obliquity.
    private static let terms: [Double] = [
        0, 0, 0, 0, 1, -17206.4161, 9205.2331,
        0, 0, 2, -2, 2, -1317.0906, 573.0336,
        0, 0, 2, 0, 2, -227.6413, 97.8459,
        0, 0, 0, 0, 2, 207.4554, -89.7492,
        0, 1, 0, 0, 0, 147.5877, 7.3871,
        1, 0, 0, 0, 0, 71.1159, -0.6750,
        0, 1, 2, -2, 2, -51.6821, 22.4386,
        0, 0, 2, 0, 1, -38.7298, 20.0728,
        1, 0, 2, 0, 2, -30.1461, 12.9025,
        0, -1, 2, -2, 2, 21.5829, -9.5929,
        -1, 0, 0, 2, 0, 15.6994, -0.1235,
        0, 0, 2, -2, 1, 12.8227, -6.8982,
        -1, 0, 2, 0, 2, 12.3457, -5.3311,
        0, 0, 0, 2, 0, 6.3384, -0.1220,
        1, 0, 0, 0, 1, 6.3110, -3.3228,
        -1, 0, 2, 2, 2, -5.9641, 2.5543,
        -1, 0, 0, 0, 1, -5.7976, 3.1429,
        1, 0, 2, 0, 1, -5.1613, 2.6366,
        -2, 0, 0, 2, 0, -4.7722, 0.0477,
        -2, 0, 2, 0, 1, 4.5893, -2.4236,
        0, 0, 2, 2, 2, -3.8571, 1.6452,
        0, -2, 2, -2, 2, 3.2481, -1.3870,
        2, 0, 2, 0, 2, -3.1046, 1.3238,
        2, 0, 0, 0, 0, 2.9243, -0.0609,
        1, 0, 2, -2, 2, 2.8593, -1.2338,
        0, 0, 2, 0, 0, 2.5887, -0.0550,
        0, 0, -2, 2, 0, 2.1783, -0.0167,
        -1, 0, 2, 0, 1, 2.0441, -1.0758,
        0, 2, 0, 0, 0, 1.6707, 0.0168,
        0, 2, 2, -2, 2, -1.5794, 0.6850,
        -1, 0, 0, 2, 1, 1.5164, -0.8001,
        0, 1, 0, 0, 1, -1.4053, 0.8551,
        1, 0, 0, -2, 1, -1.2873, 0.6953,
        0, -1, 0, 0, 1, -1.2654, 0.6415,
        -2, 0, 2, 0, 0, -1.1024, 0.0104,
        -1, 0, 2, 2, 1, -1.0204, 0.5222,
    ]

    /// Phase (arcseconds) and rate (arcseconds a Julian century) of Delaunay's arguments; IERS Conventions
    /// (2003) eq. 5.43.
    private static let arguments: [(phase: Double, rate: Double)] = [
        (485_868.249036, 1_717_915_923.2178),  // l, the Moon's mean anomaly
        (1_287_104.79305, 129_596_581.0481),  // l′, the Sun's
        (335_779.526232, 1_739_527_262.8478),  // F, the Moon's argument of latitude
        (1_072_260.70369, 1_602_961_601.2090),  // D, the Moon's elongation
        (450_160.398036, -6_962_890.5431),  // Ω, the longitude of the Moon's node
    ]

    /// Δψ in milliarcseconds, as cosines: sin x = cos(x − π/2).
    static let longitude = series(column: 5, shift: -.pi / 2)
    /// Δε in milliarcseconds.
    static let obliquity = series(column: 6, shift: 0)

    private static func series(column: Int, shift: Double) -> HarmonicSeries {
        var flat: [Double] = []
        for row in stride(from: 0, to: terms.count, by: 7) {
            var (phase, rate) = (0.0, 0.0)
            for (index, argument) in arguments.enumerated() {
                phase += terms[row + index] * argument.phase
                rate += terms[row + index] * argument.rate
            }
            // The series count in millennia, the arguments in centuries.
            flat += [terms[row + column], phase * arcsecond + shift, rate * 10 * arcsecond]
        }
        return HarmonicSeries(flat)
    }

    /// Ω in radians at a time in Julian centuries from J2000.
    static func node(_ centuries: Double) -> Double {
        (arguments[4].phase + arguments[4].rate * centuries) * arcsecond
    }
}
