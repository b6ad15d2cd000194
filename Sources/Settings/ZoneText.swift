package import PrayerEngine

/// The text where a method with zones of one country is used in another country.
package enum ZoneText {
    package static func farFromZones(_ calculation: Calculation, at place: Place) -> String? {
        guard let country = calculation.countryMissed(at: place) else { return nil }
        let name = calculation.method.name
        return
            "\(name) has zones of \(country) alone and this place is near none of them, so \(name)'s rules are computed for the "
            + "place itself; its own country's method is usually the better one (\"adhanctl methods\" lists them)"
    }
}
