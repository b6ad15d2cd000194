internal import Daemon
internal import Envelope
internal import Host
internal import Playback
internal import PrayerEngine
internal import Settings
internal import Times

/// Resolves the files alone, and with the settings over them.
extension InputsReader {
    /// A configuration on this machine.
    struct MachineConfig {
        let layers: LayeredConfig
        let resolved: ResolvedSite
        /// The site and the calculation of the files alone, with which later versions are compared.
        let siteOfFiles: Site
        let calculationOfFiles: CalculationSettings
        /// The fleet's configuration between the files.
        let fleet: FleetLayer?

        /// The configuration in force.
        var config: Config { layers.effective.config }
    }

    /// The files of this box in their usable form: with the fleet's configuration between them, or without it.
    private struct Base {
        let sources: [ConfigSource]
        let config: Config
        let resolved: ResolvedSite
    }

    private func base(
        _ sources: [ConfigSource], _ kept: KeptZone?, isMeant: Bool
    ) throws(SiteOrConfigError) -> Base {
        let config: Config
        do throws(ConfigError) { config = try ConfigLoader.load(sources).config } catch {
            throw .config(error)
        }
        do throws(SiteError) {
            return Base(
                sources: sources, config: config, resolved: try resolve(config, kept, isMeant: isMeant))
        } catch {
            throw .site(error)
        }
    }

    /// Resolves the layers. Unusable files are an error, whatever was set; an unusable setting is kept and left out, and so is a
    /// fleet's configuration: the files of the box override it.
    /// - Parameter main: the path of the first file, whether or not it exists.
    func machineConfig(
        _ main: String, _ sources: [ConfigSource], _ fleet: FleetConfiguration?, _ layer: SettingsLayer,
        _ kept: KeptZone?, display: [ConfigSource], isMeant: Bool
    ) throws(SiteOrConfigError) -> MachineConfig {
        guard let fleet else {
            let alone = try base(sources, kept, isMeant: isMeant)
            return try machineConfig(alone, alone, nil, layer, kept, display, isMeant)
        }
        let problem: String
        do throws(SiteOrConfigError) {
            let merged = FleetSources(fleet.toml, among: sources, after: main)
            let both = try base(merged.sources, kept, isMeant: isMeant)
            // The fleet cannot change the identity of the fleet.
            if both.config.isMember(of: fleet) {
                let alone = (try? base(sources, kept, isMeant: isMeant)) ?? both
                return try machineConfig(
                    both, alone, FleetLayer(fleet, problem: merged.problem), layer, kept, display, isMeant)
            }
            problem = ""
        } catch {
            problem = error.summary
        }
        let alone = try base(sources, kept, isMeant: isMeant)
        let isOurs = alone.config.isMember(of: fleet)
        let sentence =
            "the configuration of the fleet does not go with the files of this box and is left out: \(problem)"
        return try machineConfig(
            alone, alone, isOurs ? FleetLayer(fleet, problem: sentence) : nil, layer, kept, display, isMeant)
    }

