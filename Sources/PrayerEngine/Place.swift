/// A point on the Earth.
public struct Place: Sendable, Equatable {
    /// Geodetic latitude (WGS84) in degrees, north positive, −90…90.
    public let latitude: Double
    /// Degrees, east positive, −180…180.
    public let longitude: Double
    /// Metres above the visible horizon, 0…9000.
    public let elevationMetres: Double
    /// Metres of the town above the sea, 0…9000. Only some authorities consider it, and only where ``elevationMetres`` is not
    /// given.
    public let townElevationMetres: Double

    /// Makes a place. Throws ``EngineError/outOfRange(what:value:allowed:)`` for a value outside its range, or one that is not a
    /// number.
    public init(
        latitude: Double, longitude: Double, elevationMetres: Double = 0, townElevationMetres: Double = 0
    ) throws(EngineError) {
        guard (-90.0...90).contains(latitude) else {
            throw .outOfRange(what: "latitude", value: latitude, allowed: "-90 to 90 degrees")
        }
        guard (-180.0...180).contains(longitude) else {
            throw .outOfRange(what: "longitude", value: longitude, allowed: "-180 to 180 degrees")
        }
        guard (0.0...9000).contains(elevationMetres) else {
            throw .outOfRange(what: "elevation", value: elevationMetres, allowed: "0 to 9000 metres")
        }
        guard (0.0...9000).contains(townElevationMetres) else {
            throw .outOfRange(
                what: "the town's elevation", value: townElevationMetres, allowed: "0 to 9000 metres")
        }
        self.latitude = latitude
        self.longitude = longitude
        self.elevationMetres = elevationMetres
        self.townElevationMetres = townElevationMetres
    }
}

/// Why the engine cannot calculate. The description is a sentence for the user.
public enum EngineError: Error, Equatable, Sendable, CustomStringConvertible {
    case outOfRange(what: String, value: Double, allowed: String)
    case contradiction(String)

    public var description: String {
        switch self {
        case .outOfRange(let what, let value, let allowed): "\(what) \(value) is out of range: \(allowed)"
        case .contradiction(let sentence): sentence
        }
    }
}
