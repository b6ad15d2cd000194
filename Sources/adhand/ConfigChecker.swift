internal import Announcements
internal import Daemon
internal import Envelope
internal import Glibc
internal import Host
internal import Playback
internal import PrayerEngine
internal import Protocol
internal import Recording
internal import Settings
import Times

/// Checks whether a configuration can be used, with this process's own rights and in its own sandbox: the text, every sound
/// decoded to its end, every device opened. Makes no sound. Takes seconds, so it must not run on the daemon's queue.
struct ConfigChecker {
    let reader: InputsReader
    let folders: SoundFolders
    let view: CheckDocument.View

    /// Seconds for all sounds: ten minutes of sound take about one.
    private static let patienceSeconds = 30.0
    private static let mostDevices = 8
    /// Seconds for which a device is not tried again, so that a caller in a loop cannot keep the card busy.
    private static let deviceMemorySeconds = 1.0
    /// Seconds for which a file is not decoded again: a memory card may change a file's content without changing its size or
    /// time.
    private static let fileMemorySeconds = 600.0
    private static let mostRemembered = 256

    /// The findings about files that are unchanged since, by their size and time.
    private var decoded:
        [String: (stamp: SoundMeasurement.Stamp, at: Double, outcome: SoundFacts.File.Outcome)] = [:]
    private var tried: [String: (at: Double, device: SoundFacts.Device)] = [:]

    init(reader: InputsReader, folders: SoundFolders, view: CheckDocument.View) {
        self.reader = reader
        self.folders = folders
        self.view = view
    }

    /// - Parameters:
    ///   - file: checked instead of the files of the next start.
    ///   - spared: why no device is to be opened.
    mutating func check(_ file: String? = nil, sparing spared: String? = nil) -> CheckDocument {
        let reader = file.map(reader.reading) ?? reader
        let name = reader.source
        if let problem = obstacle(to: reader.find()) {
            return CheckDocument(file: name, view: view, user: Self.user, problems: [problem])
        }
        let inputs: DaemonInputs
        // For a named file only that file is checked.
        let layer =
            file == nil ? SettingsStore(directory: reader.stateDirectory).find().layer : SettingsLayer()
        let fleet =
            file == nil ? StateStore.fleet(in: reader.stateDirectory)?.configurationInForce : nil
        do throws(ConfigError) {
            inputs = try reader.read(isMeant: false, settings: layer, fleet: fleet).inputs
        } catch {
            return CheckDocument(
                file: name, view: view, user: Self.user, problems: error.all.map { CheckProblem($0) })
        }
        return check(inputs, name: name, sparing: spared)
    }

