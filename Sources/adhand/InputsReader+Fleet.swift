internal import Daemon
internal import Envelope
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import Texts
internal import Times

/// Checks whether this machine can use what a fleet sends.
extension InputsReader {
    /// The reason for leaving out devices: they are tested by the trial.
    private static let sparing = "a change of the fleet is looked at without them"

    /// Tries a change over the files in force: later changes to them wait for a reload.
    func tryOut(
        _ task: FleetTask, over inForce: DaemonInputs, settings: SettingsLayer
    ) -> FleetFinding {
        switch task {
        case .configuration(let fleet): configuration(fleet, task, over: inForce, settings, isChecked: true)
        case .back(let fleet): configuration(fleet, task, over: inForce, settings, isChecked: false)
        case .timetable(let csv, _, let date): timetable(csv, date, task, over: inForce, settings)
        }
    }

    private func configuration(
        _ fleet: FleetConfiguration?, _ task: FleetTask, over inForce: DaemonInputs,
        _ settings: SettingsLayer, isChecked: Bool
    ) -> FleetFinding {
        let machineConfig: MachineConfig
        do throws(SiteOrConfigError) {
            machineConfig = try self.machineConfig(
                inForce.configuration, inForce.kept?.sources ?? [], fleet, settings, inForce.kept?.zone,
                display: inForce.layered.displayTexts, isMeant: false)
        } catch {
            return FleetFinding(task, inForce, refusal: error.summary)
        }
        let new = inputs(
            machineConfig, of: inForce.configuration, files: inForce.configurationFiles,
            kept: inForce.kept?.having(zone: machineConfig.resolved.kept), problem: inForce.problem,
            inForce: inForce.site.times.table)
        guard isChecked, let fleet else { return FleetFinding(task, new) }
        // An arriving change is accepted as a whole, or not at all.
        let merged = FleetSources(
            fleet.toml, among: inForce.kept?.sources ?? [], after: inForce.configuration)
        if let conflict = merged.conflicts.first {
            return FleetFinding(task, inForce, refusal: conflict.refusal)
        }
        if let problem = new.fleet?.problem { return FleetFinding(task, new, refusal: problem) }
        return FleetFinding(task, new, refusal: refusal(of: new, since: inForce))
    }

    /// The refusal by the same check as `adhanctl check`. Problems from before are not the fault of the change.
    private func refusal(of new: DaemonInputs, since inForce: DaemonInputs) -> String? {
        let folders = SoundFolders(stateDirectory: stateDirectory, audioDirectory: audioDirectory)
        var checker = ConfigChecker(reader: self, folders: folders, view: .daemon)
        func check(_ inputs: DaemonInputs) -> CheckDocument {
            checker.check(inputs, name: inputs.configuration, sparing: Self.sparing)
        }
        if let lost = lostSetting(in: new, since: inForce) { return lost }
        let unknown = Self.unknown(new.config.allOutputs.flatMap(\.devices), beside: inForce)
        if let device = unknown.first(where: { !FleetTOML.mayName(device: $0) }) {
            return "a fleet may not name the device \"\(device)\", which this machine does not list"
        }
        let found = check(new)
        return found.usable ? nil : found.firstFinding(since: check(inForce))
    }

    /// A household's setting by command that could not remain in force beside the change.
    private func lostSetting(in new: DaemonInputs, since inForce: DaemonInputs) -> String? {
        let held = Set(inForce.layered.settings.filter { $0.state == .set }.map(\.entry.key))
        return new.layered.settings.first { $0.state == .invalid && held.contains($0.entry.key) }.map {
            "\($0.entry.key), set by \($0.entry.author.name), could not stay in force: \($0.reason ?? "")"
        }
    }

    private func timetable(
        _ csv: String, _ date: String, _ task: FleetTask, over inForce: DaemonInputs,
        _ settings: SettingsLayer
    ) -> FleetFinding {
        func refused(_ reason: String) -> FleetFinding { FleetFinding(task, inForce, refusal: reason) }
        var table: PublishedTimetable
        do throws(TimetableErrors) {
            table = try PublishedTimetable.whole(csv: Array(csv.utf8), file: TimetableFile.name)
        } catch {
            return refused(error.mistakes.first?.message ?? error.message)
        }
        let today = inForce.site.zone.civilDate(of: WallClock.now())
        if let mismatch = TimetableMismatch(table, at: inForce.site, from: today) {
            return refused(mismatch.sentence)
        }
        let findings = TimetableCheck.findings(table, site: inForce.site, today: today)
            .filter { $0.severity == .warning }.map { finding in
                InputsProblem(
                    .timetableFinding,
                    of: "\(finding.kind.rawValue) \(finding.events.joined(separator: " "))",
                    on: [DateSpan(finding.from, finding.until)], finding.text)
            }
        table.label(
            PublishedTimetable.Source(
                id: 1, name: "main", file: ConfigFiles.fleetName, sha256: SHA256.hex(Array(csv.utf8)),
                imported: date, format: "csv", clock: "local"))
        let text = table.csv()
        let problems = mosqueProblems(of: inForce, settings: settings, with: .table(table)) ?? []
        return FleetFinding(
            task, inForce, table: table, fileText: text, fileHash: SHA256.hex(Array(text.utf8)),
            problems: problems + findings)
    }
}
