import PrayerEngine
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

/// `adhanctl hijri` for people.
package enum HijriText {
    package static func render(_ document: HijriDocument, _ style: Style) -> String {
        let date = CivilDate(document.date).map(LocalText.long) ?? document.date
        let from = document.maghrib.map { " (\(LocalText.minute($0)))" } ?? ""
        var text =
            "\(date): " + style(document.hijri.text, .heading)
            + style(" (\(HijriRule.title(of: document.calendar)))", .faint) + "\n"
        text += style("from Maghrib\(from) on: \(document.fromMaghrib.text)", .faint) + "\n"
        if document.hijri.arithmetic {
            let (first, last) = (HijriDate.tableYears.lowerBound, HijriDate.tableYears.upperBound)
            text += style(
                "Computed: the calendar is known for \(first) to \(last); a day off is possible.", .caution)
            text += "\n"
        }
        return text
    }
}
