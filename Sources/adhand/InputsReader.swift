internal import CLinux
internal import Daemon
internal import Envelope
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Settings
internal import Times

/// Reads the daemon's inputs: the configuration, the machine's zone, users with rights. Each part ends within seconds, whatever
/// the file system does; that is still too long for the daemon's queue.
struct InputsReader: Sendable {
    /// Finds the configuration at every reading: the file may have been written since the start.
    let find: @Sendable () -> Paths.Configuration
    /// The paths at which it is searched, in this order.
    let candidates: [String]
    let zones: ZoneFiles
    let stateDirectory: String
    let audioDirectory: String
    /// Whether times are called for a place that is only guessed from the time zone.
    let callsApproximate: Bool

    struct Reading: Sendable {
        let inputs: DaemonInputs
        /// The parts that were in force and are missing now; empty unless a person requested the reading.
        var lost: [ConfigurationLoss] = []
    }

    /// Seconds for the configuration's files, the zone's and the timetable. Usually only one of them hangs, and the answer then
    /// arrives before adhanctl gives up; all together take less than systemd's limit for a start.
    private static let (configurationSeconds, zoneSeconds, timetableSeconds) = (8.0, 2.0, 5.0)

    /// Returns a reader of another file.
    func reading(_ file: String) -> InputsReader {
        InputsReader(
            find: { .file(file) }, candidates: [file], zones: zones, stateDirectory: stateDirectory,
            audioDirectory: audioDirectory, callsApproximate: callsApproximate)
    }

    /// The path that would be read now, or a name for a text without one.
    var source: String { ConfigurationTexts.name(of: find()) }

    private var folders: SoundFolders {
        SoundFolders(stateDirectory: stateDirectory, audioDirectory: audioDirectory)
    }

    private var kept: KeptConfiguration? { StateStore.keptConfiguration(in: stateDirectory) }

    /// - Parameters:
    ///   - isMeant: whether a person requested this reading. Otherwise parts that existed at the last good reading and are
    ///       missing now are not replaced by defaults: that would change the called times silently.
    ///   - confirmsLosses: whether a missing timetable is intended, too.
    ///   - inForce: the inputs in force until now.
    /// - Throws: the configuration's mistake.
    func read(
        isMeant: Bool, confirmsLosses: Bool = false, inForce: DaemonInputs? = nil, settings: SettingsLayer,
        fleet: FleetConfiguration?
    ) throws(ConfigError) -> Reading {
        let texts = try texts()
        let earlier = inForce?.kept ?? kept
        let lost = ConfigurationLoss.all(
            since: earlier, in: texts.sources, of: texts.name, lookedFor: candidates, mark: texts.mark)
        if !isMeant, let error = ConfigurationLoss.error(lost) { throw error }
        let machineConfig: MachineConfig
        do throws(SiteOrConfigError) {
            machineConfig = try self.machineConfig(
                texts.name, texts.sources, fleet, settings, earlier?.zone, display: displayTexts(),
                isMeant: isMeant)
        } catch {
            switch error {
            case .config(let error): throw error
            case .site(let error):
                throw ConfigLoader.error(
                    at: error.key, in: texts.sources, file: texts.name, reason: error.message)
            }
        }
        let kept = KeptConfiguration(
            texts.name, texts.sources, zone: machineConfig.resolved.kept, at: WallClock.now()
        )
        .having(timetable: earlier?.hasTimetable)
        .practising(machineConfig.siteOfFiles, machineConfig.calculationOfFiles, since: earlier)
        return Reading(
            inputs: inputs(
                machineConfig, of: texts.name, files: texts.sources.map(\.file), kept: kept,
                inForce: inForce?.site.times.table, isMeant: confirmsLosses), lost: lost)
    }

    /// Reads the inputs at the start: an unusable or truncated configuration is replaced by the last good one.
    /// - Throws: the mistake, when no configuration is kept.
    func readAtStart(
        settings: SettingsLayer, fleet: FleetConfiguration?
    ) throws(ConfigError) -> DaemonInputs {
        do throws(ConfigError) {
            return try read(isMeant: false, settings: settings, fleet: fleet).inputs
        } catch {
            guard let inputs = lastGood(error, settings, fleet) else { throw error }
            return inputs
        }
    }

    private func lastGood(
        _ error: ConfigError, _ settings: SettingsLayer, _ fleet: FleetConfiguration?
    ) -> DaemonInputs? {
        guard let kept, candidates.contains(kept.configuration),
            let machineConfig = try? machineConfig(
                kept.configuration, kept.sources, fleet, settings, kept.zone, display: displayTexts(),
                isMeant: false)
        else { return nil }
        return inputs(
            machineConfig, of: kept.configuration, files: kept.sources.map(\.file),
            kept: kept.practising(machineConfig.siteOfFiles, machineConfig.calculationOfFiles, since: kept),
            problem: UnusableConfiguration(error, keptAt: kept.keptAt))
    }

