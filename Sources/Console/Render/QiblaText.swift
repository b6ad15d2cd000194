package import Protocol
package import Texts

/// `adhanctl qibla` for people.
package enum QiblaText {
    package static func render(_ qibla: QiblaDocument, _ style: Style) -> String {
        let place = PlaceText.describe(qibla.name, qibla.latitude, qibla.longitude)
        let bearing = "\(NumberText.decimals(qibla.bearing, 2))° from true north (\(point(qibla.bearing)))"
        var text =
            style(bearing, .heading) + ", \(NumberText.decimals(qibla.distanceKm, 0)) km\nfrom \(place)"
        if qibla.approximate { text += "\n" + style(PlaceText.approximation, .caution) }
        return text + "\n"
            + style("A compass shows magnetic north: correct for the declination where you are.", .faint)
            + "\n"
    }

    private static let points = [
        "north", "north-northeast", "northeast", "east-northeast", "east", "east-southeast", "southeast",
        "south-southeast", "south", "south-southwest", "southwest", "west-southwest", "west",
        "west-northwest",
        "northwest", "north-northwest",
    ]

    /// The nearest of the sixteen points of the compass, which are 22.5° apart.
    private static func point(_ bearing: Double) -> String {
        guard bearing.isFinite else { return "?" }
        return points[Int((bearing / 22.5).rounded()) & 15]
    }
}
