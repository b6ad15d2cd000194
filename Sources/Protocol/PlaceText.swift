import PrayerEngine
import Settings
import Texts

/// Places in words, with remarks about those that nobody chose.
package enum PlaceText {
    /// The remark beside times of a place that was not chosen.
    package static let approximation =
        "Approximate: no location is set, so the main place of the time zone stands in."
    /// The remark where the zone names no place.
    static let nowhere =
        "No place is set, and the time zone names none: these are Greenwich's times, and adhand calls nothing by them."

    /// The text about a place that was not chosen.
    package static func caution(_ name: String) -> String {
        name == ZonePlaces.greenwich.name ? nowhere : approximation
    }

    /// `Queens, New York (40.7282, -73.7949)`; the coordinates alone when they are the name.
    package static func describe(_ name: String, _ latitude: Double, _ longitude: Double) -> String {
        let coordinates = NumberText.coordinates(latitude, longitude)
        return name == coordinates ? coordinates : "\(name) (\(coordinates))"
    }
}
