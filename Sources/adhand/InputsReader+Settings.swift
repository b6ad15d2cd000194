internal import Daemon
internal import Host
internal import Playback
internal import PrayerEngine
internal import Settings
internal import Times

/// The files alone, and the settings over them.
extension InputsReader {
    /// A configuration on this machine.
    struct Layered {
        let config: LayeredConfig
        let resolved: ResolvedSite
        /// The site of the files alone, by which later versions are compared.
        let ofFiles: Site
    }

    /// Files that cannot be used are an error, whatever was set; a setting that cannot be used is kept and left out.
    func layered(
        _ sources: [ConfigSource], _ layer: SettingsLayer, _ kept: KeptZone?, display: [ConfigSource],
        isMeant: Bool
    ) throws(SiteOrConfigError) -> Layered {
        let files: Config
        let ofFiles: ResolvedSite
        do throws(ConfigError) { files = try ConfigLoader.load(sources).config } catch {
            throw .config(error)
        }
        do throws(SiteError) { ofFiles = try resolve(files, kept, isMeant: isMeant) } catch {
            throw .site(error)
        }
        let whole: LayeredConfig
        do throws(ConfigError) {
            whole = try LayeredConfig(sources, layer, display: display) { config in
                guard config.isElsewhere(than: files) else { return nil }
                do throws(SiteError) {
                    _ = try resolve(config, kept, isMeant: isMeant)
                    return nil
                } catch {
                    return error.message
                }
            }
        } catch {
            throw .config(error)
        }
        let config = whole.effective.config
        guard config != files, let resolved = try? resolve(config, kept, isMeant: isMeant) else {
            let isPlain = config == files
            return Layered(
                config: isPlain ? whole : LayeredConfig(files: whole.files), resolved: ofFiles,
                ofFiles: ofFiles.site)
        }
        return Layered(config: whole, resolved: resolved, ofFiles: ofFiles.site)
    }

    /// The display's file, which is checked where it stands; nothing where it cannot be read, as the screen then does without.
    func displayTexts() -> [ConfigSource] {
        let file = Environment.process.value("ADHAN_DISPLAY_CONFIG") ?? DisplayConfig.systemFile
        return TimeLimit.run(on: file, seconds: Self.displaySeconds) {
            guard ConfigFiles.exist(file, in: .process) else { return [] }
            return (try? ConfigFiles.read(file))?.sources ?? []
        } ?? []
    }

    private static let displaySeconds = 2.0

    enum SiteOrConfigError: Error {
        case site(SiteError)
        case config(ConfigError)
    }

    /// Resolves a change of settings over the files in force: anything written to them since waits for a reload.
    func tryOut(
        _ trial: SettingsTrial, over inForce: DaemonInputs, settings: SettingsLayer
    ) -> SettingsFinding {
        let sources = inForce.kept?.sources ?? []
        guard
            let layered = try? layered(
                sources, trial.draft.layer, inForce.kept?.zone, display: inForce.layered.displayTexts,
                isMeant: false)
        else { return SettingsFinding(trial, inForce) }
        let inputs = inputs(
            layered, inForce.configuration, inForce.configurationFiles,
            kept: inForce.kept?.having(zone: layered.resolved.kept),
            problem: inForce.problem, inForce: inForce.site.times.table)
        let isOfDevices = trial.draft.keys.contains("audio.devices")
        return SettingsFinding(
            trial, inputs,
            unknownDevices: isOfDevices ? Self.unknown(inputs.config.devices, beside: inForce) : [],
            problemsBefore: problems(before: inputs, inForce, settings))
    }

    /// Problems of what is in force, looked for only where there are some after the change.
    private func problems(
        before inputs: DaemonInputs, _ inForce: DaemonInputs, _ settings: SettingsLayer
    ) -> Set<String> {
        guard !(inputs.soundProblems + inputs.mosqueProblems).isEmpty else { return [] }
        let now = renew(inForce, settings: settings).inputs
        return Set(now.soundProblems + now.mosqueProblems)
    }

    /// Problems of the mosque's times with another timetable; `nil` where it cannot be read.
    func mosqueProblems(
        of inForce: DaemonInputs, settings: SettingsLayer, with reading: TimetableReading
    ) -> [String]? {
        guard case .table(let table) = reading, let sources = inForce.kept?.sources,
            let layered = try? layered(
                sources, settings, inForce.kept?.zone, display: inForce.layered.displayTexts, isMeant: false)
        else { return nil }
        return Self.problems(of: layered.resolved.site.applying(table: table))
    }

    /// Devices that neither the files name nor this machine lists: ALSA's syntax for others can open files.
    private static func unknown(_ devices: [String], beside inForce: DaemonInputs) -> [String] {
        let named = Set(inForce.layered.files.config.devices + ["default"])
        let unnamed = devices.filter { !named.contains($0) }
        guard !unnamed.isEmpty else { return [] }
        let listed = ConfigChecker.listedDevices().map(\.name)
        return unnamed.filter { !listed.contains($0) }
    }
}

extension Config {
    /// Whether it may lead to another site.
    fileprivate func isElsewhere(than other: Config) -> Bool {
        location != other.location || timezone != other.timezone || calculation != other.calculation
    }
}
