internal import Glibc

/// One rotation of the Earth under the Sun at one longitude: from a lower transit through noon to the next lower
/// transit.
struct SolarDay: Sendable {
    /// Solar days count from the one whose noon at Greenwich is on 1970-01-01.
    let index: Int
    /// The mean local noon: UT1 in days since 1970. All `x` count from here, in days.
    let origin: Double
    let curve: SunCurve
    /// The change of the declination's sine from one day to the next, if the Sun's position is constant all day; else `nil`.
    private let standingRate: Double?
    /// The upper transit, and the lower ones before and after it.
    let transit: Double
    let start: Double
    let end: Double
    /// UT1 − UTC in days at noon, and its growth per day; not a number on a day with a leap second.
    private let dut1Days: Double
    private let dut1Rate: Double

    /// - Parameter ephemeris: the moment of the day for which the Sun's position is computed.
    init(index: Int, longitude: Double, track: inout SunTrack, ephemeris: Ephemeris = .exact) {
        self.index = index
        origin = Double(index) + 0.5 - longitude / 360
        let standing = ephemeris.day(of: index)
        let shift = Double(ephemeris.index(of: index) - index)
        let moving = track.curve(around: standing ?? origin + shift)
        let curve = standing == nil ? moving : SunCurve(standing: moving(0))
        let h = 1e-3
        standingRate =
            standing == nil ? nil : (moving(h).sineDeclination - moving(-h).sineDeclination) / (2 * h)
        self.curve = curve
        // The equation of time changes by 30 s a day at most, so each step adds three and a half digits. At noon the first
        // guess is off by 16 minutes at most, half a day from noon by 15 s.
        func solve(_ hourAngle: Double, from guess: Double, steps: Int) -> Double {
            var x = guess
            for _ in 0..<steps { x = (hourAngle - curve(x).equationOfTime) / (2 * .pi) }
            return x
        }
        transit = solve(0, from: 0, steps: standing == nil ? 4 : 1)
        start = solve(-.pi, from: transit - 0.5, steps: standing == nil ? 3 : 1)
        end = solve(.pi, from: transit + 0.5, steps: standing == nil ? 3 : 1)
        let before = EarthRotation.dut1Seconds(day: origin - 1)
        let after = EarthRotation.dut1Seconds(day: origin + 1)
        // UT1 − UTC changes by a few milliseconds a day, unless a leap second falls between.
        dut1Days = abs(after - before) < 0.5 ? (after + before) / 172_800 : .nan
        dut1Rate = (after - before) / 172_800
    }

    enum Half: Double {
        case morning = -1
        case evening = 1
    }

    /// The instant `x` days of UT1 after the origin.
    func instant(_ x: Double) -> Instant {
        if dut1Days.isNaN { return EarthRotation.instant(ut1: origin + x) }
        return Instant(unixSeconds: (origin + x - dut1Days - dut1Rate * x) * 86_400)
    }

    /// The declination at noon in degrees.
    var noonDeclinationDegrees: Double { asin(curve(transit).sineDeclination) * 180 / .pi }

    /// The declination at the lower transit after noon in degrees.
    var midnightDeclinationDegrees: Double { asin(curve(end).sineDeclination) * 180 / .pi }

    /// The sine of the Sun's altitude at noon.
    func sineNoonAltitude(at observer: Observer) -> Double {
        let sine = curve(transit).sineDeclination
        return observer.sine * sine + observer.cosine * (1 - sine * sine).squareRoot()
    }

    /// The time at which the Sun's centre passes an altitude in one half of the day.
    func crossing(_ target: Target, _ half: Half, at observer: Observer) -> Crossing {
        if let rate = standingRate {
            if let quick = stand(rate, target, half, observer) { return quick }
        } else if let quick = iterate(target, half, observer) {
            return quick
        }
        return bisect(target, half, observer)
    }

    /// The moment at which the hour angle is the one that the declination at `x` requires; `nil` when it requires none.
    private func step(_ x: Double, _ target: Target, _ half: Half, _ observer: Observer) -> Double? {
        let (sine, equationOfTime) = curve(x)
        let cosine = (1 - sine * sine).squareRoot()
        let altitude = target.sineAltitude(sine, cosine, at: observer)
        let cosineHourAngle = (altitude - observer.sine * sine) / (observer.cosine * cosine)
        guard abs(cosineHourAngle) < 1 else { return nil }
        return (half.rawValue * acos(cosineHourAngle) - equationOfTime) / (2 * .pi)
    }

