/// Diyanet: the month begins on the day after the one, by Greenwich, on which the crescent can first be seen anywhere on the
/// Earth: at sunset 8° from the Sun and 5° high.
///
/// Source: the conferences of Istanbul, 27–30 November 1978 and 28–30 May 2016, as Diyanet quotes them. Somewhere on the Earth
/// the Moon is 5° high whenever it is 8° from the Sun, so that the distance decides; Diyanet publishes that moment ("rü'yet"),
/// and the times computed here are within a minute of it.
enum CrescentAnywhere {
    static let elongation = 8.0
    static let altitude = 5.0

    /// Points along the west of the American mainland. By the time the crescent can first be seen there in the evening,
    /// Greenwich's next day has begun. The evening's own day still counts if New Zealand's dawn came after the conjunction.
    private static let america = [
        ObservationSite(latitude: 61.2, longitude: -149.9),
        ObservationSite(latitude: 49.2, longitude: -123.1),
        ObservationSite(latitude: 37.8, longitude: -122.4),
        ObservationSite(latitude: 34.0, longitude: -118.2),
        ObservationSite(latitude: 22.9, longitude: -109.9), ObservationSite(latitude: 16.8, longitude: -99.9),
        ObservationSite(latitude: -4.7, longitude: -81.3), ObservationSite(latitude: -12.0, longitude: -77.0),
        ObservationSite(latitude: -33.0, longitude: -71.6),
        ObservationSite(latitude: -53.0, longitude: -72.0),
    ]
    private static let newZealand = ObservationSite(latitude: -38.7, longitude: 178.0)
    private static let dawn = 18.0
    /// The share of Greenwich's day by which the Sun has set in the whole of America.
    private static let eveningsEnd = 0.4

    /// Months that begin on another day in Diyanet's published calendar: Dhu al-Hijjah 1433 by the decision of its High Board of
    /// 17 October 2012, Rabi al-Thani 1436 because it precedes the rule that counts the evening in America.
    static let announced: [HijriMonth: Int] = [
        HijriMonth(index: 1433 * 12 + 11): 15_629,  // 2012-10-16
        HijriMonth(index: 1436 * 12 + 3): 16_457,  // 2015-01-22
    ]

    static func firstDay(after conjunction: Conjunction) -> Int {
        let seen = conjunction.reaching(elongation: elongation)
        let day = Int(seen.rounded(.down))
        guard seen - Double(day) < eveningsEnd,
            conjunction.time < newZealand.crossing(on: day, depression: dawn, inTheMorning: true)
        else { return day + 1 }
        let isSeen = america.contains {
            let crescent = Crescent(on: day - 1, at: $0)
            return crescent.elongation >= elongation && crescent.altitude >= altitude
        }
        return isSeen ? day : day + 1
    }
}

/// MABIMS, the ministers of religion of Brunei, Indonesia, Malaysia and Singapore: the month begins on the day after the first
/// sunset from the conjunction on at which the crescent is high enough and far enough from the Sun, else a day later.
struct CrescentOverhead: Sendable {
    let place: ObservationSite
    /// Whether the distance between the Sun and the Moon is measured from the place rather than from the Earth's centre.
    let isSeenFromPlace: Bool

    /// Singapore, the place at which the first days of MUIS' timetables meet the criterion.
    static let singapore = CrescentOverhead(
        place: ObservationSite(latitude: 1.29, longitude: 103.85), isSeenFromPlace: true)
    /// Banda Aceh, for Kemenag: a month begins once the crescent is high enough anywhere in Indonesia, which happens first in the
    /// west. Kemenag publishes its altitudes and distances for this place.
    static let bandaAceh = CrescentOverhead(
        place: ObservationSite(latitude: 5.55, longitude: 95.32), isSeenFromPlace: false)

    /// The day of the criterion in use since 2022: 3° high and 6.4° from the Sun. Source: the ministers' decision of 8 December
    /// 2021.
    private static let newMeasure = 18_993  // 2022-01-01

    func firstDay(after conjunction: Conjunction) -> Int {
        var day = Int((conjunction.time + place.longitude / 360).rounded(.down))
        var crescent = Crescent(on: day, at: place)
        if crescent.sunset < conjunction.time {
            day += 1
            crescent = Crescent(on: day, at: place)
        }
        let altitude = crescent.apparentAltitude
        let elongation = isSeenFromPlace ? crescent.elongationSeen : crescent.elongation
        let isSeen: Bool
        if day >= Self.newMeasure {
            isSeen = altitude >= 3 && elongation >= 6.4
        } else {
            // Before 2022: 2° high and 3° from the Sun, or eight hours old.
            let age = crescent.sunset - conjunction.time
            isSeen = altitude >= 2 && elongation >= 3 || age * 24 >= 8
        }
        return isSeen ? day + 1 : day + 2
    }
}
