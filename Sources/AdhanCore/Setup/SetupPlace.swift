/// Where the box is, as `setup` knows it.
package struct SetupPlace: Sendable, Equatable {
    package let location: ConfiguredLocation
    /// The zone of the place, or of the nearest town.
    package let timezone: String
    package let countryCode: String
    package let country: String
    /// Whether it is the place that the configuration has already.
    package let isKept: Bool

    package init(_ town: GazetteerPlace, named name: String? = nil) {
        location = ConfiguredLocation(
            name: name ?? town.label, latitude: town.latitude, longitude: town.longitude)
        timezone = town.timezone
        countryCode = town.countryCode
        country = town.country
        isKept = false
    }

    /// Zone and country are those of the nearest town, and so is the name, if none is given and the town is near.
    package init?(_ location: ConfiguredLocation, isKept: Bool = false, _ gazetteer: Gazetteer) {
        guard
            let (town, distance) = gazetteer.nearest(
                latitude: location.latitude, longitude: location.longitude)
        else { return nil }
        var location = location
        if location.name == nil, distance <= Self.nearby { location.name = town.label }
        self.location = location
        timezone = town.timezone
        countryCode = town.countryCode
        country = town.country
        self.isKept = isKept
    }

    /// Kilometres within which a town's name says where one is.
    private static let nearby = 25.0

    package var name: String {
        location.name ?? NumberText.coordinates(location.latitude, location.longitude)
    }

    /// `Queens, New York (40.6815, -73.8365)`
    package var described: String {
        PlaceText.describe(name, location.latitude, location.longitude)
    }
}

/// What somebody meant by an answer to "where".
package enum PlaceAnswer: Sendable, Equatable {
    case place(SetupPlace)
    /// Several towns could be meant, the likeliest first.
    case towns([GazetteerPlace])
    /// One sentence that says why it is none.
    case unknown(String)

    /// At most so many towns are shown to choose from.
    private static let most = 8

    package init(_ text: String, _ gazetteer: Gazetteer) {
        if let (latitude, longitude) = Self.coordinates(text) {
            let location = ConfiguredLocation(latitude: latitude, longitude: longitude)
            self =
                SetupPlace(location, gazetteer).map { .place($0) }
                ?? .unknown(
                    "\(text) is no place on Earth: the latitude is from -90 to 90, the longitude from -180 to 180"
                )
            return
        }
        let matches = gazetteer.matches(text, limit: Self.most)
        let whole = matches.filter { $0.kind == .whole }
        switch (whole.count, matches.count) {
        case (_, 0): self = .unknown(NoSuchTown.sentence(text, gazetteer).ended)
        case (_, 1): self = .place(SetupPlace(matches[0].place))
        // A name typed in full is not asked about because longer names begin with it.
        case (1, _): self = .place(SetupPlace(whole[0].place))
        default: self = .towns(matches.map(\.place))
        }
    }

    /// `40.7282, -73.7949`; also with a space alone between.
    private static func coordinates(_ text: String) -> (Double, Double)? {
        let parts = text.split { $0 == "," || $0 == ";" || $0 == " " }
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
            latitude.isFinite, longitude.isFinite
        else { return nil }
        return (latitude, longitude)
    }
}

package enum NoSuchTown {
    /// That there is none, and what was probably meant.
    package static func sentence(_ name: String, _ gazetteer: Gazetteer) -> String {
        let near = gazetteer.nearestName(to: name)
        return "no town in the list is called \"\(name)\"; "
            + (near.map { "did you mean \($0.described)?" }
                ?? "take the nearest larger town, or coordinates from a map")
    }
}

extension String {
    /// With a full stop, unless it is a question.
    fileprivate var ended: String { hasSuffix("?") ? self : self + "." }
}
