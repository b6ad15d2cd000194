internal import Glibc
import PrayerEngine

extension Gazetteer {
    /// The place nearest to a point, and the distance to its centre in kilometres; `nil` for an invalid
    /// point.
    package func nearest(latitude: Double, longitude: Double) -> (place: GazetteerPlace, kilometres: Double)?
    {
        nearest(latitude: latitude, longitude: longitude, limit: 1)?.first
    }

    /// The places nearest to a point, the nearest first; `nil` for an invalid point.
    package func nearest(
        latitude: Double, longitude: Double, limit: Int
    ) -> [(place: GazetteerPlace, kilometres: Double)]? {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        var best: [(rank: Int, half: Double)] = []
        for rank in 0..<count {
            let worst = best.count < limit ? .infinity : best.last?.half ?? .infinity
            let there = coordinates(rank)
            let dLatitude = sin((there.latitude * .pi / 180 - north) / 2)
            // Latitude alone excludes most places.
            guard dLatitude * dLatitude < worst else { continue }
            let dLongitude = sin((there.longitude * .pi / 180 - east) / 2)
            let half =
                dLatitude * dLatitude + cos(north) * cos(there.latitude * .pi / 180) * dLongitude * dLongitude
            guard half < worst else { continue }
            best.insert((rank, half), at: best.firstIndex { $0.half > half } ?? best.endIndex)
            if best.count > limit { best.removeLast() }
        }
        return best.map { (place($0.rank), 2 * GreatCircle.radius * asin(min(1, $0.half.squareRoot()))) }
    }

    /// The height of the nearest town, in metres; 0 if there is none within 25 km.
    package func elevation(latitude: Double, longitude: Double) -> Double {
        guard let (town, distance) = nearest(latitude: latitude, longitude: longitude), distance <= 25 else {
            return 0
        }
        return town.elevationMetres
    }

    /// The place by which people would name a point, which may be larger than the nearest one. Among those within 25 km in
    /// the same country and zone, ten times the population outweighs 5 km.
    package func namesake(latitude: Double, longitude: Double) -> (place: GazetteerPlace, kilometres: Double)?
    {
        let near = nearest(latitude: latitude, longitude: longitude, limit: 60) ?? []
        guard let first = near.first else { return nil }
        let weight = { (town: (place: GazetteerPlace, kilometres: Double)) in
            Double(town.place.magnitude) - 6 * town.kilometres
        }
        return near.filter {
            $0.kilometres <= 25 && $0.place.countryCode == first.place.countryCode
                && $0.place.timezone == first.place.timezone
        }.max { weight($0) < weight($1) } ?? first
    }
}
