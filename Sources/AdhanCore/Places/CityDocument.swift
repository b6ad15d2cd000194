/// One place as `city --json` lists it.
package struct CityDocument: Codable, Sendable, Equatable {
    package let name: String
    /// The state, in the United States.
    @Nullable package var region: String?
    package let country: String
    package let countryCode: String
    package let latitude: Double
    package let longitude: Double
    package let timezone: String
    /// From the point that was asked for; `null` in a search by name.
    @Nullable package var distanceKm: Double?

    package init(_ place: GazetteerPlace, distanceKm: Double? = nil) {
        name = place.name
        region = place.region
        country = place.country
        countryCode = place.countryCode
        latitude = place.latitude
        longitude = place.longitude
        timezone = place.timezone
        self.distanceKm = distanceKm.map { ($0 * 10).rounded() / 10 }
    }
}

/// `city` for people: a place a line.
package enum CityText {
    package static func render(_ places: [CityDocument], _ style: Style) -> String {
        var table = TextTable([.left, .left, .right, .right, .left, .right])
        for place in places {
            let country = [place.region, place.country].compactMap(\.self).joined(separator: ", ")
            table.add([
                .init(place.name, .heading), .init(country), .init(NumberText.decimals(place.latitude, 4)),
                .init(NumberText.decimals(place.longitude, 4)), .init(place.timezone, .faint),
                .init(place.distanceKm.map { "\(NumberText.decimals($0, 1)) km away" } ?? "", .faint),
            ])
        }
        return table.rendered(style)
    }
}
