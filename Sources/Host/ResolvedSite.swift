internal import PrayerEngine
package import Settings
internal import Texts
package import Times

/// The place and method of a daemon's times. A daemon continues where a command would refuse: with the kept zone when the file of
/// the zone is broken, and without a place where none is set.
package struct ResolvedSite: Sendable {
    package let site: Site
    /// The rules of the zone in force, to be kept; `nil` where no file contained them.
    package let kept: KeptZone?
    /// Why the zone differs from the zone of the files.
    package let problem: ZoneProblem?
    /// The confirmed loss of the machine's zone.
    package var lost: ZoneLoss?
    /// The release of the zone files.
    package private(set) var release: ZoneRelease?

    /// - Parameters:
    ///   - kept: the rules of the last good reading.
    ///   - isMeant: whether a person requested this reading, so that a missing zone was removed on purpose.
    /// - Throws: a mistake in the configuration; never an unreadable file of the machine.
    package init(_ config: Config, _ zones: ZoneFiles, kept: KeptZone?, isMeant: Bool) throws(SiteError) {
        let kept = kept.flatMap { $0.configured == config.timezone ? $0 : nil }
        release = zones.release()
        let found: ZoneFiles.Reading
        do throws(ZoneFileError) {
            found = try Self.reading(config, zones, kept, isMeant)
        } catch {
            guard !Self.isMistake(error, config, kept) else { throw .zone(error) }
            let (zone, substitute) = Self.substitute(config, zones, kept)
            let name = config.timezone ?? zones.systemName ?? kept?.name
            problem = ZoneProblem(
                reason: error.message, substitute: substitute,
                fix: Self.fix(config, zones, name))
            site = try Self.site(config, zone, placeOf: name, zones)
            self.kept = kept
            return
        }
        problem = nil
        if found.isDefault, let kept, !ZonePlaces.isUniversal(kept.name) {
            lost = ZoneLoss(file: zones.localtime, zone: kept.name)
        }
        site = try Self.site(config, found.zone, placeOf: found.zone.name, zones)
        self.kept = found.tzif.map {
            KeptZone(configured: config.timezone, name: found.zone.name, tzif: $0)
        }
    }

    /// Resolves the site when the zone files do not answer.
    package init(_ config: Config, unanswered zones: ZoneFiles, kept: KeptZone?) throws(SiteError) {
        let kept = kept.flatMap { $0.configured == config.timezone ? $0 : nil }
        let zone =
            kept?.zone ?? config.location.map { Zone.ofMeridian($0.longitude) } ?? .utc
        problem = ZoneProblem(
            reason: "\"\(zones.directory)\" does not answer",
            substitute: kept != nil
                ? .kept(name: zone.name)
                : config.location != nil ? .longitude(name: zone.name) : .universal,
            fix: "findmnt \(zones.directory)")
        site = try SiteReader.site(for: config, in: zone, principal: ZonePlaces.greenwich)
        self.kept = kept
    }

    /// Reads the zone. A machine without a zone is in UTC; if it had a zone before, the zone is lost.
    private static func reading(
        _ config: Config, _ zones: ZoneFiles, _ kept: KeptZone?, _ isMeant: Bool
    ) throws(ZoneFileError) -> ZoneFiles.Reading {
        guard let name = config.timezone else {
            let found = try zones.systemReading()
            if found.isDefault, !isMeant, let kept, !ZonePlaces.isUniversal(kept.name) {
                throw .unreadable(FileError("read", zones.localtime, reason: "the file is gone"))
            }
            return found
        }
        return try zones.reading(named: name)
    }

    /// Whether the configuration names a zone that no machine has.
    private static func isMistake(_ error: ZoneFileError, _ config: Config, _ kept: KeptZone?) -> Bool {
        guard config.timezone != nil, kept == nil else { return false }
        return switch error {
        case .noName, .unknown: true
        case .noZones, .unreadable, .broken, .noPlace: false
        }
    }

    private static func substitute(
        _ config: Config, _ zones: ZoneFiles, _ kept: KeptZone?
    ) -> (Zone, ZoneProblem.Substitute) {
        if let kept, let zone = kept.zone { return (zone, .kept(name: kept.name)) }
        let places = zones.places()
        let name = config.timezone ?? zones.systemName
        let own = name.flatMap { places.place(of: $0) }.map { ($0.latitude, $0.longitude) }
        guard let (latitude, longitude) = config.location.map({ ($0.latitude, $0.longitude) }) ?? own,
            let here = try? Place(latitude: latitude, longitude: longitude)
        else { return (.utc, .universal) }
        for near in NearbyZone.candidates(near: here, among: places.all) where near.zone != name {
            if let zone = try? zones.zone(named: near.zone) { return (zone, .nearby(name: zone.name)) }
        }
        let zone = Zone.ofMeridian(longitude)
        return (zone, .longitude(name: zone.name))
    }

    private static func fix(_ config: Config, _ zones: ZoneFiles, _ name: String?) -> String {
        // The file in /etc is a copy or is gone; any other belongs to the package.
        if config.timezone == nil, zones.override == nil, zones.systemName == nil {
            return "sudo timedatectl set-timezone \(name ?? "Europe/Istanbul")"
        }
        return "sudo apt-get install --reinstall tzdata"
    }

    private static func site(
        _ config: Config, _ zone: Zone, placeOf name: String?, _ zones: ZoneFiles
    ) throws(SiteError) -> Site {
        let principal = name.flatMap { try? zones.place(named: $0) } ?? ZonePlaces.greenwich
        return try SiteReader.site(for: config, in: zone, principal: principal)
    }
}
