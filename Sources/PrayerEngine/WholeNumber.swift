extension Int {
    /// The whole number nearest to a value, defined for every value: 0 for NaN, the nearest end of −10¹⁵…10¹⁵ for
    /// values beyond it.
    ///
    /// `Int(_: Double)` ends the program on such values. At the poles, where every direction is south, an hour angle may be
    /// anything, so the engine converts its results to whole numbers only through this initializer.
    init(total value: Double) {
        let limit = 1e15
        self = value.isNaN ? 0 : Int(Swift.min(Swift.max(value, -limit), limit).rounded())
    }
}

extension Double {
    /// The number to a hundredth, without trailing zeros.
    var shortText: String {
        let hundredths = Int(total: self * 100)
        let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        return rest % 10 == 0
            ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
