/// The Sun's places at every second midnight of UT1, kept so that neighbouring days share them.
///
/// Nodes stand on a grid fixed once and for all (even days since 1970), so a day gives the same answer whether it is asked for
/// alone or as one of many.
struct SunTrack: Sendable {
    /// Days between nodes. The error of ``SunCurve`` follows from it.
    static let spacing = 2.0

    private var nodes = InlineArray<8, Node>(repeating: Node(index: .min, sine: 0, equation: 0))

    private struct Node {
        var index: Int
        var sine: Double
        var equation: Double
    }

    /// The curve through the six nodes around a moment, in days of UT1 since 1970.
    mutating func curve(around day: Double) -> SunCurve {
        let first = Int((day / Self.spacing).rounded(.down)) - 2
        var sines = InlineArray<6, Double>(repeating: 0)
        var equations = InlineArray<6, Double>(repeating: 0)
        for offset in 0..<6 {
            let node = node(first + offset)
            sines[offset] = node.sine
            equations[offset] = node.equation
        }
        return SunCurve(
            origin: (day - Double(first) * Self.spacing) / Self.spacing,
            sine: NewtonPolynomial(sines), equation: NewtonPolynomial(equations))
    }

    private mutating func node(_ index: Int) -> Node {
        let slot = index & 7
        if nodes[slot].index == index { return nodes[slot] }
        let sun = SunPosition(ut1: Double(index) * Self.spacing)
        let node = Node(index: index, sine: sun.sineDeclination, equation: sun.equationOfTime)
        nodes[slot] = node
        return node
    }
}

/// The Sun over one day, as two polynomials of fifth degree through six nodes two days apart.
///
/// Error bound: a term A·cos(ωt) is missed by at most A·(2ω)⁶·max|Π(s−k)|/6!, and within 0.6 day of the middle two nodes
/// that factor is 0.0056. The quick terms of the Sun's place are 6.4″ at 29.5 days, 0.23″ at 13.7 days and 0.03″ at 9.1 days:
/// 0.0002″ + 0.0008″ + 0.0012″, together 0.0022″ or 0.15 ms of hour angle.
struct SunCurve: Sendable {
    /// The day's own origin, in node spacings after the first node.
    fileprivate let origin: Double
    fileprivate let sine: NewtonPolynomial
    fileprivate let equation: NewtonPolynomial

    /// The sine of the declination `x` days of UT1 after the origin.
    func sineDeclination(_ x: Double) -> Double { sine(origin + x / SunTrack.spacing) }

    /// The equation of time in radians, `x` days of UT1 after the origin.
    func equationOfTime(_ x: Double) -> Double { equation(origin + x / SunTrack.spacing) }
}

/// The polynomial through values at 0, 1, … 5, in Newton's form.
private struct NewtonPolynomial: Sendable {
    private var coefficients: InlineArray<6, Double>

    init(_ values: InlineArray<6, Double>) {
        coefficients = values
        for order in 1..<6 {
            for index in stride(from: 5, through: order, by: -1) {
                coefficients[index] = (coefficients[index] - coefficients[index - 1]) / Double(order)
            }
        }
    }

    func callAsFunction(_ s: Double) -> Double {
        var value = coefficients[5]
        for index in stride(from: 4, through: 0, by: -1) {
            value = coefficients[index] + (s - Double(index)) * value
        }
        return value
    }
}
