/// Numbers as text, without a locale: `String(format:)` would need all of Foundation.
package enum NumberText {
    /// `decimals(3.14159, 2)` is `3.14`; halves are rounded away from zero. `places` from 0 to 9.
    package static func decimals(_ value: Double, _ places: Int) -> String {
        guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        let whole = Int(scaled / scale)
        let rest = Int(scaled - Double(whole) * scale)
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return places == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(InstantText.padded(rest, places))"
    }

    /// `40.7282, -73.7949`: four decimals are some ten metres.
    package static func coordinates(_ latitude: Double, _ longitude: Double) -> String {
        "\(decimals(latitude, 4)), \(decimals(longitude, 4))"
    }
}