    /// Renews the configuration in force on a machine whose zone or timetable may have changed. Other changes to its file wait
    /// for a reload, and a mistake in it does not preserve the old zone.
    func renew(_ inForce: DaemonInputs, settings: SettingsLayer) -> Reading {
        let earlier = inForce.kept
        guard let sources = earlier?.sources,
            let machineConfig = try? machineConfig(
                inForce.configuration, sources, inForce.fleet?.configuration, settings, earlier?.zone,
                display: inForce.layered.displayTexts, isMeant: false)
        else { return Reading(inputs: inForce) }
        return Reading(
            inputs: inputs(
                machineConfig, of: inForce.configuration, files: inForce.configurationFiles,
                kept: earlier?.having(zone: machineConfig.resolved.kept)
                    .practising(machineConfig.siteOfFiles, machineConfig.calculationOfFiles, since: earlier),
                problem: inForce.problem,
                inForce: inForce.site.times.table))
    }

    func resolve(
        _ config: Config, _ kept: KeptZone?, isMeant: Bool
    ) throws(SiteError) -> ResolvedSite {
        let answer = TimeLimit.run(on: zones.directory, seconds: Self.zoneSeconds) {
            Result { () throws(SiteError) in
                try ResolvedSite(config, zones, kept: kept, isMeant: isMeant)
            }
        }
        guard let answer else { return try ResolvedSite(config, unanswered: zones, kept: kept) }
        return try answer.get()
    }

    /// Reads the timetable on disk.
    /// - Parameter isMeant: whether missing parts were removed on purpose.
    func timetable(isMeant: Bool = false) -> TimetableReading {
        let path = "\(stateDirectory)/\(TimetableFile.name)"
        let answer = TimeLimit.run(on: path, seconds: Self.timetableSeconds) { () -> TimetableReading in
            do throws(TimetableFile.ReadError) {
                return .table(try TimetableFile.read(in: stateDirectory, isMeant: isMeant))
            } catch {
                return .unusable(error.message)
            }
        }
        return answer
            ?? .unusable(
                "\"\(path)\" is not read within \(Int(Self.timetableSeconds)) s: the file system does not answer"
            )
    }

    static func problems(of site: Site) -> [InputsProblem] {
        site.mosqueProblems(from: site.zone.civilDate(of: WallClock.now()))
    }

    func inputs(
        _ machineConfig: MachineConfig, of configuration: String, files: [String],
        kept: KeptConfiguration? = nil, problem: UnusableConfiguration? = nil,
        inForce: PublishedTimetable? = nil,
        isMeant: Bool = false
    ) -> DaemonInputs {
        let (config, resolved) = (machineConfig.config, machineConfig.resolved)
        var (table, fault): (PublishedTimetable?, String?) = (inForce, nil)
        var kept = kept
        switch timetable(isMeant: isMeant) {
        case .table(let read):
            table = read
            kept = kept?.having(timetable: !read.isEmpty)
        case .unusable(let reason): fault = reason
        }
        let site = resolved.site.applying(table: table)
        var inputs = DaemonInputs(
            config: config, configuration: configuration, configurationFiles: files, site: site,
            user: geteuid(),
            controlGroup: Self.group(config.controlGroup), kept: kept, problem: problem,
            stateDirectory: stateDirectory, audioDirectory: audioDirectory,
            soundProblems: folders.problems(of: config), timetableProblem: fault,
            mosqueProblems: Self.problems(of: site), zoneProblem: resolved.problem,
            callsApproximate: callsApproximate, layered: machineConfig.layers)
        inputs.zoneLoss = resolved.lost
        inputs.fleet = machineConfig.fleet
        if files.isEmpty { inputs.lookedFor = candidates }
        inputs.zoneRelease = resolved.release
        return inputs
    }

    /// Reads the configuration alone, without the machine's part.
    func readConfig() throws(ConfigError) -> EffectiveConfig {
        try ConfigLoader.load(try texts().sources)
    }

    private func texts() throws(ConfigError) -> ConfigurationTexts {
        let limit = Self.configurationSeconds
        let answer = TimeLimit.run(on: "configuration \(candidates)", seconds: limit) {
            Result { () throws(ConfigError) in try ConfigurationTexts(find()) }
        }
        guard let answer else {
            throw ConfigError(
                file: candidates.last ?? "", line: 1, column: 1, key: nil,
                reason:
                    "the configuration is not read within \(Int(limit)) s: the file system does not answer",
                cause: .unanswered)
        }
        return try answer.get()
    }

    private static func group(_ name: String) -> UInt32? {
        guard let entry = unsafe getgrnam(name) else { return nil }
        return unsafe entry.pointee.gr_gid
    }
}
