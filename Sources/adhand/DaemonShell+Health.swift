internal import Console
internal import Daemon
internal import Dispatch
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Recording
internal import Settings
internal import Texts
internal import Times

/// Answers with doctor's verdicts on the daemon's own knowledge. The history, the disk and nearby towns are examined beside the
/// queue, once for all who wait; no device is opened and no sound decoded.
extension DaemonShell {
    /// Seconds for the disk, which may be on a dead server.
    private static let diskSeconds = 3.0

    func replyWithHealth(_ id: RequestID, _ status: StatusDocument) {
        healthQuestions.waiting.append(id)
        examine(status)
    }

    private func examine(_ status: StatusDocument) {
        guard !healthQuestions.isLooking, !healthQuestions.waiting.isEmpty else { return }
        healthQuestions.isLooking = true
        let callers = healthQuestions.waiting
        healthQuestions.waiting = []
        let (inputs, soundLibrary, reader) = (state.inputs, library, historyReader)
        let zones = inputsReader.zones
        let agenda = InstantText.parse(status.now).flatMap { state.agenda(around: $0) }
        files.async { [self] in
            var facts = Self.facts(status, inputs, soundLibrary, reader, zones)
            facts.agenda = agenda
            let reply = Reply.document(HealthReply(checks: Doctor.health(facts)))
            enter { daemon in
                for caller in callers { daemon.server?.reply(caller, reply) }
                daemon.healthQuestions.isLooking = false
                // Callers who have asked meanwhile may ask because something has changed.
                if !daemon.healthQuestions.waiting.isEmpty {
                    daemon.examine(daemon.state.status(at: WallClock.now()))
                }
            }
        }
    }

    private static func facts(
        _ status: StatusDocument, _ inputs: DaemonInputs, _ library: SoundLibrary, _ history: HistoryReader,
        _ zones: ZoneFiles
    ) -> DoctorFacts {
        let now = WallClock.now()
        let path = inputs.stateDirectory ?? Paths.systemState
        var facts = DoctorFacts(
            now: now, daemon: .answers(status), socketPath: "", systemd: .absent,
            configuration: .init(
                file: status.configuration, state: inputs.lookedFor.isEmpty ? .valid : .embedded),
            disk: disk(path))
        facts.isSystem = path == Paths.systemState
        if InitSystem.isSystemd { facts.systemd = .unknown(reason: "adhand does not ask it") }
        facts.config = inputs.config
        facts.zone = inputs.site.zone
        facts.clock.isSynchronized = WallClock.isSynchronized
        facts.clock.services = TimeServices.installed(in: .process)
        facts.locationFacts = location(inputs, zones)
        facts.mosqueProblems = inputs.mosqueProblems.map(\.sentence)
        facts.history = try? history.whole(
            days: Doctor.usualDays, now: now, tellsOutputs: inputs.config.tellsOutputs)
        facts.sound.untried = "adhand has not needed one since it started"
        facts.sound.files = library.folders.files(of: inputs.config) { library.outcome(of: $0) }
        return facts
    }

    private static func disk(_ path: String) -> DoctorFacts.Disk {
        var disk = DoctorFacts.Disk(path: path)
        guard let room = TimeLimit.run(on: path, seconds: diskSeconds, { DiskRoom(of: path) }) else {
            return disk
        }
        (disk.exists, disk.isReadOnly) = (room.exists, room.isReadOnly)
        (disk.freeBytes, disk.freeFiles) = (room.freeBytes, room.freeFiles)
        return disk
    }

    private static func location(_ inputs: DaemonInputs, _ zones: ZoneFiles) -> DoctorFacts.LocationFacts {
        let (site, place) = (inputs.site, inputs.site.place)
        var here = DoctorFacts.LocationFacts(
            name: site.name, place: place, isApproximate: site.approximate, zone: site.zone)
        here.zoneIsConfigured = inputs.config.timezone != nil
        here.nearby = zones.nearby(latitude: place.latitude, longitude: place.longitude)
        here.nearbyAcross = zones.nearby(latitude: place.latitude, longitude: -place.longitude)
        return here
    }
}

extension SoundLibrary {
    /// The last finding about a file from its measurement when it was added, read or about to be called.
    fileprivate func outcome(of found: SoundFolders.Finding) -> SoundFacts.File.Outcome {
        switch found {
        case .missing(let searched):
            return ConfigChecker.unreadable(searched).map { .unreadable(reason: $0) } ?? .missing
        case .file(let path):
            if let reason = ConfigChecker.unreadable([path]) { return .unreadable(reason: reason) }
            let measurement = folders.measurement(of: path)
            if let info = self.validFinding(path)?.info {
                return ConfigChecker.outcome(info.durationSeconds, info.verdict, measurement?.accepted, path)
            }
            if let measurement {
                let evidence = RecordingEvidence(
                    seconds: measurement.durationSeconds, audibleShare: measurement.audibleShare)
                return ConfigChecker.outcome(
                    measurement.durationSeconds, RecordingVerdict(evidence), measurement.accepted, path)
            }
            return folders.isShipped(path) ? .decodes(seconds: 0) : .unread
        }
    }
}
