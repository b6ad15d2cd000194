internal import AdhanCore
internal import CLinux
internal import Glibc
internal import Host
internal import PrayerEngine

/// Reads what the daemon knows of its surroundings: the configuration, the machine's zone, who may change
/// things.
struct WorldReader: Sendable {
    let configuration: Paths.Configuration
    let zones: ZoneFiles

    /// - Throws: what is wrong with the configuration, or with what it leaves to the machine.
    func read() throws(ConfigError) -> World {
        let (config, text) = try readConfig()
        let zone = try readZone(config, text)
        let calculation = try calculation(config, text)
        let (name, place, approximate) = try locate(config, zone, text)
        let site = Site(
            name: name, place: place, approximate: approximate, zone: zone, calculation: calculation)
        return World(
            config: config, configuration: source, site: site, user: geteuid(),
            controlGroup: Self.group(config.controlGroup))
    }

    /// The configuration alone, with the text it was read from.
    func readConfig() throws(ConfigError) -> (config: Config, text: [UInt8]) {
        switch configuration {
        case .embedded: return (.default, [])
        case .file(let path):
            let text: [UInt8]
            do {
                text = try FileBytes.read(path, limit: ConfigLoader.longestFile)
            } catch {
                throw ConfigError(file: path, line: 1, column: 1, key: nil, reason: error.message)
            }
            return (try ConfigLoader.load(text: text, file: path), text)
        }
    }

    /// The path that is read, or what stands in for it.
    var source: String {
        switch configuration {
        case .file(let path): path
        case .embedded: "embedded default"
        }
    }

    private func readZone(_ config: Config, _ text: [UInt8]) throws(ConfigError) -> Zone {
        do throws(ZoneFileError) {
            if let name = config.timezone { return try zones.zone(named: name) }
            return try zones.systemZone()
        } catch {
            throw problem("timezone", text, error.message)
        }
    }

    private func calculation(_ config: Config, _ text: [UInt8]) throws(ConfigError) -> Calculation {
        do throws(EngineError) {
            return try config.calculation.calculation()
        } catch {
            throw problem("calculation", text, error.description)
        }
    }

    /// The configured place, or the zone's principal one, which is then said to be approximate.
    private func locate(
        _ config: Config, _ zone: Zone, _ text: [UInt8]
    ) throws(ConfigError) -> (name: String, place: Place, approximate: Bool) {
        do {
            if let own = config.location {
                let place = try Place(
                    latitude: own.latitude, longitude: own.longitude, elevation: own.elevation)
                return (own.name ?? Self.name(of: place), place, false)
            }
            let principal = try zones.place(of: zone)
            let place = try Place(latitude: principal.latitude, longitude: principal.longitude)
            return (principal.name, place, true)
        } catch let error as ZoneFileError {
            throw problem("timezone", text, error.message)
        } catch {
            throw problem("location", text, "\(error)")
        }
    }

    /// `40.73 N, 73.79 W`
    private static func name(of place: Place) -> String {
        let latitude = NumberText.decimals(abs(place.latitude), 2) + (place.latitude < 0 ? " S" : " N")
        let longitude = NumberText.decimals(abs(place.longitude), 2) + (place.longitude < 0 ? " W" : " E")
        return "\(latitude), \(longitude)"
    }

    /// An error that stands at `key`, or at the beginning of the file.
    private func problem(_ key: String, _ text: [UInt8], _ reason: String) -> ConfigError {
        ConfigLoader.error(at: key, in: text, file: source, reason: reason)
    }

    private static func group(_ name: String) -> UInt32? {
        guard let entry = unsafe getgrnam(name) else { return nil }
        return unsafe entry.pointee.gr_gid
    }
}
