import CommandKit
import ControlClient
import Host
import PrayerEngine
import PrayerLog
import Protocol
import Settings
import Texts
import Times

/// The times at the person's place: from adhand if it answers, else from its saved answers of the last days, else computed by
/// its configuration.
final class PlaceTimes {
    enum Origin: Equatable {
        case adhand
        /// Times that were saved when adhand last answered.
        case kept(asked: String)
        /// Times computed by a configuration file, or by the embedded default.
        case configuration(String)
    }

    let origin: Origin
    let name: String
    let zone: Zone
    let place: Place?
    /// Whether no place was chosen, so that the main town of the time zone is used.
    let isGuessed: Bool
    var guessedPlace: String? { isGuessed ? name : nil }
    private var known: [CivilDate: [DayEvent: Instant]]
    /// Computes days that are not known yet.
    private let more: (CivilDate) -> [CivilDate: [DayEvent: Instant]]

    private init(
        origin: Origin, name: String, zone: Zone, place: Place?, isGuessed: Bool,
        known: [CivilDate: [DayEvent: Instant]],
        more: @escaping (CivilDate) -> [CivilDate: [DayEvent: Instant]]
    ) {
        self.origin = origin
        self.name = name
        self.zone = zone
        self.place = place
        self.isGuessed = isGuessed
        self.known = known
        self.more = more
    }

    func events(_ date: CivilDate) -> [DayEvent: Instant] {
        if let events = known[date] { return events }
        known.merge(more(date)) { $1 }
        return known[date] ?? [:]
    }

    func windows(_ date: CivilDate) -> DayWindows { DayWindows(date: date, zone: zone, events: events) }

    func today(_ now: Instant = WallClock.now()) -> Today { Today(now: now, zone: zone, windows: windows) }

    /// The limit for adhand's answer, for which a status bar waits.
    private static let patienceSeconds = 2.0

    // MARK: Where they come from

    /// - Parameter configuration: a file that is used regardless of adhand.
    static func find(
        socket: String?, configuration: String?, directory: String, now: Instant = WallClock.now()
    ) throws(Refusal) -> PlaceTimes {
        if configuration == nil {
            let client = ControlClient(socket: Paths.clientSocket(option: socket, in: .process))
            if let table = ask(client, now) {
                return try fromDocument(table, .adhand, client: client, configuration)
            }
            if let table = CachedTimesFile(directory: directory).read(), covers(table, now) {
                return try fromDocument(table, .kept(asked: table.asked), client: nil, configuration)
            }
        }
        return try computed(configuration)
    }

    /// The daemon's times of the coming days; `nil` if it does not answer.
    static func ask(_ client: ControlClient, _ now: Instant, days: Int = 4) -> CachedTimes? {
        // The first day is two days before the date in UTC, because no place is more than a day away from that.
        let first = Zone.utc.civilDate(of: now).adding(days: -2)
        guard let times = ask(client, first, days: days + 3) else { return nil }
        return CachedTimes(times, asked: now)
    }

    private static func ask(_ client: ControlClient, _ first: CivilDate, days: Int) -> TimesDocument? {
        try? client.call(
            .getTimes, TimesParameters(date: first.description, days: days),
            patienceSeconds: patienceSeconds
        ).times
    }

    /// Whether saved times cover every day that is needed today.
    private static func covers(_ table: CachedTimes, _ now: Instant) -> Bool {
        guard let zone = try? home(of: table) else { return false }
        let today = zone.civilDate(of: now)
        let events = table.events
        return (-1...2).allSatisfy { events[today.adding(days: $0)] != nil }
    }

    private static func home(of table: CachedTimes) throws(Refusal) -> Zone {
        let zones = ZoneFiles(in: .process)
        let name = table.times.location.timezone
        do throws(ZoneFileError) {
            return try name == ZoneFiles.unnamed ? zones.systemZone() : zones.zone(named: name)
        } catch {
            throw Refusal(
                .failed, "adhand lives in the zone \"\(PlainText.visible(name))\": \(error.message)")
        }
    }

