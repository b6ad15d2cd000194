internal import CommandKit
internal import ControlClient
internal import Glibc
internal import HookPlan
internal import Host
internal import PrayerEngine
internal import Protocol
internal import Systemd
internal import Texts

/// Results of other threads for the deciding thread.
enum HookArrival: Sendable {
    case input(HookInput)
    case failed(ControlClientError)
    case signal(Int32)
}

/// The service. One thread makes all decisions and waits only for the next arrival, so that no relay is late. Other threads
/// follow adhand, call it, and run programs.
final class Hooks {
    /// Seconds for switching all relays off at the end, in parallel.
    static let endSeconds = 3.0
    static let patienceSeconds = 5.0
    /// Memory is released before a pause of more than this many seconds, which excludes those within a press or before a relay.
    private static let quietSeconds = 3.0

    private let config: String
    private let client: ControlClient
    private let inbox = Inbox<HookArrival>()
    private let runner = CommandRunner()
    private let relays = RelaySwitch()
    private let buttons: ButtonReader
    private let caller: ButtonCaller
    private let manager = ServiceManager()
    private var journal = Journal()
    private var state = HookState()

    init(config: String, socket: String) {
        self.config = config
        client = ControlClient(socket: socket)
        caller = ButtonCaller(client: client)
        buttons = ButtonReader { [inbox] in inbox.put(.input($0)) }
    }

    var signals: @Sendable (Int32) -> Void { { [inbox] in inbox.put(.signal($0)) } }

    /// Runs until SIGTERM ends it.
    func run(_ first: HookConfig) -> Never {
        complain(first)
        handle(.configured(first))
        read(first)
        guard Self.follow(client, inbox) else {
            Journal.log("no thread can be started; is there a limit on tasks?")
            exit(EXIT_FAILURE)
        }
        manager.ready()
        var isTrimDue = true
        while true {
            let wait = state.waitSeconds(at: Self.now)
            if isTrimDue, wait > Self.quietSeconds {
                Memory.trim()
                isTrimDue = false
            }
            inbox.wakeSignal.wait(wait)
            let arrivals = inbox.drain()
            if !arrivals.isEmpty { isTrimDue = true }
            for arrival in arrivals { handle(arrival) }
            handle(.woken)
        }
    }

    private static var now: HookMoment { .init(uptime: MonotonicClock.now(), clock: WallClock.now()) }

    // MARK: adhand

    private static func follow(_ client: ControlClient, _ inbox: Inbox<HookArrival>) -> Bool {
        BackgroundThread.start {
            while true {
                var monitor = ControlMonitor(client, snapshot: false)
                do throws(ControlClientError) {
                    while true {
                        switch try monitor.next() {
                        case .connected: inbox.put(.input(.followed))
                        case .event(let entry): inbox.put(.input(.event(entry)))
                        case .nothing: break
                        case .lost(let failure):
                            inbox.put(.failed(failure))
                            inbox.put(.input(.lost))
                        }
                    }
                } catch {
                    inbox.put(.failed(error))
                    inbox.put(.input(.lost))
                }
                sleep(2)
            }
        }
    }

    private func ask() {
        let isAsked = BackgroundThread.start { [client, inbox] in
            do throws(ControlClientError) {
                let status = try client.call(
                    .getStatus, patienceSeconds: Self.patienceSeconds
                ).status
                let agenda = try client.call(
                    .getAgenda, AgendaParameters(from: String(status.now.prefix(10)), days: 2),
                    patienceSeconds: Self.patienceSeconds
                ).occasions
                inbox.put(.input(.answered(status, agenda)))
            } catch {
                inbox.put(.failed(error))
                inbox.put(.input(.unanswered))
            }
        }
        if !isAsked { inbox.put(.input(.unanswered)) }
    }

    // MARK: Inputs and effects

    private func handle(_ arrival: HookArrival) {
        switch arrival {
        case .input(let input):
            if input == .followed { journal.forget(.adhand) }
            handle(input)
        case .failed(let failure):
            journal.log(failure.message, .adhand, every: 900, at: MonotonicClock.now())
        case .signal(SIGHUP): reload()
        case .signal: end()
        }
    }

    private func handle(_ input: HookInput) {
        for effect in state.handle(input, at: Self.now) { perform(effect) }
    }

    private func perform(_ effect: HookEffect) {
        switch effect {
        case .run(let run): start(run)
        case .switchRelay(let number, let name, let drive, let isOn): start(number, name, drive, isOn)
        case .release(let drive): relays.release(drive)
        case .press(let source, let action): caller.press(source, action)
        case .ask: ask()
        case .report(let report): Journal.log(report)
        }
    }

    private func start(_ run: HookRun) {
        let isStarted = runner.start(
            run.command, environment: run.document.environment, input: run.document.bytes,
            limit: run.limitSeconds
        ) { [inbox] result in
            Journal.log("hook \"\(run.name)\"", result, limitBytes: HookRun.mostOutputBytes)
            inbox.put(.input(.ended(run: run.number)))
        }
        guard !isStarted else { return }
        Journal.log("the hook \"\(run.name)\" is left out: no thread can be started")
        inbox.put(.input(.ended(run: run.number)))
    }

    private func start(_ number: Int, _ name: String, _ drive: RelayDrive, _ isOn: Bool) {
        let isStarted = relays.start(drive, isOn: isOn) { [inbox] result in
            // The input that reports the end contains the failure.
            Journal.log(
                drive.title(name), .init(failure: nil, output: result.output),
                limitBytes: HookRun.mostOutputBytes)
            inbox.put(.input(.switched(relay: number, isOn: isOn, failure: result.failure)))
        }
        if !isStarted {
            inbox.put(.input(.switched(relay: number, isOn: isOn, failure: "no thread can be started")))
        }
    }

    // MARK: Life

    private func complain(_ config: HookConfig) {
        for sentence in HookFile.complaints(config) { Journal.log(sentence) }
    }

    private func read(_ config: HookConfig) {
        if !buttons.use(config.buttons.map(\.source)) {
            Journal.log("no button is read: no thread can be started")
        }
    }

    private func reload() {
        manager.reloading()
        defer { manager.ready() }
        do throws(HooksError) {
            let new = try HookFile.read(config)
            complain(new)
            handle(.configured(new))
            read(new)
            Journal.log("\"\(config)\" is in force")
        } catch {
            for sentence in error.sentences { Journal.log(sentence) }
            Journal.log("what was in force stays so")
        }
    }

    private func end() -> Never {
        manager.stopping()
        runner.endAll()
        let drives = state.handle(.stopping, at: Self.now).compactMap { effect in
            if case .switchRelay(_, let name, let drive, false) = effect { (name, drive) } else { nil }
        }
        // An operation in progress could switch a relay on after it was switched off, so all are ended first.
        _ = relays.endAll(drives, limit: Self.endSeconds)
        exit(0)
    }
}
