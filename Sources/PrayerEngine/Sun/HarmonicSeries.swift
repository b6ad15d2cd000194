/// A sum of cosines with linear arguments, Σ A·cos(phase + frequency·t).
///
/// Nearly all the work of computing the Sun's position is done here; the library's `cos` would take three times as long.
struct HarmonicSeries: Sendable {
    /// Four terms side by side, so that no operation waits for the previous one and processors can do two at once.
    private struct Terms {
        var amplitudes = (0.0, 0.0, 0.0, 0.0)
        /// The phases in turns.
        var phases = (0.0, 0.0, 0.0, 0.0)
        /// The frequencies in turns per unit of time.
        var frequencies = (0.0, 0.0, 0.0, 0.0)
    }

    /// The terms in groups of four; the last group is filled up with terms of amplitude zero.
    private let terms: [Terms]

    /// - Parameter flat: amplitude, phase (radians) and frequency (radians a unit of time) of each term in turn.
    init(_ flat: [Double]) {
        func four(_ first: Int, _ offset: Int) -> (Double, Double, Double, Double) {
            func number(_ term: Int) -> Double {
                let index = (first + term) * 3 + offset
                return index < flat.count ? flat[index] / (offset == 0 ? 1 : 2 * .pi) : 0
            }
            return (number(0), number(1), number(2), number(3))
        }
        terms = stride(from: 0, to: flat.count / 3, by: 4).map {
            Terms(amplitudes: four($0, 0), phases: four($0, 1), frequencies: four($0, 2))
        }
    }

    /// The sum at a time.
    func callAsFunction(_ time: Double) -> Double {
        var (a, b, c, d) = (0.0, 0.0, 0.0, 0.0)
        for four in terms {
            let (phases, frequencies) = (four.phases, four.frequencies)
            let x = cosine(turns: phases.0 + frequencies.0 * time)
            let y = cosine(turns: phases.1 + frequencies.1 * time)
            let z = cosine(turns: phases.2 + frequencies.2 * time)
            let w = cosine(turns: phases.3 + frequencies.3 * time)
            a += four.amplitudes.0 * x
            b += four.amplitudes.1 * y
            c += four.amplitudes.2 * z
            d += four.amplitudes.3 * w
        }
        return (a + b) + (c + d)
    }
}

/// The cosine, to 3e-11, of an angle in turns (2⁵⁰ at most).
@inline(__always)
func cosine(turns: Double) -> Double {
    // Adding and subtracting 1.5·2⁵² leaves the nearest whole number.
    let shift = 6_755_399_441_055_744.0
    let part = turns - ((turns + shift) - shift)
    // cos 2πr = sin 2π(¼ − |r|), and the sine of a quarter turn at most needs only six coefficients.
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
