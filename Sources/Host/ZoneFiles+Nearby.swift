import Places
import PrayerEngine
package import Texts

/// Finds the time zones that people around a place use.
extension ZoneFiles {
    /// Kilometres up to which a town decides: beyond, only the tables of zones remain.
    private static let reachKilometres = 300.0
    /// Kilometres within which towns may use another clock than the nearest one does.
    private static let borderKilometres = 50.0

    /// The zones of places near these coordinates, the nearest first.
    package func nearby(latitude: Double, longitude: Double) -> [NearbyZone] {
        let towns = Gazetteer.embedded.nearest(latitude: latitude, longitude: longitude, limit: 8) ?? []
        if let nearest = towns.first, nearest.kilometres < Self.reachKilometres {
            return towns.filter { $0.kilometres <= nearest.kilometres + Self.borderKilometres }.flatMap {
                town in
                // Where two clocks are in use, both are right.
                [town.place.timezone, town.place.secondClock?.timezone].compactMap(\.self).compactMap {
                    name in
                    (try? zone(named: name)).map { NearbyZone(place: town.place.name, zone: $0) }
                }
            }
        }
        guard let here = try? Place(latitude: latitude, longitude: longitude) else { return [] }
        return NearbyZone.candidates(near: here, among: places().all).compactMap { place in
            (try? zone(named: place.zone)).map { NearbyZone(place: place.name, zone: $0) }
        }
    }
}
