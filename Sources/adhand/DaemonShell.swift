internal import Daemon
internal import Dispatch
internal import Envelope
internal import Host
internal import Playback
internal import PrayerEngine
internal import Protocol
internal import Settings
internal import StateFile
internal import Times

/// The shell of the daemon: translates the outside world into events, passes them to the state and performs the effects. It makes
/// no decisions. Timers, sockets and watches are sources on the actor's own queue; the playback thread sends its reports to it.
actor DaemonShell {
    private let executor = QueueExecutor(label: "adhand")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
    nonisolated var queue: DispatchQueue { executor.queue }

    var state: DaemonState
    var journal: Journal
    let inputsReader: InputsReader
    var library: SoundLibrary
    var store: StateStore
    let history: HistoryFile
    let historyReader: HistoryReader
    var historyQuestions = HistoryQuestions()
    var soundQuestions = SharedQuestion()
    var healthQuestions = SharedQuestion()

    lazy var players = Players(
        now: { WallClock.now().unixSeconds },
        report: { [unowned self] output, event in enter { $0.handlePlayback(event, of: output) } })
    var timers: WallTimers?
    /// The queue for slow work. It is our own because the global queues start a timer in libdispatch that wakes the machine every
    /// second from then on.
    let files = DispatchQueue(label: "adhand.files", qos: .utility)
    let preflights = DispatchQueue(label: "adhand.preflights", qos: .utility)
    let mixers = DispatchQueue(label: "adhand.mixers", qos: .utility)
    /// The queue for files that may be on a dead server.
    private let readings = DispatchQueue(label: "adhand.readings", qos: .utility)
    lazy var checks = Checks(
        ConfigChecker(reader: inputsReader, folders: library.folders, view: .daemon),
        reasonToSpareDevices: { [unowned self] in
            assumeIsolated { $0.state.reasonToSpareDevices(at: WallClock.now()) }
        },
        answer: { [unowned self] answer in enter { $0.answerCheck(answer) } })
    var server: ControlServer?
    private var socket: ListeningSocket?
    private var clockWatch: ClockWatch?
    private var zoneWatch: FolderWatch?
    private var cardWatch: FolderWatch?
    private var watchdog: Watchdog?
    private var memoryTrimmer: MemoryTrimmer?

    /// Events that wait while another is being handled.
    var pending: [Event] = []
    private var isHandling = false
    /// The fleet's configuration to which zone, players and measurements were last adapted.
    private var followed: FleetLayer?
    /// The state that the disk has not accepted yet.
    var unsaved: SavedState?
    var unkept: KeptConfiguration?
    var unrecorded: [HistoryEntry] = []
    var historyFails = false
    var willRetry = false
    let disk = BlockingDiskCall()

    init(
        state: DaemonState, journal: Journal, inputsReader: InputsReader, library: SoundLibrary,
        store: consuming StateStore, history: HistoryFile, socket: consuming ListeningSocket?
    ) {
        self.state = state
        followed = state.inputs.fleet
        self.journal = journal
        self.journal.writer = BackgroundWriter("journal", capacity: 1000)
        self.state.explains = journal.threshold == .debug
        self.inputsReader = inputsReader
        self.library = library
        self.store = store
        self.history = history
        historyReader = HistoryReader(history)
        self.socket = socket
    }

    /// Runs `body` on the daemon's queue, after everything that is already there.
    nonisolated func enter(_ body: @escaping @Sendable (isolated DaemonShell) -> Void) {
        queue.async { [self] in assumeIsolated { body($0) } }
    }

    /// Starts everything; the socket first, so that a program that waits for "ready" can connect.
    func begin() {
        memoryTrimmer = MemoryTrimmer(on: queue) { [unowned self] in state.jobs.isEmpty }
        timers = WallTimers(on: queue) { [unowned self] in handle(.timerDue) }
        if let socket = socket.take() {
            server = ControlServer(
                socket, on: queue,
                handlers: ControlServer.Handlers(
                    rank: { [unowned self] in state.inputs.rank(of: $0) },
                    request: { [unowned self] id, request, peer in handle(.request(id, request, from: peer))
                    },
                    hungUp: { [unowned self] id in
                        historyQuestions.drop(id)
                        handle(.hungUp(id))
                    }))
        }
        // Read the clock's health first: sounds that the start would abandon with an unsynchronised clock are resumed with a
        // synchronised one.
        let unknownClock = Environment.process.value("ADHAND_NO_CLOCK")
        handle(.clockHealth(.ofMachine(unknownWhile: unknownClock)))
        handle(.started)
        measureSounds(of: state.inputs.config)
        do throws(ShellError) {
            clockWatch = try ClockWatch(on: queue, unknownFile: unknownClock) { [unowned self] in handle($0) }
        } catch {
            journal.log(
                .warning, "\(error.message); a change of the clock is noticed at the next prayer only")
        }
        do throws(ShellError) {
            zoneWatch = try FolderWatch.zone(on: queue) { [unowned self] in handle(.inputsWanted(.zone)) }
        } catch {
            journal.log(.warning, "\(error.message); after a change of the time zone, reload by hand")
        }
        do throws(ShellError) {
            cardWatch = try FolderWatch.soundCards(on: queue) { [unowned self] in handle(.cardsChanged) }
        } catch {
            journal.log(
                .warning,
                "\(error.message); a sound card that is unplugged is noticed at the next prayer only")
        }
        watchdog = Watchdog(
            over: queue, players, disk,
            isQuiet: { [unowned self] in
                assumeIsolated { $0.state.reasonToSpareDevices(at: WallClock.now()) == nil }
            },
            restart: { [unowned self] stuck in enter { $0.restart(for: stuck) } })
        followOutputs()
    }

    /// Handles an event and everything that follows from it.
    func handle(_ event: Event) {
        pending.append(event)
        guard !isHandling else { return }
        isHandling = true
        while !pending.isEmpty {
            let event = pending.removeFirst()
            if let shift = clockWatch?.unreportedShift() { process(shift) }
            process(event)
        }
        isHandling = false
        if state.inputs.fleet != followed {
            followed = state.inputs.fleet
            journal.zone = state.inputs.site.zone
            followOutputs()
            measureSounds(of: state.inputs.config)
        }
        memoryTrimmer?.soon()
    }

    private func process(_ event: Event) { perform(state.handle(event, at: WallClock.now())) }

    private func handlePlayback(_ event: PlayerEvent, of output: String) {
        if case .ended(let result) = event { players.noteEnd(of: result.id, on: output) }
        if case .toneFailed(let reason) = event {
            journal.log(.debug, "the tone that keeps the loudspeaker awake failed: \(reason)")
            return handle(.toneFailed(output: output, reason: reason))
        }
        guard let (token, event) = event.translated else { return }
        handle(.playback(token: token, output: output, event))
        switch event {
        case .began(_, let device), .deviceRecovered(let device):
            checkMixer(of: device, token: token, output: output, afterSeconds: 0.2)
        default: break
        }
    }

    /// Gives every output in force a player; other players end when their sounds do.
    private func followOutputs() {
        let outputs = state.inputs.config.allOutputs
        players.setOutputs(outputs.map(\.name))
        watchdog?.setRequired(outputs.filter(\.isRequired).map(\.name))
    }

    /// Reads the configuration and the machine's zone again, beside the queue; the outcome is an event.
    func readInputs(_ change: InputsChange) {
        let (reader, inForce, settings) = (inputsReader, state.inputs, state.settings)
        let fleet = state.saved.fleet.configurationInForce
        let isRead = change.isMeant || change == .retry && state.configurationProblem != nil
        readings.async { [self] in
            let reading = Result { () throws(ConfigError) in
                isRead
                    ? try reader.read(
                        isMeant: change.isMeant, confirmsLosses: change.confirmsLosses, inForce: inForce,
                        settings: settings, fleet: fleet)
                    : reader.renew(inForce, settings: settings)
            }
            enter { $0.inputsRead(reading, change) }
        }
    }

    private func inputsRead(_ reading: Result<InputsReader.Reading, ConfigError>, _ change: InputsChange) {
        switch reading {
        case .success(let reading):
            journal.zone = reading.inputs.site.zone
            handle(.inputsLoaded(reading.inputs, change, lost: reading.lost))
            followOutputs()
            measureSounds(of: reading.inputs.config)
        case .failure(let error): handle(.configRejected(error, change))
        }
    }

    /// Resolves the result of a change of settings, beside the queue; the outcome is an event.
    func trySettings(_ trial: SettingsTrial) {
        let (reader, inForce, settings) = (inputsReader, state.inputs, state.settings)
        let mayOpen = state.reasonToSpareDevices(at: WallClock.now()) == nil
        let sounding = state.soundingDevices
        readings.async { [self] in
            let finding = reader.tryOut(
                trial, over: inForce, settings: settings, opensDevices: mayOpen, sounding: sounding)
            enter { $0.handle(.settingsTried(finding)) }
        }
    }

    /// Checks beside the queue whether this machine can use what a fleet sends; the outcome is an event. Recordings are decoded
    /// for it, which takes seconds.
    func tryFleet(_ task: FleetTask) {
        let (reader, inForce, settings) = (inputsReader, state.inputs, state.settings)
        readings.async { [self] in
            let finding = reader.tryOut(task, over: inForce, settings: settings)
            enter { $0.handle(.fleetTried(finding)) }
        }
    }

    func changeTimetable(_ change: FleetFileChange) {
        let timetables = FleetTimetableStore(directory: store.directory)
        readings.async { [self] in
            var problem: String?
            do throws(FileError) { try timetables.carryOut(change) } catch { problem = error.message }
            enter { [problem] in $0.handle(.timetableChanged(problem: problem)) }
        }
    }

    func readTimetable(for request: RequestID?) {
        let (reader, inForce, settings) = (inputsReader, state.inputs, state.settings)
        readings.async { [self] in
            let reading = reader.timetable()
            // A year of days takes too long for the daemon's queue.
            let problems = reader.mosqueProblems(of: inForce, settings: settings, with: reading)
            enter { $0.handle(.timetableRead(reading, problems: problems, for: request)) }
        }
    }
}
