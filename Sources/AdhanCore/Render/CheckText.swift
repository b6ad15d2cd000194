/// `adhanctl check` for people.
package enum CheckText {
    package static func render(_ document: CheckDocument, _ style: Style) -> String {
        let place = document.location
        let how = document.calculation
        var text = "\(document.file): " + style("valid", .good) + "\n"
        text += "\(PlaceText.describe(place.name, place.latitude, place.longitude)), \(place.timezone)\n"
        if place.approximate {
            let advice =
                PlaceText.approximation + " Set latitude and longitude under [location]."
            text += Wrapping.lines(advice, indent: 0).map { style($0, .caution) + "\n" }.joined()
        }
        return text + "\(how.method), Asr \(how.asr), high latitude \(how.highLatitude)\n"
    }
}
