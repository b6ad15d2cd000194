package import PrayerEngine

/// A time zone, and a place near some coordinates that uses it.
package struct NearbyZone: Sendable, Equatable {
    /// `New York`
    package let place: String
    package let zone: Zone

    package init(place: String, zone: Zone) {
        self.place = place
        self.zone = zone
    }

    /// Metres by which a zone's principal place may be farther than the nearest one and still belong to the right zone: the
    /// places of the tz database are far from the borders of their zones.
    package static let slackMetres = 800_000.0

    /// The principal places that may share a zone with `here`, the nearest first.
    package static func candidates(near here: Place, among places: [ZonePlace]) -> [ZonePlace] {
        let measured = places.compactMap { place -> (place: ZonePlace, metres: Double)? in
            guard let there = try? Place(latitude: place.latitude, longitude: place.longitude) else {
                return nil
            }
            return (place, here.distanceMetres(to: there))
        }.sorted { $0.metres < $1.metres }
        guard let nearest = measured.first else { return [] }
        return measured.prefix { $0.metres <= nearest.metres + slackMetres }.map(\.place)
    }
}

extension Zone {
    /// Hours by which this zone's clocks are ahead of another's, from -12 to 12: 24 hours only change the date.
    package func leadHours(over other: Zone, at instant: Instant) -> Double {
        Self.wrapped(Double(offset(at: instant) - other.offset(at: instant)) / 3600)
    }

    /// Hours by which its clocks are ahead of the Sun's mean time at a longitude.
    package func leadHours(overMeridian longitude: Double, at instant: Instant) -> Double {
        Self.wrapped(Double(offset(at: instant)) / 3600 - longitude / 15)
    }

    /// Whether both show the same time all through the coming year.
    package func agrees(with other: Zone, from instant: Instant) -> Bool {
        (0..<12).allSatisfy { month in
            let day = instant + Double(month) * 30.5 * 86_400
            return offset(at: day) == other.offset(at: day)
        }
    }

    /// Whether it is universal time, as on a machine whose time zone was never set.
    package var isUniversal: Bool { ZonePlaces.isUniversal(name) }

    private static func wrapped(_ hours: Double) -> Double {
        hours - (hours / 24).rounded() * 24
    }
}
