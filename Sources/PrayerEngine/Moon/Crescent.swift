internal import Glibc

/// The Sun and the Moon at one moment, seen from the Earth's centre.
struct SunAndMoon {
    private let day: Double
    private let sun: SunPosition
    private let moon: MoonPosition

    /// - Parameter day: UT1 in days since 1970-01-01T00:00.
    init(ut1 day: Double) {
        self.day = day
        sun = SunPosition(ut1: day)
        moon = MoonPosition(ut1: day)
    }

    /// Degrees by which the Moon's longitude is ahead of the Sun's, −180…180; zero at the conjunction.
    var lead: Double { remainder(longitudes, 2 * .pi).degrees }

    private var longitudes: Double { moon.longitude + sun.nutation - sun.longitude }

    /// Degrees between the centres of the two.
    var elongation: Double { acos(cos(moon.latitude) * cos(longitudes)).degrees }

    /// The altitude of the Moon's centre above the true horizon of a place, without refraction, and the elongation as it is seen
    /// from there, in degrees. The Earth is taken as a sphere, which costs 0.003° at most.
    func seen(from place: ObservationSite) -> (altitude: Double, elongation: Double) {
        // Meeus, chapter 13, and for the parallax the triangle of the place, the Earth's centre and the Moon.
        let longitude = moon.longitude + sun.nutation
        let (sine, cosine) = (sin(sun.obliquity), cos(sun.obliquity))
        let rightAscension = atan2(sin(longitude) * cosine - tan(moon.latitude) * sine, cos(longitude))
        let declination = asin(sin(moon.latitude) * cosine + cos(moon.latitude) * sine * sin(longitude))
        let sunsRightAscension = atan2(sin(sun.longitude) * cosine, cos(sun.longitude))
        let sunsHourAngle = sunsHourAngle(at: place)
        let hourAngle = sunsHourAngle + sunsRightAscension - rightAscension
        let (upright, level) = (sin(place.latitude.radians), cos(place.latitude.radians))
        let up = upright * sin(declination) + level * cos(declination) * cos(hourAngle)
        let sunUp =
            upright * sun.sineDeclination
            + level * (1 - sun.sineDeclination * sun.sineDeclination).squareRoot() * cos(sunsHourAngle)
        let parallax = 6378.14 / moon.distance
        let distance = (1 - 2 * parallax * up + parallax * parallax).squareRoot()
        let apart = (cos(elongation.radians) - parallax * sunUp) / distance
        return (asin((up - parallax) / distance).degrees, acos(min(1, max(-1, apart))).degrees)
    }

    private func sunsHourAngle(at place: ObservationSite) -> Double {
        2 * .pi * (day - day.rounded(.down) - 0.5) + place.longitude.radians + sun.equationOfTime
    }
}

/// A place from which a crescent is looked for: degrees, north and east positive, between the polar circles.
struct ObservationSite: Sendable {
    let latitude: Double
    let longitude: Double

    /// UT1 at which the Sun's centre is this many degrees below the horizon, in the evening or in the morning of a civil day
    /// by the Sun: Meeus, chapter 15.
    func crossing(on day: Int, depression: Double, inTheMorning: Bool = false) -> Double {
        var time = Double(day) + 0.5 - longitude / 360
        let noon = time
        for _ in 0..<4 {
            let sun = SunPosition(ut1: time)
            let cosine = (1 - sun.sineDeclination * sun.sineDeclination).squareRoot()
            let height = -sin(depression.radians) - sin(latitude.radians) * sun.sineDeclination
            let angle = acos(min(1, max(-1, height / (cos(latitude.radians) * cosine))))
            time = noon + ((inTheMorning ? -angle : angle) - sun.equationOfTime) / (2 * .pi)
        }
        return time
    }
}

/// The young Moon at the sunset of a place.
struct Crescent {
    /// UT1 in days since 1970-01-01T00:00.
    let sunset: Double
    /// Degrees between the centres of the Sun and the Moon, from the Earth's centre.
    let elongation: Double
    /// The elongation seen from the place itself.
    let elongationSeen: Double
    /// Degrees of the Moon's centre above the horizon, without refraction.
    let altitude: Double

    /// - Parameter day: the civil day, by the place's own noon.
    init(on day: Int, at place: ObservationSite) {
        sunset = place.crossing(on: day, depression: Observer.horizonDepression)
        let sky = SunAndMoon(ut1: sunset)
        elongation = sky.elongation
        (altitude, elongationSeen) = sky.seen(from: place)
    }

    /// The altitude raised by refraction: Meeus, formula 16.4.
    var apparentAltitude: Double {
        guard altitude > -1 else { return altitude }
        return altitude + 1.02 / tan((altitude + 10.3 / (altitude + 5.11)).radians) / 60
    }
}

/// The conjunction of the Sun and the Moon, from which a month is computed.
struct Conjunction {
    /// UT1 in days since 1970-01-01T00:00.
    let time: Double

    /// - Parameter lunation: counted from the new moon of 2000-01-06.
    init(lunation: Int) {
        // Meeus, formula 49.1, whose error is fourteen hours at most.
        let mean = 10_962.59766 + 29.530588861 * Double(lunation)
        time = Self.root(near: mean) { SunAndMoon(ut1: $0).lead }
    }

    /// The time at which the Moon's centre reaches this distance in degrees from the Sun's again.
    func reaching(elongation: Double) -> Double {
        Self.root(near: time + elongation / 12.2) { SunAndMoon(ut1: $0).elongation - elongation }
    }

    /// The zero of a function that grows by about twelve a day.
    private static func root(near guess: Double, _ function: (Double) -> Double) -> Double {
        var (earlier, valueEarlier) = (guess, function(guess))
        var later = guess - valueEarlier / 12.2
        for _ in 0..<8 where abs(later - earlier) > 1e-7 {
            let value = function(later)
            let next = later - value * (later - earlier) / (value - valueEarlier)
            (earlier, valueEarlier, later) = (later, value, next)
        }
        return later
    }
}
