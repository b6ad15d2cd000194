internal import Announcements
internal import ArgumentParser
internal import Daemon
internal import Envelope
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import Signature
import StateFile
internal import Systemd
import Times

/// Starts the daemon from the command line.
struct Start {
    let paths: Paths
    let reader: InputsReader
    /// The name by which a fleet selects this box; the machine's name where none is given.
    let box: String?
    var journal: Journal

    consuming func run() throws -> Never {
        // For an ordinary user libdispatch would log that it may not set thread priorities.
        unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
        Memory.beFrugal()
        Signals.block()
        let settings = SettingsStore(directory: paths.stateDirectory)
        var set = settings.find()
        var store = StateStore(directory: paths.stateDirectory)
        let boot = BootIdentity.current(in: .process)
        let begun = try beginTrial(&store, boot)
        var fleet = begun?.fleet ?? StateStore.fleet(in: paths.stateDirectory)?.configurationInForce
        var inputs = try readInputs(set.layer, fleet)
        journal.zone = inputs.site.zone
        let history = HistoryFile(directory: paths.stateDirectory)
        if begun == nil { try open(&store) }
        let now = WallClock.now()
        let found = begun ?? store.load(now: now) { journal.log(.error, $0) }
        // An adhand that ended only now may have changed settings while the files were read.
        let again = settings.find()
        if again != set || found.fleet != fleet {
            (set, fleet) = (again, found.fleet)
            inputs = try readInputs(set.layer, fleet)
        }
        settings.setAside(&set, now: now)
        let recorded = readHistory(history, now: now)
        let socket = try listen()
        let daemon = DaemonShell(
            state: DaemonState(
                inputs: inputs, saved: found.state, lost: found.loss, decided: found.decided,
                recorded: recorded, boot: boot,
                settings: set.layer, settingsLoss: set.loss,
                fleetGate: FleetGate(box: box ?? BoxIdentity.ofMachine()) {
                    Ed25519.verify($0, of: $1, by: $2)
                },
                now: now),
            journal: journal,
            inputsReader: reader,
            library: SoundLibrary(
                SoundFolders(stateDirectory: paths.stateDirectory, audioDirectory: paths.audioDirectory)),
            store: store, history: history, socket: socket)
        daemon.enter { $0.begin() }
        Signals.wait(
            stop: { daemon.enter { $0.stop() } },
            reload: { daemon.enter { $0.handle(.inputsWanted(.reload(nil))) } })
    }

    /// Begins a run with a fleet's change on trial. A crash of this run is recorded on disk before the configuration is read, as
    /// that may be the cause of the crash.
    /// - Returns: the state; `nil` where nothing is on trial.
    private func beginTrial(_ store: inout StateStore, _ boot: String?) throws -> StateStore.Found? {
        guard let record = StateStore.fleet(in: paths.stateDirectory), !record.trials.isEmpty else {
            return nil
        }
        try open(&store)
        var found = store.load(now: WallClock.now()) { journal.log(.error, $0) }
        _ = found.decided?.beginRun(boot: boot)
        guard var state = found.state, state.beginRun(boot: boot) else { return found }
        found.state = state
        do throws(ShellError) { try store.save(state) } catch { journal.log(.error, error.message) }
        return found
    }

    private func readInputs(
        _ settings: SettingsLayer, _ fleet: FleetConfiguration?
    ) throws -> DaemonInputs {
        if let complaint = Journal.complaint(about: Environment.process.variables) {
            journal.log(.warning, complaint)
        }
        do throws(ConfigError) {
            return try reader.readAtStart(settings: settings, fleet: fleet)
        } catch {
            for mistake in error.all { journal.log(.error, mistake.message) }
            // A file system may answer at the next start.
            throw error.cause == .mistake ? Adhand.invalidInput : ExitCode.failure
        }
    }

    /// Opens the state directory. Only another adhand is a reason not to run: a box whose disk is full or
    /// read-only still calls the adhan.
    private func open(_ store: inout StateStore) throws {
        do throws(ShellError) {
            try store.open()
        } catch {
            if case .secondInstance = error {
                journal.log(.error, error.message)
                throw ExitCode.failure
            }
            journal.log(.error, "\(error.message); nothing that is set now outlives a restart")
        }
    }

    /// Repairs the history and returns its end: further evidence of past calls besides the state.
    private func readHistory(_ history: HistoryFile, now: Instant) -> [HistoryEntry] {
        do throws(ShellError) {
            if let mended = try history.mend(now: now) { journal.log(.warning, mended) }
            return try history.last(HandledIds.learntFrom)
        } catch {
            journal.log(.error, error.message)
            return []
        }
    }

    private func listen() throws -> ListeningSocket? {
        if let socket = ListeningSocket.passedIn() { return socket }
        do throws(ShellError) {
            return try ListeningSocket.create(at: paths.socket)
        } catch {
            journal.log(.error, error.message)
            if case .secondInstance = error { throw ExitCode.failure }
            journal.log(.error, "adhanctl cannot reach this adhand; the adhan is called all the same")
            return nil
        }
    }
}