    private func machineConfig(
        _ base: Base, _ alone: Base, _ fleet: FleetLayer?, _ layer: SettingsLayer, _ kept: KeptZone?,
        _ display: [ConfigSource], _ isMeant: Bool
    ) throws(SiteOrConfigError) -> MachineConfig {
        let files = base.config
        let layers: LayeredConfig
        do throws(ConfigError) {
            layers = try LayeredConfig(base.sources, layer, display: display) { config in
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
        let config = layers.effective.config
        let changed = config == files ? nil : try? resolve(config, kept, isMeant: isMeant)
        return MachineConfig(
            layers: config == files || changed != nil ? layers : LayeredConfig(files: layers.files),
            resolved: changed ?? base.resolved, siteOfFiles: alone.resolved.site,
            calculationOfFiles: alone.config.calculation, fleet: fleet)
    }

    /// The texts of the display's file, which is checked elsewhere; none where it cannot be read, as the screen then ignores it.
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

        /// The error in one sentence.
        var summary: String {
            switch self {
            case .site(let error): error.message
            case .config(let error): error.summary
            }
        }
    }

    /// Resolves a change of settings over the files in force: later changes to them wait for a reload.
    /// - Parameter sounding: devices that are open, as when the test tone of a loudspeaker sounds there.
    func tryOut(
        _ trial: SettingsTrial, over inForce: DaemonInputs, settings: SettingsLayer, opensDevices: Bool,
        sounding: [String]
    ) -> SettingsFinding {
        let sources = inForce.kept?.sources ?? []
        guard
            let machineConfig = try? machineConfig(
                inForce.configuration, sources, inForce.fleet?.configuration, trial.draft.layer,
                inForce.kept?.zone, display: inForce.layered.displayTexts, isMeant: false)
        else { return SettingsFinding(trial, inForce) }
        let inputs = inputs(
            machineConfig, of: inForce.configuration, files: inForce.configurationFiles,
            kept: inForce.kept?.having(zone: machineConfig.resolved.kept),
            problem: inForce.problem, inForce: inForce.site.times.table)
        let isOfDevices = trial.draft.keys.contains("audio.devices")
        var finding = SettingsFinding(
            trial, inputs,
            unknownDevices: isOfDevices ? Self.unknown(inputs.config.devices, beside: inForce) : [],
            problemsBefore: problems(before: inputs, inForce, settings),
            silentOutputs: Self.silentOutputs(
                of: inputs.config, since: inForce.config, opensDevices: opensDevices))
        finding.isUntried =
            !opensDevices
            && Self.newOutputs(of: inputs.config, since: inForce.config).contains { output in
                !output.devices.contains(where: sounding.contains)
            }
        return finding
    }

    /// Outputs whose devices change and that would be inaudible.
    /// - Parameter opensDevices: while something sounds, only their mixers are examined.
    private static func silentOutputs(
        of config: Config, since before: Config, opensDevices: Bool
    ) -> [String] {
        newOutputs(of: config, since: before).compactMap { output in
            let reasons: [String]
            if opensDevices {
                let order = PlayerOrder(id: "devices", sounds: [], devices: output.devices)
                let found = TimeLimit.run(on: "devices", seconds: deviceSeconds) { Preflight.check(order) }
                if let found, found.device != nil, !found.isSilent { return nil }
                reasons = found?.deviceProblems.map(\.reason) ?? ["the devices do not answer"]
            } else {
                guard let first = output.devices.first, let silence = MixerState.silence(of: first) else {
                    return nil
                }
                reasons = [silence.reason]
            }
            let place = config.outputs.isEmpty ? "" : " on \"\(output.name)\""
            return "nothing would be heard\(place) now: \(reasons.joined(separator: "; "))"
        }
    }

    private static func newOutputs(of config: Config, since before: Config) -> [OutputSettings] {
        config.allOutputs.filter { output in
            output.devices != before.allOutputs.first { $0.name == output.name }?.devices
        }
    }

    /// Seconds for the devices, because a person waits for the answer.
    private static let deviceSeconds = 3.0

    /// Problems of the inputs in force, searched only if there are some after the change.
    private func problems(
        before inputs: DaemonInputs, _ inForce: DaemonInputs, _ settings: SettingsLayer
    ) -> Set<InputsProblem> {
        guard !(inputs.soundProblems + inputs.mosqueProblems).isEmpty else { return [] }
        let now = renew(inForce, settings: settings).inputs
        return Set(now.soundProblems + now.mosqueProblems)
    }

    /// Problems of the mosque's times with another timetable; `nil` where it cannot be read.
    func mosqueProblems(
        of inForce: DaemonInputs, settings: SettingsLayer, with reading: TimetableReading
    ) -> [InputsProblem]? {
        guard case .table(let table) = reading, let sources = inForce.kept?.sources,
            let machineConfig = try? machineConfig(
                inForce.configuration, sources, inForce.fleet?.configuration, settings, inForce.kept?.zone,
                display: inForce.layered.displayTexts, isMeant: false)
        else { return nil }
        return Self.problems(of: machineConfig.resolved.site.applying(table: table))
    }

    /// Devices that neither the files name nor this machine lists: ALSA's syntax for others can open files.
    static func unknown(_ devices: [String], beside inForce: DaemonInputs) -> [String] {
        let named = Set(inForce.layered.files.config.allOutputs.flatMap(\.devices) + ["default"])
        let unnamed = devices.filter { !named.contains($0) }
        guard !unnamed.isEmpty else { return [] }
        let listed = ConfigChecker.listedDevices().map(\.name)
        return unnamed.filter { !listed.contains($0) }
    }
}

extension Config {
    /// Whether a fleet's configuration comes from the fleet of this configuration.
    fileprivate func isMember(of configuration: FleetConfiguration) -> Bool {
        guard let fleet, let signing = fleet.signing else { return false }
        return configuration.isOf(fleet.org, signing: signing)
    }

    /// Whether it may result in another site.
    fileprivate func isElsewhere(than other: Config) -> Bool {
        location != other.location || timezone != other.timezone || calculation != other.calculation
    }
}
