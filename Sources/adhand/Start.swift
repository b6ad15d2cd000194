internal import ArgumentParser
internal import Daemon
internal import Glibc
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import Signature
internal import Systemd
import Times

/// From the command line to a running daemon.
struct Start {
    let paths: Paths
    let reader: InputsReader
    /// The name by which a fleet selects this box; that of the machine where none is given.
    let box: String?
    var journal: Journal

    consuming func run() throws -> Never {
        // As an ordinary user libdispatch would complain in the journal that it may not set thread
        // priorities.
        unsafe setenv("LIBDISPATCH_LOG", "NO", 0)
        Memory.beFrugal()
        Signals.block()
        let settings = SettingsStore(directory: paths.stateDirectory)
        var set = settings.look()
        var inputs = try readInputs(set.layer)
        journal.zone = inputs.site.zone
        var store = StateStore(directory: paths.stateDirectory)
        let history = HistoryFile(directory: paths.stateDirectory)
        try open(&store)
        let now = WallClock.now()
        // An adhand that ended only now may have set something while the files were read.
        let again = settings.look()
        if again != set {
            set = again
            inputs = try readInputs(set.layer)
        }
        settings.setAside(&set, now: now)
        let recorded = readHistory(history, now: now)
        let found = store.load(now: now) { journal.log(.error, $0) }
        let socket = try listen()
        let daemon = Daemon(
            state: DaemonState(
                inputs: inputs, saved: found.state, lost: found.loss, decided: found.decided,
                recorded: recorded, boot: BootIdentity.current(in: .process),
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

    private func readInputs(_ settings: SettingsLayer) throws -> DaemonInputs {
        if let complaint = Journal.complaint(about: Environment.process.variables) {
            journal.log(.warning, complaint)
        }
        do throws(ConfigError) {
            return try reader.readAtStart(settings: settings)
        } catch {
            for mistake in error.all { journal.log(.error, mistake.message) }
            // A file system may answer at the next start.
            throw error.cause == .mistake ? Adhand.invalidInput : ExitCode.failure
        }
    }

    /// Takes the state directory. Only another adhand is a reason not to run: a box whose disk is full or
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

    /// Mends the history and returns its end: a second witness of past calls besides the state.
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
