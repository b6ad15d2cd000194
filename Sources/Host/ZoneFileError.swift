/// Why a time zone or its place is not available.
package enum ZoneFileError: Error, Sendable, Equatable {
    /// The text is not a zone's name, perhaps a path.
    case noName(String)
    case unknown(String, nearest: String?)
    /// The system has no zones.
    case noZones(directory: String)
    case unreadable(FileError)
    case broken(path: String, reason: String)
    /// The zone belongs to no place.
    case noPlace(String)

    /// One sentence with the remedy.
    package var message: String {
        switch self {
        case .noName(let name): "\"\(name)\" is not a time zone's name; names look like \"Europe/Berlin\""
        case .unknown(let name, let nearest):
            "there is no time zone \"\(name)\"; "
                + (nearest.map { "did you mean \"\($0)\"?" } ?? "timedatectl list-timezones lists them")
        case .noZones(let directory):
            "there are no time zones in \"\(directory)\"; install the package tzdata"
        case .unreadable(let error): error.message
        case .broken(let path, let reason): "\(reason) (\(path))"
        case .noPlace(let zone):
            "the time zone \"\(zone)\" belongs to no place, so the location is not known; "
                + "set latitude and longitude in [location]"
        }
    }
}