    /// Checks inputs that were read before.
    mutating func check(
        _ inputs: DaemonInputs, name: String, sparing spared: String? = nil
    ) -> CheckDocument {
        var facts = SoundFacts()
        facts.untried = spared
        let outputs = inputs.config.allOutputs
        let isNamed = !inputs.config.outputs.isEmpty
        let tried =
            spared == nil ? outputs.map { $0.devices.prefix(Self.mostDevices).map { device($0) } } : []
        // Each device of a named output is reported under its output's name.
        if !isNamed { facts.devices = tried.first ?? [] }
        facts.files = files(inputs.config)
        var document = CheckDocument(
            file: name, view: view, user: Self.user, files: inputs.configurationFiles,
            settings: inputs.layered.effective.settings,
            site: inputs.site, sound: facts,
            sudo: reader.stateDirectory == Paths.systemState)
        if isNamed {
            for (output, tried) in zip(outputs, tried) {
                for problem in CheckProblem.problems(of: output.name, isRequired: output.isRequired, tried) {
                    document.add(problem)
                }
            }
            document.note(devices: tried.flatMap(\.self))
        }
        for (setting, sentence) in inputs.layered.complaints {
            let entry = setting.entry
            document.add(
                CheckProblem(
                    .configuration, .warning, sentence, fix: "adhanctl settings reset \(entry.key)",
                    key: entry.key))
        }
        if let problem = inputs.fleet?.problem {
            document.add(CheckProblem(.configuration, .warning, problem, file: ConfigFiles.fleetName))
        }
        if let problem = inputs.placeProblem {
            document.add(CheckProblem(.place, .warning, problem.message, fix: "sudo \(PlaceProblem.fix)"))
        }
        if let problem = inputs.zoneProblem {
            document.add(CheckProblem(.zone, .warning, problem.message, fix: problem.fix))
        }
        if let warning = ZoneFilesWarning(inputs.site.zone, inputs.zoneRelease, now: nil) {
            document.add(CheckProblem(.zone, .warning, warning.message, fix: ZoneFilesWarning.fix))
        }
        // It takes as long as computing a year of days, which is too long for the daemon's queue.
        let today = inputs.site.zone.civilDate(of: WallClock.now())
        for problem in inputs.site.mosqueProblems(
            from: today, adhanSeconds: facts.adhanSeconds(inputs.config))
        {
            document.add(CheckProblem(.times, .warning, problem.sentence))
        }
        for silence in QuietYear(site: inputs.site, config: inputs.config, from: today).silences {
            document.add(CheckProblem(.times, .warning, silence.sentence, key: "quiet"))
        }
        for sentence in OutputFindings.shared(inputs.config) {
            document.add(CheckProblem(.device, .warning, sentence, key: "output"))
        }
        for sentence in OutputFindings.unplayed(site: inputs.site, config: inputs.config, from: today) {
            document.add(CheckProblem(.times, .warning, sentence, key: "output"))
        }
        let calls = CallYear(site: inputs.site, config: inputs.config, from: today)
        for sentence in calls.gaps.map(\.sentence) + calls.never.map(CallYear.sentence(ofNever:)) {
            document.add(CheckProblem(.times, .warning, sentence, key: "call"))
        }
        return document
    }

    /// The problem of a file or a drop-in that exists but that this process cannot read.
    private func obstacle(to configuration: Paths.Configuration) -> CheckProblem? {
        switch configuration {
        case .file(let main):
            do throws(FileError) {
                _ = try ConfigFiles.read(main)
            } catch {
                return closed(error.path)
            }
            return nil
        case .embedded(let lookedFor):
            // A file in a directory that is closed to us may exist.
            return lookedFor.lazy.filter { FileAccess.of($0) != .missing }.compactMap(closed).first
        }
    }

    private func closed(_ path: String) -> CheckProblem? {
        let access = FileAccess.of(path)
        return access.obstacle(for: Self.user).map { obstacle in
            CheckProblem(
                .access, .problem, "adhand cannot read \"\(path)\": \(obstacle)",
                fix: access.remedy(for: path),
                file: path)
        }
    }

    private static func silence(of device: String) -> SoundFacts.Silence? {
        MixerState.silence(of: device).map { .init(reason: $0.reason, fix: $0.fix) }
    }

    mutating func device(_ name: String) -> SoundFacts.Device {
        let now = MonotonicClock.now()
        if let (at, device) = tried[name], now - at < Self.deviceMemorySeconds {
            // Reading the mixer leaves the card free, and a person may just have turned it up.
            return .init(
                name: name, outcome: device.outcome,
                silence: device.outcome == .opens ? Self.silence(of: name) : nil)
        }
        let device: SoundFacts.Device =
            switch DeviceProbe.open(name) {
            case .opens: .init(name: name, outcome: .opens, silence: Self.silence(of: name))
            case .fails(let reason, let isBusy, let needsServer):
                .init(
                    name: name,
                    outcome: .fails(reason: reason, isBusy: isBusy, needsServer: needsServer))
            case .hangs: .init(name: name, outcome: .hangs)
            }
        tried = tried.filter { now - $0.value.at < Self.deviceMemorySeconds }
        // Trying a failing device again costs nothing; a hanging one costs a thread each time.
        if case .fails = device.outcome { return device }
        tried[name] = (MonotonicClock.now(), device)
        return device
    }

