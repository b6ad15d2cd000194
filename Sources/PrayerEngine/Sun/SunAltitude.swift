internal import Glibc

extension Place {
    /// Degrees of the Sun's centre below the true horizon, without refraction: at an instant, and at its lowest on that day.
    /// UTC is used in place of UT1, from which it differs by less than a second: 0.004°.
    public func sunDepression(at instant: Instant) -> (now: Double, deepest: Double) {
        let day = instant.unixSeconds / 86_400
        let sun = SunPosition(ut1: day)
        let cosineDeclination = (1 - sun.sineDeclination * sun.sineDeclination).squareRoot()
        let hourAngle = 2 * .pi * (day - day.rounded(.down) - 0.5 + longitude / 360) + sun.equationOfTime
        let radians = latitude * .pi / 180
        let sine =
            sin(radians) * sun.sineDeclination + cos(radians) * cosineDeclination * cos(hourAngle)
        let declination = asin(sun.sineDeclination) * 180 / .pi
        return (-asin(min(1, max(-1, sine))) * 180 / .pi, 90 - abs(latitude + declination))
    }
}
