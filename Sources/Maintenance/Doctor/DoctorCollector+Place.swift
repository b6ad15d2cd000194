import CommandKit
import Console
import Glibc
import Host
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// Collects the configuration in force, the place and its zones.
extension DoctorCollector {
    /// Reads the content, as far as this user may. Whether the configuration is usable is decided by adhand.
    mutating func readConfiguration() {
        guard let file = configurationFile else {
            facts.config = .default
            return
        }
        facts.configuration = .init(file: file, state: .valid)
        do throws(CommandError) {
            let local = try LocalConfiguration(file: file)
            facts.config = local.config
            _ = try local.daemonSite(zones)
        } catch  where error.status == .invalidInput {
            facts.configuration.state = .invalid(reason: error.message)
        } catch {
            facts.configuration.state = .unreadable(reason: error.message)
        }
        facts.configuration.isNewer = wasChangedSinceRead(file)
    }

    /// Has adhand, or a program in its place, check the configuration, its sounds and its devices.
    mutating func examine() {
        facts.isRoot = geteuid() == 0
        if case .hangs = facts.daemon {
            facts.sound.unseen = "adhand does not answer"
            return
        }
        let found: CheckDocument
        do throws(CommandError) {
            found = try CheckRunner(daemon: daemon, file: nil).document()
        } catch {
            facts.sound.unseen = error.cause ?? error.message
            return
        }
        guard found.view != .text else {
            facts.sound.unseen =
                facts.status == nil
                ? "it does not answer, and only root can look in its place"
                : "it is older than this adhanctl and does not know how to look"
            return
        }
        if let problem = found.problems.first(where: { $0.kind == .lost }) {
            facts.configuration.state = .lost(reason: problem.sentence)
            facts.sound.unseen = "a part of the configuration is gone"
        } else if let problem = found.problems.first(where: { $0.kind == .configuration }) {
            facts.configuration.state = .invalid(reason: problem.sentence)
            facts.sound.unseen = "the configuration cannot be used"
        } else if let problem = found.problems.first(where: { $0.kind == .access && $0.severity == .problem })
        {
            facts.configuration.state = .closed(reason: problem.message, fix: problem.fix)
            facts.sound.unseen = "it cannot read its configuration"
        } else {
            if case .unreadable = facts.configuration.state { facts.configuration.state = .valid }
            facts.sound = found.soundFacts
            // A quiet window is intended, and doctor has a separate check for it.
            facts.mosqueProblems = found.problems.filter { $0.kind == .times && $0.key != "quiet" }.map(
                \.message)
        }
    }

    /// The file that adhand read, or would read; `nil` when there is none.
    private var configurationFile: String? {
        if let status = facts.status { return status.configurationFile }
        if facts.isSystem {
            let system = Paths.systemConfiguration
            return ConfigFiles.exist(system, in: environment) ? system : nil
        }
        if case .file(let path) = Paths(Paths.Options(), in: environment).configuration { return path }
        return nil
    }

    /// Whether the file was written after adhand had started and had read it for the last time.
    private func wasChangedSinceRead(_ file: String) -> Bool {
        guard let status = facts.status,
            let log = try? daemon.ask(
                .getLog, LogParameters(limit: LogReply.capacity),
                patienceSeconds: Self.patienceSeconds)
        else { return false }
        let reading = log.entries.last { $0.event == Notice.Kind.configReloaded.rawValue }
        // A full log may have lost the entry of the last reading, so the answer is unknown.
        if reading == nil, log.entries.count >= LogReply.shareOfCallers { return false }
        guard let readAt = InstantText.parse(reading?.at ?? status.startedAt) else { return false }
        // Adding or removing a drop-in changes the time of its directory.
        let dropIns = (try? ConfigFiles.dropIns(of: file)) ?? []
        let times = ([file, ConfigFiles.directory(of: file)] + dropIns).compactMap(Self.timeWritten)
        return times.contains { $0 > readAt.unixSeconds + 1 }
    }

    private static func timeWritten(_ path: String) -> Double? {
        var attributes = stat()
        guard unsafe stat(path, &attributes) == 0 else { return nil }
        return Double(attributes.st_mtim.tv_sec)
    }

    /// The zone files. The system's service does not see the TZ variable of this user's terminal.
    private var zones: ZoneFiles {
        var environment = environment
        if facts.isSystem { environment.variables["TZ"] = nil }
        return ZoneFiles(in: environment)
    }

    mutating func findLocation() {
        facts.zone = (try? zones.systemZone()) ?? .utc
        facts.zoneRelease = zones.release()
        do throws(ZoneFileError) {
            guard
                var here = try facts.status.map({ s throws(ZoneFileError) in try reported(s) })
                    ?? configured()
            else { return }
            here.zoneIsConfigured = facts.config?.timezone != nil
            here.nearby = zones.nearby(
                latitude: here.place.latitude, longitude: here.place.longitude)
            here.nearbyAcross = zones.nearby(
                latitude: here.place.latitude, longitude: -here.place.longitude)
            facts.locationFacts = here
            facts.zone = here.zone
        } catch {
            facts.locationProblem = error.message
        }
    }

    private func reported(_ status: StatusDocument) throws(ZoneFileError) -> DoctorFacts.LocationFacts? {
        let location = status.location
        guard let place = try? Place(latitude: location.latitude, longitude: location.longitude) else {
            return nil
        }
        // A copy of a zone file may have no name.
        let zone: Zone
        do throws(ZoneFileError) {
            zone =
                location.timezone == ZoneFiles.unnamed
                ? try zones.systemZone() : try zones.zone(named: location.timezone)
        } catch {
            // adhand uses the kept zone, or one of whole hours by the longitude.
            guard status.zoneProblem != nil else { throw error }
            zone = .ofMeridian(location.longitude)
        }
        return .init(
            name: location.name, place: place, isApproximate: location.approximate, zone: zone)
    }

    private mutating func configured() -> DoctorFacts.LocationFacts? {
        guard let config = facts.config else { return nil }
        do throws(SiteError) {
            let site = try ResolvedSite(config, zones, kept: nil, isMeant: true).site
            return .init(
                name: site.name, place: site.place, isApproximate: site.approximate, zone: site.zone)
        } catch {
            facts.locationProblem = error.message
            return nil
        }
    }
}
