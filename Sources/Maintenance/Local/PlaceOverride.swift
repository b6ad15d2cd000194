import CommandKit
import Console
import Host
import Places
import PrayerEngine
import Settings

/// A place given on the command line instead of the configured one: a town, coordinates, or an authority's zone. It brings its
/// own time zone.
struct PlaceOverride {
    private let place: SetupPlace?

    /// `city` is a town, coordinates or a map's address.
    init(_ city: String?, _ options: CalculationOptions) throws(CommandError) {
        let gazetteer = Gazetteer.embedded
        guard let city else {
            place = options.movesPlace ? nil : options.zone.flatMap { Self.zone($0, gazetteer) }
            return
        }
        do throws(PlaceError) {
            place = try SetupPlace.named(city, gazetteer)
        } catch {
            throw CommandError(.failed, "--city: \(error.message)")
        }
    }

    /// The place for which an authority calculates a zone; `nil` if no authority has the zone.
    private static func zone(_ code: String, _ gazetteer: Gazetteer) -> SetupPlace? {
        let all = Method.all.lazy.flatMap(\.places.all)
        guard let zone = all.first(where: { $0.code.lowercased() == code.lowercased() }) else { return nil }
        let (latitude, longitude) = zone.coordinates
        return SetupPlace(
            ConfiguredLocation(name: "\(zone.name) (\(zone.code))", latitude: latitude, longitude: longitude),
            gazetteer)
    }

    /// The options with the town's coordinates.
    func moved(_ options: CalculationOptions) -> CalculationOptions {
        guard let place else { return options }
        var options = options
        options.latitude = "\(place.location.latitude)"
        options.longitude = "\(place.location.longitude)"
        return options
    }

    /// Sets the configuration for another place: its name, its town's height and, unless one is given, its time zone; names
    /// the place on standard error.
    func apply(to config: inout Config, zoneIsGiven: Bool) throws(CommandError) {
        guard let location = config.location else { return }
        let gazetteer = Gazetteer.embedded
        guard let place = place ?? SetupPlace(location, gazetteer) else { return }
        config.location?.townElevationMetres = place.location.townElevationMetres
        if config.location?.name == nil, self.place != nil { config.location?.name = place.location.name }
        guard !zoneIsGiven else { return }
        config.timezone = place.timezone
        StandardError.write(
            "adhanctl: \(Self.sentence(place, isTown: self.place != nil && place.kilometres == 0))")
    }

    private static func sentence(_ place: SetupPlace, isTown: Bool) -> String {
        let whose = isTown ? place.name : "the nearest town (\(place.nearestTown))"
        let note = place.secondClock.map { "; \($0.note)" } ?? ""
        return "by the time zone of \(whose): \(place.timezone)\(note)"
    }
}