    private mutating func files(_ config: Config) -> [SoundFacts.File] {
        let deadline = MonotonicClock.now() + Self.patienceSeconds
        return folders.files(of: config) { outcome(of: $0, before: deadline) }
    }

    private mutating func outcome(
        of found: SoundFolders.Finding, before deadline: Double
    ) -> SoundFacts.File.Outcome {
        switch found {
        case .missing(let searched): Self.unreadable(searched).map { .unreadable(reason: $0) } ?? .missing
        case .file(let path):
            if let reason = Self.unreadable([path]) {
                .unreadable(reason: reason)
            } else {
                MonotonicClock.now() < deadline ? decode(path) : .unread
            }
        }
    }

    /// Why the first of these files that exists, or may exist, cannot be read.
    static func unreadable(_ paths: [String]) -> String? { obstacle(to: paths)?.sentence }

    static func obstacle(to paths: [String]) -> (path: String, sentence: String)? {
        for path in paths {
            let access = FileAccess.of(path)
            if access == .missing { continue }
            return access.obstacle(for: user).map { (path, "adhand cannot read \"\(path)\": \($0)") }
        }
        return nil
    }

    private mutating func decode(_ path: String) -> SoundFacts.File.Outcome {
        guard let stamp = SoundFolders.stamp(of: path) else { return .missing }
        let now = MonotonicClock.now()
        if let known = decoded[path], known.stamp == stamp, now - known.at < Self.fileMemorySeconds {
            return known.outcome
        }
        let accepted = folders.measurement(of: path)?.accepted
        let answer = TimeLimit.run(on: path, seconds: Self.patienceSeconds) { () -> SoundFacts.File.Outcome in
            do throws(RecordingError) {
                let info = try SoundProbe.measure(path: path).info
                return Self.outcome(info.durationSeconds, info.verdict, accepted, path)
            } catch {
                return .broken(reason: error.description)
            }
        }
        guard let outcome = answer else { return .unread }
        if decoded.count >= Self.mostRemembered { decoded.removeAll() }
        decoded[path] = (stamp, now, outcome)
        return outcome
    }

    static func outcome(
        _ seconds: Double, _ verdict: RecordingVerdict, _ accepted: String?, _ path: String
    ) -> SoundFacts.File.Outcome {
        guard let objection = verdict.objection else {
            return verdict.caution.map { .questionable(seconds: seconds, reason: $0) }
                ?? .decodes(seconds: seconds)
        }
        if objection.code == accepted {
            return .questionable(seconds: seconds, reason: "\(objection), and it was added with --force")
        }
        return objection.isReplaced
            ? .broken(reason: RecordingError.unfit(path: path, objection).description)
            : .doubtful(reason: objection.description)
    }

    /// The name of the user who runs this process, or the number without one.
    static let user = Account.ownNameOrNumber
}

extension SoundFolders {
    /// Every file that the configuration leads to, each once, with the prayers that use it.
    func files(
        of config: Config, outcome: (Finding) -> SoundFacts.File.Outcome
    ) -> [SoundFacts.File] {
        var files: [SoundFacts.File] = []
        for use in SoundUse.all(in: config) where use.isPlayed(by: config) {
            let found = find(use.sound, for: use.prayer)
            let path: String? = if case .file(let path) = found { path } else { nil }
            if let index = files.firstIndex(where: {
                $0.name == use.sound && $0.path == path && $0.occasion == use.occasion
            }) {
                files[index].prayers.append(use.prayer)
                continue
            }
            files.append(
                SoundFacts.File(
                    name: use.sound, prayers: [use.prayer], occasion: use.occasion, path: path,
                    isShipped: path.map(isShipped) ?? false, outcome: outcome(found)))
        }
        return files
    }
}
