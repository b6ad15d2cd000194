/// The Sun's positions at every second midnight of UT1, kept so that neighbouring days share them.
///
/// Nodes are on a fixed grid (even days since 1970), so a day gives the same result whether it is computed alone or in a
/// series.
struct SunTrack: Sendable {
    /// Days between nodes. The error of ``SunCurve`` follows from it.
    static let spacing = 2.0

    private var nodes = InlineArray<8, Node>(repeating: Node(index: .min, sun: .zero))

    private struct Node {
        var index: Int
        var sun: SIMD2<Double>
    }

    /// The curve through the six nodes around a moment, in days of UT1 since 1970.
    mutating func curve(around day: Double) -> SunCurve {
        let first = Int(total: (day / Self.spacing).rounded(.down)) - 2
        var values = InlineArray<6, SIMD2<Double>>(repeating: .zero)
        for offset in 0..<6 { values[offset] = node(first + offset) }
        return SunCurve(values, origin: day / Self.spacing - Double(first))
    }

    private mutating func node(_ index: Int) -> SIMD2<Double> {
        let slot = index & 7
        if nodes[slot].index == index { return nodes[slot].sun }
        let position = SunPosition(ut1: Double(index) * Self.spacing)
        let sun = SIMD2(position.sineDeclination, position.equationOfTime)
        nodes[slot] = Node(index: index, sun: sun)
        return sun
    }
}

/// The Sun over one day, as the polynomial of fifth degree through six nodes two days apart.
///
/// Error bound: a term A·cos(ωt) is missed by at most A·(2ω)⁶·max|Π(s−k)|/6!, and within 0.6 day of the
/// middle two nodes that factor is 0.0056. The fast terms of the Sun's position are 6.4″ at 29.5 days, 0.23″ at
/// 13.7 days and 0.03″ at 9.1 days: 0.0002″ + 0.0008″ + 0.0012″, together 0.0022″ or 0.15 ms of hour angle.
struct SunCurve: Sendable {
    /// Coefficients of the powers of days since the origin; declination's sine in one lane, equation of time in the other.
    private let powers: InlineArray<6, SIMD2<Double>>

    /// - Parameters:
    ///   - values: at the nodes 0, 1, … 5.
    ///   - origin: the day's own origin, in node spacings after the first node.
    init(_ values: InlineArray<6, SIMD2<Double>>, origin: Double) {
        // Newton's divided differences, converted by Horner's scheme to powers around the origin.
        var powers = values
        for order in 1..<6 {
            let share = 1 / Double(order)
            for index in stride(from: 5, through: order, by: -1) {
                powers[index] = (powers[index] - powers[index - 1]) * share
            }
        }
        for power in 0..<5 {
            for index in stride(from: 4, through: power, by: -1) {
                powers[index] += (origin - Double(index - power)) * powers[index + 1]
            }
        }
        var scale = 1.0
        for power in 1..<6 {
            scale /= SunTrack.spacing
            powers[power] *= scale
        }
        self.powers = powers
    }

    /// A Sun with a constant position, as in tables with one value a day.
    init(standing sun: (sineDeclination: Double, equationOfTime: Double)) {
        var powers = InlineArray<6, SIMD2<Double>>(repeating: .zero)
        powers[0] = SIMD2(sun.sineDeclination, sun.equationOfTime)
        self.powers = powers
    }

    /// The Sun `x` days of UT1 after the origin. Powers are summed in pairs, so that one sum need not wait for another.
    func callAsFunction(_ x: Double) -> (sineDeclination: Double, equationOfTime: Double) {
        let square = x * x
        let low = powers[0] + x * powers[1]
        let middle = powers[2] + x * powers[3]
        let high = powers[4] + x * powers[5]
        let value = low + square * (middle + square * high)
        return (value.x, value.y)
    }
}