    /// The hour angle where the Sun's position is constant all day, which needs no iteration.
    private func stand(_ rate: Double, _ target: Target, _ half: Half, _ observer: Observer) -> Crossing? {
        let (sine, equationOfTime) = curve(0)
        let cosine = (1 - sine * sine).squareRoot()
        let altitude = target.sineAltitude(sine, cosine, at: observer)
        let cosineHourAngle = (altitude - observer.sine * sine) / (observer.cosine * cosine)
        guard abs(cosineHourAngle) < 1 else { return nil }
        let x = (half.rawValue * acos(cosineHourAngle) - equationOfTime) / (2 * .pi)
        guard x > start, x < end else { return nil }
        let sineHourAngle = half.rawValue * (1 - cosineHourAngle * cosineHourAngle).squareRoot()
        let byRotation = -2 * .pi * observer.cosine * cosine * sineHourAngle
        let byDeclination = rate * (observer.sine - observer.cosine * sine / cosine * cosineHourAngle)
        return Crossing(
            state: .found, x: x, drift: byRotation == 0 ? 1 : -byDeclination / byRotation)
    }

    /// Fixed-point steps with Aitken's acceleration, ended when the next would move by less than 10 µs.
    ///
    /// The declination moves slowly, so a step shrinks the error a hundredfold; where the Sun grazes the
    /// altitude it does not, and `nil` hands over to bisection.
    private func iterate(_ target: Target, _ half: Half, _ observer: Observer) -> Crossing? {
        var x = transit
        var ratio = 1.0
        for _ in 0..<6 {
            guard let first = step(x, target, half, observer) else { return nil }
            let move = first - x
            if abs(move * ratio) < 1e-10 {
                guard first > start, first < end else { return nil }
                return Crossing(state: .found, x: first, drift: ratio)
            }
            guard let second = step(first, target, half, observer) else { return nil }
            ratio = (second - first) / move
            guard abs(ratio) < 0.2 else { return nil }
            x = second + (second - first) * ratio / (1 - ratio)
        }
        return nil
    }

    /// The sine of the Sun's altitude minus the sine that is sought.
    private func excess(_ x: Double, _ target: Target, _ observer: Observer) -> Double {
        let (sine, equationOfTime) = curve(x)
        let cosine = (1 - sine * sine).squareRoot()
        let hourAngle = 2 * .pi * x + equationOfTime
        return observer.sine * sine + observer.cosine * cosine * cos(hourAngle)
            - target.sineAltitude(sine, cosine, at: observer)
    }

    /// Finds the crossing by bisection, which is slow but certain: the Sun is above the altitude at noon and below it at the
    /// lower transit, or there is no crossing.
    private func bisect(_ target: Target, _ half: Half, _ observer: Observer) -> Crossing {
        guard excess(transit, target, observer) > 0 else { return Crossing(state: .staysBelow) }
        let night = half == .morning ? start : end
        guard excess(night, target, observer) < 0 else { return Crossing(state: .staysAbove) }
        var (above, below) = (transit, night)
        while abs(above - below) > 1e-10 {
            let middle = (above + below) / 2
            if excess(middle, target, observer) > 0 { above = middle } else { below = middle }
        }
        let x = (above + below) / 2
        return Crossing(state: .found, x: x, drift: drift(x, target, observer))
    }

    /// The shift of the crossing caused by one day's change of the declination.
    private func drift(_ x: Double, _ target: Target, _ observer: Observer) -> Double {
        let h = 1e-4
        let slope = (excess(x + h, target, observer) - excess(x - h, target, observer)) / (2 * h)
        let (sine, equationOfTime) = curve(x)
        let sineRate =
            standingRate ?? (curve(x + h).sineDeclination - curve(x - h).sineDeclination) / (2 * h)
        let cosine = (1 - sine * sine).squareRoot()
        let hourAngle = 2 * .pi * x + equationOfTime
        let byDeclination = sineRate * (observer.sine - observer.cosine * sine / cosine * cos(hourAngle))
        let byRotation = standingRate == nil ? slope - byDeclination : slope
        return byRotation == 0 ? 1 : -byDeclination / byRotation
    }
}
