/// A sum of cosines with linear arguments, Σ A·cos(phase + frequency·t).
///
/// Nearly all the work of placing the Sun is here; the library's `cos` would take three times as long.
struct HarmonicSeries: Sendable {
    private struct Term {
        let amplitude: Double
        /// Turns.
        let phase: Double
        /// Turns a unit of time.
        let frequency: Double

        @inline(__always)
        func value(_ time: Double) -> Double { amplitude * cosine(turns: phase + frequency * time) }
    }

    /// Terms in fours; the last ones are of no amplitude.
    private let terms: [Term]

    /// - Parameter flat: amplitude, phase (radians) and frequency (radians a unit of time) of each term in turn.
    init(_ flat: [Double]) {
        let turn = 2 * Double.pi
        var terms = stride(from: 0, to: flat.count, by: 3).map {
            Term(amplitude: flat[$0], phase: flat[$0 + 1] / turn, frequency: flat[$0 + 2] / turn)
        }
        while terms.count % 4 != 0 { terms.append(Term(amplitude: 0, phase: 0, frequency: 0)) }
        self.terms = terms
    }

    /// The sum at a time.
    func callAsFunction(_ time: Double) -> Double {
        // Four sums side by side, so that no term waits for the one before it.
        var (a, b, c, d) = (0.0, 0.0, 0.0, 0.0)
        var index = 0
        while index < terms.count {
            a += terms[index].value(time)
            b += terms[index + 1].value(time)
            c += terms[index + 2].value(time)
            d += terms[index + 3].value(time)
            index += 4
        }
        return (a + b) + (c + d)
    }
}

/// The cosine, to 3e-11, of an angle in turns (at most 2⁵⁰ of them).
@inline(__always)
func cosine(turns: Double) -> Double {
    // Adding and taking away 1.5·2⁵² leaves the nearest whole number.
    let shift = 6_755_399_441_055_744.0
    let part = turns - ((turns + shift) - shift)
    // cos 2πr = sin 2π(¼ − |r|), and a sine of a quarter turn at most needs six coefficients.
    let u = 0.25 - abs(part)
    let v = u * u
    // sin(2πu)/u, minimax in v = u² over 0…1/16, error 1.1e-10.
    var polynomial = -14.3939662954559406
    polynomial = polynomial * v + 42.0097793031539073
    polynomial = polynomial * v - 76.7042798760426215
    polynomial = polynomial * v + 81.6052261740296611
    polynomial = polynomial * v - 41.3417021167440002
    polynomial = polynomial * v + 6.28318530707226406
    return u * polynomial
}
