/// The Moonsighting Committee's twilight: minutes that depend on latitude and season.
///
/// Source: Moonsighting Committee Worldwide (K. Shaukat), "How we calculate Fajr and Isha": six parts of
/// the year, counted from the winter solstice, between minutes that grow linearly with the latitude. The source
/// intends them for 0° to 55°, north and south.
struct MoonsightingSeason {
    /// Days since the winter solstice of the hemisphere.
    private let day: Int
    /// Degrees, without sign.
    private let latitude: Double

    init(date: CivilDate, latitude: Double) {
        let newYear = CivilDate.dayNumber(year: date.year, month: 1, day: 1)
        let yearLength = CivilDate.dayNumber(year: date.year + 1, month: 1, day: 1) - newYear
        let dayOfYear = date.dayNumber - newYear + 1
        // 21 December, or 21 June.
        let since = latitude < 0 ? dayOfYear - (yearLength == 366 ? 173 : 172) : dayOfYear + 10
        day = CivilDate.floorModulo(since, yearLength)
        self.latitude = abs(latitude)
    }

    /// Minutes from Fajr to sunrise.
    var morning: Double { minutes(75, 28.65, 75, 19.44, 75, 32.74, 75, 48.10) }

    /// Minutes from sunset to Isha.
    func evening(_ shafaq: Shafaq) -> Double {
        switch shafaq {
        case .general: minutes(75, 25.60, 75, 2.05, 75, -9.21, 75, 6.14)
        case .ahmer: minutes(62, 17.40, 62, -7.16, 62, 5.12, 62, 19.44)
        case .abyad: minutes(75, 25.60, 75, 7.16, 75, 36.84, 75, 81.84)
        }
    }

    /// Each pair: minutes at the equator, and the minutes that 55° of latitude add. a at the winter solstice, b 91 days
    /// later, c 137 days later, d 183 days later, the summer solstice.
    private func minutes(
        _ a0: Double, _ a1: Double, _ b0: Double, _ b1: Double, _ c0: Double, _ c1: Double, _ d0: Double,
        _ d1: Double
    ) -> Double {
        let part = latitude / 55
        let (a, b, c, d) = (a0 + a1 * part, b0 + b1 * part, c0 + c1 * part, d0 + d1 * part)
        func between(_ from: Double, _ to: Double, start: Int, length: Double) -> Double {
            from + (to - from) / length * Double(day - start)
        }
        switch day {
        case ..<91: return between(a, b, start: 0, length: 91)
        case ..<137: return between(b, c, start: 91, length: 46)
        case ..<183: return between(c, d, start: 137, length: 46)
        case ..<229: return between(d, c, start: 183, length: 46)
        case ..<275: return between(c, b, start: 229, length: 46)
        default: return between(b, a, start: 275, length: 91)
        }
    }
}
