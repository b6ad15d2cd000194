import Places
package import PrayerEngine
package import Settings
import Texts
package import Times

/// Resolves the place and method of a configuration's times on this machine: its zone is looked up, and without a configured
/// location the zone's principal place is used.
package enum SiteReader {
    package static func site(for config: Config, _ zones: ZoneFiles) throws(SiteError) -> Site {
        let zone = try zone(of: config, zones)
        if config.location != nil { return try site(for: config, in: zone, principal: ZonePlaces.greenwich) }
        let principal: ZonePlace
        do throws(ZoneFileError) {
            principal = try zones.place(of: zone)
        } catch {
            throw .noPlace(error)
        }
        return try site(for: config, in: zone, principal: principal)
    }

    /// - Parameter principal: the place of the zone, used if no location is configured.
    static func site(
        for config: Config, in zone: Zone, principal: ZonePlace
    ) throws(SiteError) -> Site {
        let isUnplaced = config.location == nil && principal == ZonePlaces.greenwich
        let point =
            config.location.map { ($0.latitude, $0.longitude) } ?? (principal.latitude, principal.longitude)
        let gazetteer = Gazetteer.embedded
        let (settings, choice) = config.calculation.practised(
            at: isUnplaced ? nil : point, zone: zone.name, gazetteer)
        let calculation: Calculation
        do throws(EngineError) {
            calculation = try settings.calculation()
        } catch {
            throw .calculation(error)
        }
        // The town's height counts only where the authority considers it.
        let townHeight =
            calculation.method.elevation.isTown && !isUnplaced
            ? gazetteer.elevation(latitude: point.0, longitude: point.1) : 0
        if let location = config.location {
            let written = location.townElevationMetres
            let place = try place(
                location.latitude, location.longitude, location.elevationMetres,
                written > 0 ? written : townHeight)
            let name = location.name ?? NumberText.coordinates(location.latitude, location.longitude)
            return Site(
                name: name, place: place, approximate: false, zone: zone, calculation: calculation,
                choice: choice,
                mosque: MosqueTimes(config))
        }
        let place = try place(principal.latitude, principal.longitude, 0, townHeight)
        return Site(
            name: principal.name, place: place, approximate: true,
            isUnplaced: isUnplaced, zone: zone, calculation: calculation, choice: choice,
            mosque: MosqueTimes(config))
    }

    /// The configured zone, or the system's.
    package static func zone(of config: Config, _ zones: ZoneFiles) throws(SiteError) -> Zone {
        do throws(ZoneFileError) {
            guard let name = config.timezone else { return try zones.systemZone() }
            return try zones.zone(named: name)
        } catch {
            throw config.timezone == nil ? .systemZone(error) : .zone(error)
        }
    }

    private static func place(
        _ latitude: Double, _ longitude: Double, _ elevation: Double, _ townElevation: Double
    ) throws(SiteError) -> Place {
        do throws(EngineError) {
            return try Place(
                latitude: latitude, longitude: longitude, elevationMetres: elevation,
                townElevationMetres: townElevation)
        } catch {
            throw .calculation(error)
        }
    }
}

/// Why times cannot be calculated here although the configuration itself is valid.
package enum SiteError: Error, Sendable, Equatable {
    /// The configured zone is not available.
    case zone(ZoneFileError)
    case systemZone(ZoneFileError)
    /// No location is configured, and the zone has no place.
    case noPlace(ZoneFileError)
    case calculation(EngineError)

    package var message: String {
        switch self {
        case .zone(let error), .noPlace(let error): error.message
        case .systemZone(let error): "the system's time zone cannot be read: \(error.message)"
        case .calculation(let error): error.description
        }
    }

    /// The faulty key of the configuration, as a dotted path.
    package var key: String {
        switch self {
        case .zone, .systemZone, .noPlace: "timezone"
        case .calculation: "calculation"
        }
    }
}
