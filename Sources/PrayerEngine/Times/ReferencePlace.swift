internal import Glibc

/// A place for which an authority computes its times, instead of for every town of a region.
public struct ReferencePlace: Sendable, Equatable {
    struct Point: Sendable, Equatable {
        let latitude: Double
        let longitude: Double
    }

    /// The authority's code for the region, such as `WLY01`.
    public let code: String
    /// The region's name.
    public let name: String
    let point: Point
    /// The coordinates for which the region's times are calculated, in degrees.
    public var coordinates: (latitude: Double, longitude: Double) { (point.latitude, point.longitude) }
    /// The second point of a region whose times are the later of two, for its far ends.
    let further: Point?
    let elevationMetres: Double
    /// Minutes that apply in this region on top of the method's: sunrise, for instance, is often computed further east.
    let offsets: EventOffsets
    /// Isha's angle, where it differs from the method's in this region.
    let ishaAngle: Double?
    /// The point for the years up to 2023, where the authority has since adopted another.
    let pointUntil2023: Point?
    /// Towns of the region; a place belongs to the region of the nearest town.
    let towns: [Point]

    /// 2024-01-01
    static let pointsSince = CivilDate(dayNumber: 19_723)

    init(
        _ code: String, _ name: String, _ latitude: Double, _ longitude: Double, elevationMetres: Double = 0,
        offsets: EventOffsets = EventOffsets(), isha: Double? = nil,
        andLaterAt further: (Double, Double)? = nil,
        until2023 earlier: (Double, Double)? = nil, towns: [(Double, Double)] = []
    ) {
        self.code = code
        self.name = name
        point = Point(latitude: latitude, longitude: longitude)
        self.further = further.map { Point(latitude: $0.0, longitude: $0.1) }
        self.elevationMetres = elevationMetres
        self.offsets = offsets
        ishaAngle = isha
        pointUntil2023 = earlier.map { Point(latitude: $0.0, longitude: $0.1) }
        self.towns = towns.map { Point(latitude: $0.0, longitude: $0.1) }
    }

    /// The first day on which JAKIM's table of the zone has the present angle of Fajr, where the date differs from most of
    /// Malaysia.
    var presentFajrSince: CivilDate? {
        switch code.prefix(3) {
        // 2020-03-01
        case "KDH": CivilDate(dayNumber: 18_322)
        // 2021-01-01
        case "KTN", "PLS", "SBH": CivilDate(dayNumber: 18_628)
        default: nil
        }
    }

    /// Kilometres from the nearest of the region's towns, on a flat map, which suffices for choosing among neighbours.
    fileprivate func kilometres(from place: Place) -> Double {
        let shrink = cos(place.latitude * .pi / 180)
        var least = Double.infinity
        for town in towns {
            let north = town.latitude - place.latitude
            let east = (town.longitude - place.longitude) * shrink
            least = min(least, north * north + east * east)
        }
        return least.squareRoot() * 111.2
    }
}

/// The reference places of one authority.
public enum ReferencePlaces: Sendable, Equatable {
    case none, singapore, malaysia, indonesia, tunisia, emirates, oman

    /// Every region that the authority computes for; empty for `none`.
    public var all: [ReferencePlace] {
        switch self {
        case .none: []
        case .singapore: ReferencePlace.singapore
        case .malaysia: ReferencePlace.peninsula + ReferencePlace.borneo
        case .indonesia: ReferencePlace.indonesia + ReferencePlace.indonesianHighlands
        case .tunisia: ReferencePlace.tunisia
        case .emirates: ReferencePlace.emirates
        case .oman: ReferencePlace.oman
        }
    }

    /// The distance from a town, in kilometres, within which a place still belongs to its region.
    private var reachKilometres: Double {
        switch self {
        case .none: 0
        case .singapore: 40
        case .malaysia: 150
        case .indonesia, .tunisia: 15
        case .emirates, .oman: 25
        }
    }

    /// The country that the places cover as a whole; `nil` where the authority computes for other places as well.
    public var country: String? {
        switch self {
        case .singapore: "Singapore"
        case .malaysia: "Malaysia"
        case .none, .indonesia, .tunisia, .emirates, .oman: nil
        }
    }

    /// The region with an authority's code, such as `WLY01`; `nil` if there is none. Codes are
    /// case-sensitive.
    public subscript(code: String) -> ReferencePlace? {
        all.first { $0.code == code }
    }

    /// The region that contains a place; `nil` where it is too far from all of them.
    func around(_ place: Place) -> ReferencePlace? {
        let nearest = all.map { (kilometres: $0.kilometres(from: place), $0) }.min {
            $0.kilometres < $1.kilometres
        }
        guard let nearest, nearest.kilometres <= reachKilometres else { return nil }
        return nearest.1
    }
}

extension ReferencePlace {
    fileprivate static let singapore = [
        ReferencePlace("SG", "Singapore", 1.285, 103.81, towns: [(1.3521, 103.8198)])
    ]

    /// The known places of Indonesia: Kemenag computes for the place and height of each regency.
    fileprivate static let indonesia = [
        ReferencePlace(
            "kota-jakarta", "Jakarta", -6.17009, 106.83105, towns: [(-6.17009, 106.83105)]),
        ReferencePlace(
            "kota-bandung", "Bandung", -6.92158, 107.606, elevationMetres: 768, towns: [(-6.92158, 107.606)]),
        ReferencePlace("kota-medan", "Medan", 3.57522, 98.68726, towns: [(3.57522, 98.68726)]),
        ReferencePlace("kota-makassar", "Makassar", -5.13042, 119.41973, towns: [(-5.13042, 119.41973)]),
    ]

    /// Dubai's table differs by up to a minute from those of Sharjah and Ras Al Khaimah, as if for a place west of them all.
    fileprivate static let emirates = [
        ReferencePlace(
            "dubai", "Dubai", 25.0772, 55.3093,
            offsets: EventOffsets(fajr: -0.1, dhuhr: 0.7, asr: 0.8, maghrib: 0.6, isha: 0.6),
            towns: [(25.0772, 55.3093)])
    ]

    /// Muscat's table fits a point eleven kilometres west of the town.
    fileprivate static let oman = [
        ReferencePlace("muscat", "Muscat", 23.5841, 58.295, towns: [(23.5841, 58.4078)])
    ]

    /// The institute considers the height above the sea. These heights were fitted to the days that it published, and
    /// match the towns' real heights within a few metres.
    fileprivate static let tunisia = [
        ReferencePlace("tunis", "Tunis", 36.8008, 10.1858, elevationMetres: 10, towns: [(36.8008, 10.1858)]),
        ReferencePlace("sfax", "Sfax", 34.7406, 10.7603, elevationMetres: 26, towns: [(34.7406, 10.7603)]),
        ReferencePlace("tozeur", "Tozeur", 33.9197, 8.1335, elevationMetres: 51, towns: [(33.9197, 8.1335)]),
    ]
}
