internal import AdhanCore
internal import CLinux
internal import Glibc
internal import Host

/// Reads what the daemon knows of its surroundings: the configuration, the machine's zone, who may change
/// things.
struct WorldReader: Sendable {
    /// Looked for anew at every reading: the file may have been written since the start.
    let find: @Sendable () -> Paths.Configuration
    let zones: ZoneFiles
    let stateDirectory: String
    let audioDirectory: String

    /// The same for another file.
    func reading(_ file: String) -> WorldReader {
        WorldReader(
            find: { .file(file) }, zones: zones, stateDirectory: stateDirectory,
            audioDirectory: audioDirectory)
    }

    /// The path that would be read now, or what stands in for it.
    var source: String { Self.source(find()) }

    private var folders: SoundFolders {
        SoundFolders(stateDirectory: stateDirectory, audioDirectory: audioDirectory)
    }

    /// - Parameter inForce: what is in force until now. A file that has been read does not give way to the embedded default, or
    ///   to the drop-ins beside it, because it is gone for a moment, or for good: that would call other times without a word.
    /// - Throws: what is wrong with the configuration, or with what it leaves to the machine.
    func read(inForce: World? = nil) throws(ConfigError) -> World {
        let found = find()
        let source = Self.source(found)
        if case .embedded = found, let inForce, inForce.configuration != source {
            throw Self.gone(inForce.configuration)
        }
        let files = try Self.files(found)
        if let inForce, inForce.configurationFiles.contains(source), !files.hasMain {
            throw Self.gone(source)
        }
        let earlier = inForce?.kept ?? StateStore.keptConfiguration(in: stateDirectory)
        if let error = Self.emptied(files, since: earlier) { throw error }
        let effective = try ConfigLoader.load(files.sources)
        let site: Site
        do throws(SiteError) {
            site = try SiteReader.site(for: effective.config, zones)
        } catch {
            throw ConfigLoader.error(
                at: error.key, in: files.sources, file: source, reason: error.message)
        }
        let kept =
            files.sources.isEmpty
            ? nil : KeptConfiguration(source, files.sources, at: WallClock.now())
        return world(
            effective.config, source, files.sources.map(\.file), site, kept: kept,
            inForce: inForce?.site.times.table)
    }

    /// At the start: a configuration that cannot be used gives way to the last one of the same path that could.
    /// - Throws: what is wrong, when none is kept.
    func readAtStart() throws(ConfigError) -> World {
        do throws(ConfigError) {
            return try read()
        } catch {
            guard let world = lastGood(error) else { throw error }
            return world
        }
    }

    private func lastGood(_ error: ConfigError) -> World? {
        let source = Self.source(find())
        guard let kept = StateStore.keptConfiguration(in: stateDirectory), kept.configuration == source,
            let config = try? ConfigLoader.load(kept.sources).config,
            let site = try? SiteReader.site(for: config, zones)
        else { return nil }
        return world(
            config, source, kept.sources.map(\.file), site,
            problem: ConfigurationProblem(error, keptAt: kept.keptAt))
    }

    /// A file of no bytes where there was text is what a loss of power leaves of one that was being written: valid by its text,
    /// and another place's times.
    private static func emptied(_ files: ConfigFiles, since earlier: KeptConfiguration?) -> ConfigError? {
        guard files.hasMain, let main = files.sources.first, main.text.isEmpty, let earlier,
            earlier.configuration == main.file, let old = earlier.sources.first, old.file == main.file,
            !old.text.isEmpty
        else { return nil }
        return ConfigError(
            file: main.file, line: 1, column: 1, key: nil,
            reason:
                "the file is empty and was not before, as after a loss of power; restore it, or write a comment "
                + "into it if the defaults are meant")
    }

    private static func gone(_ file: String) -> ConfigError {
        ConfigError(
            file: file, line: 1, column: 1, key: nil,
            reason: "the file is gone; restore it, or restart adhand to run without it")
    }

    /// The configuration in force on a machine whose zone may have changed. What else has been written to its file meanwhile
    /// waits for a reload, and a mistake in it does not keep the old zone.
    func renew(_ inForce: World) throws(SiteError) -> World {
        world(
            inForce.config, inForce.configuration, inForce.configurationFiles,
            try SiteReader.site(for: inForce.config, zones), kept: inForce.kept, problem: inForce.problem,
            inForce: inForce.site.times.table)
    }

    /// The timetable on disk.
    func timetable() -> TimetableReading {
        do throws(TimetableFile.Fault) {
            return .table(try TimetableFile.read(in: stateDirectory))
        } catch {
            return .unusable(error.message)
        }
    }

    private func world(
        _ config: Config, _ source: String, _ files: [String], _ site: Site, kept: KeptConfiguration? = nil,
        problem: ConfigurationProblem? = nil, inForce: PublishedTable? = nil
    ) -> World {
        var (table, fault): (PublishedTable?, String?) = (inForce, nil)
        switch timetable() {
        case .table(let read): table = read
        case .unusable(let reason): fault = reason
        }
        return World(
            config: config, configuration: source, configurationFiles: files,
            site: site.deciding(table: table), user: geteuid(),
            controlGroup: Self.group(config.controlGroup), kept: kept, problem: problem,
            stateDirectory: stateDirectory, audioDirectory: audioDirectory,
            soundProblems: folders.problems(of: config), timetableProblem: fault)
    }

    /// The configuration alone, without the machine's part in it.
    func readConfig() throws(ConfigError) -> EffectiveConfig {
        try ConfigLoader.load(try Self.files(find()).sources)
    }

    private static func files(_ configuration: Paths.Configuration) throws(ConfigError) -> ConfigFiles {
        switch configuration {
        case .embedded: return ConfigFiles(main: source(configuration), hasMain: false, sources: [])
        case .file(let path):
            do throws(FileError) {
                return try ConfigFiles.read(path)
            } catch {
                throw ConfigError(
                    file: error.path, line: 1, column: 1, key: nil, reason: Self.cause(error) ?? error.message
                )
            }
        }
    }

    /// Why a file that is there cannot be read, and what opens the way; "Permission denied" alone tells neither.
    private static func cause(_ error: FileError) -> String? {
        if error.isMissing, let target = Links.target(error.path) {
            return
                "cannot read \"\(PlainText.visible(error.path))\": it is a link to \"\(PlainText.visible(target))\", which is not there"
        }
        let access = FileAccess.of(error.path)
        guard access != .missing, let obstacle = access.obstacle(for: Inspector.user) else { return nil }
        let remedy = access.remedy(for: error.path).map { "; run \"\($0)\"" } ?? ""
        return "\(error.message): \(obstacle)\(remedy)"
    }

    /// The path that is read, or what stands in for it.
    private static func source(_ configuration: Paths.Configuration) -> String {
        switch configuration {
        case .file(let path): path
        case .embedded(let lookedFor):
            "embedded default (there is no \(lookedFor.joined(separator: ", no ")))"
        }
    }

    private static func group(_ name: String) -> UInt32? {
        guard let entry = unsafe getgrnam(name) else { return nil }
        return unsafe entry.pointee.gr_gid
    }
}
