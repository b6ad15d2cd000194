/// A sum of cosines with linear arguments, Σ A·cos(phase + frequency·t), four terms at a time.
///
/// Nearly all the work of placing the Sun is here; the library's `cos`, one call a term, takes three times as
/// long.
struct HarmonicSeries: Sendable {
    private struct Terms {
        var amplitude = SIMD4<Double>.zero
        /// Turns.
        var phase = SIMD4<Double>.zero
        /// Turns a unit of time.
        var frequency = SIMD4<Double>.zero
    }

    private let groups: [Terms]

    /// - Parameter flat: amplitude, phase (radians) and frequency (radians a unit of time) of each term in
    ///   turn.
    init(_ flat: [Double]) {
        var groups: [Terms] = []
        for (term, start) in stride(from: 0, to: flat.count, by: 3).enumerated() {
            if term % 4 == 0 { groups.append(Terms()) }
            let (group, lane) = (groups.count - 1, term % 4)
            groups[group].amplitude[lane] = flat[start]
            groups[group].phase[lane] = flat[start + 1] / (2 * .pi)
            groups[group].frequency[lane] = flat[start + 2] / (2 * .pi)
        }
        self.groups = groups
    }

    /// The sum at a time.
    func callAsFunction(_ time: Double) -> Double {
        var sum = SIMD4<Double>.zero
        for terms in groups {
            sum += terms.amplitude * cosine(turns: terms.phase + terms.frequency * time)
        }
        return sum.sum()
    }
}

/// Four cosines, each to 3e-11, of angles in turns (at most 2⁵⁰ of them).
func cosine(turns: SIMD4<Double>) -> SIMD4<Double> {
    // Adding and taking away 1.5·2⁵² leaves the nearest whole number.
    let shift = SIMD4<Double>(repeating: 6_755_399_441_055_744)
    let part = turns - ((turns + shift) - shift)
    // cos 2πr = sin 2π(¼ − |r|), and a sine of a quarter turn at most needs six coefficients.
    let u = 0.25 - part.replacing(with: -part, where: part .< 0)
    let v = u * u
    // sin(2πu)/u, minimax in v = u² over 0…1/16, error 1.1e-10.
    var polynomial = SIMD4<Double>(repeating: -14.3939662954559406)
    polynomial = polynomial * v + 42.0097793031539073
    polynomial = polynomial * v - 76.7042798760426215
    polynomial = polynomial * v + 81.6052261740296611
    polynomial = polynomial * v - 41.3417021167440002
    polynomial = polynomial * v + 6.28318530707226406
    return u * polynomial
}