    private static func fromDocument(
        _ table: CachedTimes, _ origin: Origin, client: ControlClient?, _ configuration: String?
    ) throws(Refusal) -> PlaceTimes {
        let location = table.times.location
        let place = try? Place(
            latitude: location.latitude, longitude: location.longitude, elevationMetres: location.elevation,
            townElevationMetres: location.townElevation ?? 0)
        var computed: Site?
        return PlaceTimes(
            origin: origin, name: location.name, zone: try home(of: table), place: place,
            isGuessed: location.approximate, known: table.events
        ) { date in
            if let client, let times = ask(client, date, days: 2) {
                return CachedTimes(times, asked: WallClock.now()).events
            }
            // A configuration that cannot be used is not reported here: the day has no times.
            computed = computed ?? (try? site(configuration).site)
            return computed.map { [date: events($0, date)] } ?? [:]
        }
    }

    private static func computed(_ configuration: String?) throws(Refusal) -> PlaceTimes {
        let (site, source) = try site(configuration)
        return PlaceTimes(
            origin: .configuration(source), name: site.name, zone: site.zone, place: site.place,
            isGuessed: site.approximate, known: [:]
        ) { [$0: events(site, $0)] }
    }

    private static func events(_ site: Site, _ date: CivilDate) -> [DayEvent: Instant] {
        let day = site.times.day(date)
        var events: [DayEvent: Instant] = [:]
        for event in DayEvent.allCases { events[event] = day[event] }
        return events
    }

    /// The site whose times this user's adhand would call: by its configuration, and by the timetable and exceptions in its
    /// state directory. A configuration that is named explicitly has no known state directory.
    private static func site(_ named: String?) throws(Refusal) -> (site: Site, source: String) {
        let paths = Paths(Paths.Options(), in: .process)
        let configuration = named.map { .file($0) } ?? paths.configuration
        var config = Config.default
        var source = "the embedded default"
        if case .file(let path) = configuration {
            source = path
            let sources: [ConfigSource]
            do throws(FileError) {
                sources = try ConfigFiles.read(path).sources
            } catch {
                throw Refusal(.failed, error.message)
            }
            do throws(ConfigError) {
                config = try ConfigLoader.load(sources).config
            } catch {
                throw Refusal(.invalidInput, error.summary)
            }
        }
        do throws(SiteError) {
            let site = try SiteReader.site(for: config, ZoneFiles(in: .process))
            return (named == nil ? decided(site, in: stateDirectory(paths)) : site, source)
        } catch {
            throw Refusal(.invalidInput, "\(source): \(error.message)")
        }
    }

    private static func stateDirectory(_ paths: Paths) -> String {
        switch paths.configuration {
        case .file(Paths.systemConfiguration): Paths.systemState
        case .file: paths.stateDirectory
        case .embedded: Paths.clientState(option: nil, in: .process)
        }
    }

    /// The site with its timetable and exceptions. A timetable that cannot be read is reported, because the computed times may
    /// differ from the mosque's.
    private static func decided(_ site: Site, in directory: String) -> Site {
        do throws(TimetableFile.ReadError) {
            return site.applying(try OverridesFiles.read(in: directory))
        } catch {
            StandardError.write(
                "adhan-companion: times are calculated, without a timetable: \(error.message)")
            return site
        }
    }
}

/// Saves adhand's last answer with times, for when adhand is away.
struct CachedTimesFile {
    private let path: String

    static let fileName = "times.json"
    private static let largest = 1 << 20

    init(directory: String) { path = directory + "/" + Self.fileName }

    /// Reads the file; `nil` if it is missing or unusable, after which the times are computed again.
    func read() -> CachedTimes? {
        guard let bytes = try? FileBytes.read(path, limit: Self.largest) else { return nil }
        return try? JSON.decode(CachedTimes.self, from: bytes)
    }

    func write(_ table: CachedTimes) throws(FileError) {
        guard let bytes = try? JSON.encode(table) else { return }
        try Directories.makePrivate(Directories.parent(of: path))
        try AtomicFile.replace(path, mode: 0o600) { draft throws(FileError) in try draft.write(bytes) }
    }

    /// Saves the times of the coming days if the adhand at this socket answers.
    func renew(from socket: String) {
        guard
            let table = PlaceTimes.ask(ControlClient(socket: socket), WallClock.now(), days: CachedTimes.days)
        else { return }
        do throws(FileError) { try write(table) } catch {
            StandardError.write("adhan-companion: \(error.message); without adhand, times will be computed")
        }
    }
}
