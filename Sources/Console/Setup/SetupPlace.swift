package import Places
import Protocol
package import Settings
import Texts

/// The box's place in `setup`.
package struct SetupPlace: Sendable, Equatable {
    package let location: ConfiguredLocation
    /// The zone of the place, or of the nearest town.
    package let timezone: String
    package let countryCode: String
    package let country: String
    /// Whether it is the place that the configuration has already.
    package let isKept: Bool
    /// The facts about the clocks there.
    package let secondClock: SecondClock?
    /// Kilometres from the centre of the town whose zone is used; 0 for a town.
    package let kilometres: Double

    package init(_ town: GazetteerPlace, named name: String? = nil) {
        location = ConfiguredLocation(
            name: name ?? town.label, latitude: town.latitude, longitude: town.longitude,
            townElevationMetres: town.elevationMetres)
        timezone = town.timezone
        countryCode = town.countryCode
        country = town.country
        isKept = false
        secondClock = town.secondClock
        kilometres = 0
        nearestTown = town.label
    }

    /// Makes the place. Zone and country come from the nearest town, or from the city to which it belongs, and so does the name,
    /// if none is given and the town is near.
    package init?(_ location: ConfiguredLocation, isKept: Bool = false, _ gazetteer: Gazetteer) {
        guard
            let (town, distance) = gazetteer.namesake(
                latitude: location.latitude, longitude: location.longitude)
        else { return nil }
        var location = location
        if location.name == nil, distance <= Self.nearbyKilometres { location.name = town.label }
        if location.townElevationMetres == 0 {
            location.townElevationMetres = gazetteer.elevation(
                latitude: location.latitude, longitude: location.longitude)
        }
        self.location = location
        timezone = town.timezone
        countryCode = town.countryCode
        country = town.country
        self.isKept = isKept
        secondClock = town.secondClock
        kilometres = distance
        nearestTown = "\(NumberText.decimals(distance, distance < 10 ? 1 : 0)) km from \(town.label)"
    }

    /// Returns the place under another name.
    package func named(_ name: String) -> SetupPlace { SetupPlace(self, named: name) }

    private init(_ place: SetupPlace, named name: String) {
        location = ConfiguredLocation(
            name: name, latitude: place.location.latitude, longitude: place.location.longitude,
            townElevationMetres: place.location.townElevationMetres)
        (timezone, countryCode, country) = (place.timezone, place.countryCode, place.country)
        (isKept, secondClock, kilometres) = (place.isKept, place.secondClock, place.kilometres)
        nearestTown = place.nearestTown
    }

    /// The place that a command line names, where no person can choose between several.
    package static func named(_ text: String, _ gazetteer: Gazetteer) throws(PlaceError) -> SetupPlace {
        switch PlaceAnswer(text, gazetteer) {
        case .place(let place), .point(let place): return place
        case .towns(let towns): throw PlaceError(message: NoSuchTown.several(text, towns))
        case .unknown(let sentence): throw PlaceError(message: sentence)
        }
    }

    /// `3 km from Queens, New York`
    package let nearestTown: String

    /// Kilometres within which a town's name describes the place.
    private static let nearbyKilometres = 25.0

    package var name: String {
        location.name ?? NumberText.coordinates(location.latitude, location.longitude)
    }

    /// `Queens, New York (40.6815, -73.8365)`
    package var described: String {
        PlaceText.describe(name, location.latitude, location.longitude)
    }
}

/// Why a text does not name a place, or names several.
package struct PlaceError: Error, Sendable, Equatable {
    package let message: String
}

/// The meaning of an answer to "where".
package enum PlaceAnswer: Sendable, Equatable {
    case place(SetupPlace)
    /// A point; the person names it.
    case point(SetupPlace)
    /// Several towns match, the most probable first.
    case towns([GazetteerPlace])
    /// Why the text does not name a place, in one sentence.
    case unknown(String)

    package init(_ text: String, _ gazetteer: Gazetteer) {
        switch PointText(text) {
        case .fault(let sentence): self = .unknown(sentence)
        case .point(let latitude, let longitude):
            let location = ConfiguredLocation(latitude: latitude, longitude: longitude)
            self =
                SetupPlace(location, gazetteer).map { .point($0) } ?? .unknown("the list of places is empty")
        case .other:
            switch TownMeant(text, gazetteer) {
            case .one(let town): self = .place(SetupPlace(town))
            case .several(let towns): self = .towns(towns)
            case .none: self = .unknown(NoSuchTown.sentence(text, gazetteer))
            }
        }
    }
}
