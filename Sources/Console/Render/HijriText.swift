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
            let (first, last) = (HijriDate.tableYears.lowerBound, HijriDate.tableYears.upperBound)
            text += style(
                "Computed: the calendar is known for \(first) to \(last); a day off is possible.", .caution)
            text += "\n"
        }
        return text
    }
}
