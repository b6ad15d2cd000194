package import Texts

/// The document of `city --json`.
package struct CitiesDocument: Codable, Sendable, Equatable {
    package let places: [CityDocument]

    package init(places: [CityDocument]) { self.places = places }
}

/// One place as `city --json` lists it.
package struct CityDocument: Codable, Sendable, Equatable {
    package let name: String
    /// The district, if another town of the region has the same name.
    @Nullable package var district: String?
    /// A state, a province or the like.
    @Nullable package var region: String?
    package let country: String
    package let countryCode: String
    package let latitude: Double
    package let longitude: Double
    package let timezone: String
    /// A note about the clocks there.
    @Nullable package var note: String?
    /// The distance from the requested point; `null` in a search by name.
    @Nullable package var distanceKm: Double?

    package init(_ place: GazetteerPlace, distanceKm: Double? = nil) {
        name = place.name
        district = place.district
        region = place.region
        country = place.country
        countryCode = place.countryCode
        latitude = place.latitude
        longitude = place.longitude
        timezone = place.timezone
        note = place.secondClock?.note
        self.distanceKm = distanceKm.map { ($0 * 10).rounded() / 10 }
    }
}

/// `city` for people: one place on each line.
package enum CityText {
    package static func render(_ places: [CityDocument], _ style: Style) -> String {
        var table = TextTable([.left, .left, .right, .right, .left, .right])
        for place in places {
            let region = place.region == place.name ? nil : place.region
            let isAlone = GazetteerPlace.isDisputed(place.countryCode, place.region, place.timezone)
            let country =
                isAlone
                ? "" : [place.district, region, place.country].compactMap(\.self).joined(separator: ", ")
            table.add([
                .init(place.name, .heading), .init(country), .init(NumberText.decimals(place.latitude, 4)),
                .init(NumberText.decimals(place.longitude, 4)), .init(place.timezone, .faint),
                .init(place.distanceKm.map { "\(NumberText.decimals($0, 1)) km away" } ?? "", .faint),
            ])
        }
        let notes =
            Set(places.compactMap(\.note)).map { "Note: \($0)." } + [distance(places)].compactMap(\.self)
        return table.rendered(style)
            + notes.flatMap { Wrapping.lines($0, indent: 0) }.map { $0 + "\n" }.joined()
    }

    /// The distance in kilometres beyond which a town's times are not those of the point.
    private static let nearKilometres = 10.0

    private static func distance(_ places: [CityDocument]) -> String? {
        guard let kilometres = places.first?.distanceKm, kilometres > nearKilometres else { return nil }
        // The Sun crosses 15 degrees in an hour: 28 km in a minute at the equator, less further north.
        return
            "The point is \(NumberText.decimals(kilometres, 0)) km from the centre of \(places[0].name): its times may differ "
            + "by minutes. For times and for setup take the coordinates; the time zone is the town's."
    }
}
