import PrayerEngine
package import Protocol
package import Texts

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
            text += style(
                "Computed: the calendar is known for 1356 to 1500; a day off is possible.",
                .caution)
            text += "\n"
        }
        return text
    }
}
