import Announcements
package import Daemon
import LabSupport
package import PrayerEngine
package import Protocol
package import Settings
package import StateFile
import Testing
import Texts
import Times

/// A daemon on a table: a state machine with a clock that the test moves, and a record of everything it did.
package struct Box {
    package var state: DaemonState
    package var now: Instant
    package private(set) var effects: [Effect] = []
    package private(set) var notices: [Notice] = []
    package private(set) var history: [HistoryEntry] = []
    /// The disk's contents.
    package private(set) var disk: SavedState?
    package private(set) var timers: [ArmedTimer] = []
    private var requests: UInt64 = 0
    /// Why the disk takes nothing; `nil`: it does.
    package var diskProblem: String?
    /// Whether the next effects that ask the disk for an answer get none: the program is about to be killed.
    package var isCutOff = false
    /// Effects that are still carried out before the power fails; `nil`: it does not.
    package var effectsLeft: Int?
    /// The replies that callers got.
    package private(set) var replies: [Reply] = []
    /// The answers of the machine about changes of a fleet.
    package var fleetFinding: (FleetTask, DaemonInputs) -> FleetFinding = { FleetFinding($0, $1) }
    package var fleetPreflight: (FleetPreflight) -> [String] = { _ in [] }
    package private(set) var fileChanges: [FleetFileChange] = []

    package static let newYork = "EST5EDT,M3.2.0,M11.1.0"

    /// Makes a box with the configuration of this text.
    package init(
        text: String, clock: String, disk: SavedState? = nil, more: (inout Config) -> Void = { _ in }
    ) throws {
        var config = try ConfigLoader.load(text: text, file: "test")
        more(&config)
        try self.init(clock, config: config, disk: disk)
    }

    /// Makes a box in Queens, New York, on Friday 2026-11-20 unless told otherwise; `clock` is an instant in RFC 3339.
    package init(
        _ clock: String = "2026-11-20T12:30:00-05:00", config: Config = .default, disk: SavedState? = nil,
        recorded: [HistoryEntry] = [], boot: String? = "a boot", adjustments: EventMinutes = EventMinutes(),
        inputs: DaemonInputs? = nil, synchronized: Bool = true, fleetGate: FleetGate = .closed,
        isCutOff: Bool = false, effectsLeft: Int? = nil,
        fleetFinding: ((FleetTask, DaemonInputs) -> FleetFinding)? = nil
    ) throws {
        (self.isCutOff, self.effectsLeft) = (isCutOff, effectsLeft)
        if let fleetFinding { self.fleetFinding = fleetFinding }
        now = try instant(clock)
        var disk = disk
        _ = disk?.beginRun(boot: boot)
        state = DaemonState(
            inputs: try inputs ?? Self.inputs(config, adjustments), saved: disk, recorded: recorded,
            boot: boot, fleetGate: fleetGate,
            now: now)
        self.disk = disk
        handle(.clockHealth(ClockHealth(synchronized: synchronized)))
        handle(.started)
    }

    package static func inputs(_ config: Config, _ adjustments: EventMinutes = EventMinutes()) throws
        -> DaemonInputs
    {
        let zone = try Zone(name: "America/New_York", posix: newYork)
        var calculation = Calculation()
        calculation.rounding = .nearest
        calculation.adjustments = adjustments
        let site = Site(
            name: "Queens, New York",
            place: try Place(latitude: 40.7282, longitude: -73.7949, elevationMetres: 0),
            approximate: false, zone: zone, calculation: calculation)
        return DaemonInputs(
            config: config, configuration: "a test", site: site, user: 900, controlGroup: 901)
    }

    package mutating func handle(_ event: Event) {
        let done = state.handle(event, at: now)
        #expect(state.brokenInvariants() == [])
        effects += done
        var answers: [Event] = []
        for effect in done {
            if effectsLeft == 0 { return }
            effectsLeft = effectsLeft.map { $0 - 1 }
            switch effect {
            case .reply(_, let reply): replies.append(reply)
            case .publish(let notice): notices.append(notice)
            case .record(let entries): history += entries
            case .save(let saved):
                if let diskProblem { answers.append(.saveFailed(reason: diskProblem)) } else { disk = saved }
            case .arm(let armed): timers = armed
            case .reportSave: answers.append(.envelopeSaved(problem: diskProblem))
            case .tryFleet(let task): answers.append(.fleetTried(fleetFinding(task, state.inputs)))
            case .fleetPreflight(let preflight, _):
                let result = PreflightResult.ofOne(device: "default", fleetPreflight(preflight))
                answers.append(.fleetPreflight(preflight, result))
            case .changeTimetable(let change):
                fileChanges.append(change)
                answers.append(.timetableChanged(problem: diskProblem))
            default: break
            }
        }
        guard !isCutOff, effectsLeft != 0 else { return }
        for answer in answers { handle(answer) }
    }

    /// Moves the clock to an instant, stopping at every timer on the way, as the machine would.
    package mutating func run(until end: Instant) {
        for _ in 0..<10_000 {
            guard let next = timers.map(\.at).filter({ $0 <= end }).min() else { break }
            now = max(now, next)
            let before = timers
            handle(.timerDue)
            if timers == before, next <= now { timers.removeAll { $0.at <= now } }
        }
        now = end
    }

    package mutating func run(until clock: String) throws {
        run(until: try instant(clock))
    }

    package mutating func run(for seconds: Double) {
        run(until: now + seconds)
    }

    /// Suspended: the clock goes on, no timer fires until the end.
    package mutating func sleep(until clock: String) throws {
        now = try instant(clock)
        handle(.resumed)
    }

    /// The effects of one event, without those of earlier ones.
    package mutating func effects(of event: Event) -> [Effect] {
        let before = effects.count
        handle(event)
        return Array(effects[before...])
    }

    /// The effects that `body` causes.
    package mutating func during(_ body: (inout Box) throws -> Void) rethrows -> [Effect] {
        let before = effects.count
        try body(&self)
        return Array(effects[before...])
    }

    @discardableResult
    package mutating func ask(_ request: ControlRequest, as user: UInt32 = 0, groups: [UInt32] = []) -> Reply?
    {
        requests += 1
        let id = RequestID(serial: requests)
        let done = effects(of: .request(id, request, from: Peer(user: user, groups: groups)))
        return Self.reply(to: id, in: done)
    }

    package static func reply(to id: RequestID, in effects: [Effect]) -> Reply? {
        for case .reply(id, let reply) in effects { return reply }
        return nil
    }

    /// Plays the device's part for whatever was started last.
    package mutating func begin(token: Int, late: Double = 0.002) {
        handle(.playback(token: token, .cued(device: "default", durationSeconds: 10.8)))
        handle(.playback(token: token, .began(at: now + late, device: "default")))
    }

    package mutating func end(
        token: Int, _ end: JobResult.End = .completed, framesPlayed: Int = 476_280,
        audibleShare: Double = 0.8, measuredShare: Double? = nil, leastShare: Double = 0.1
    ) {
        let result = JobResult(
            end: end, startedAt: now - 10.8, endedAt: now, device: "default", rateHz: 44_100,
            framesWritten: 476_280,
            framesPlayed: framesPlayed, dropouts: 0, gainDb: -5.8,
            audible: .init(share: audibleShare, measuredShare: measuredShare, leastShare: leastShare))
        handle(.playback(token: token, .ended(result)))
    }
}

extension [Effect] {
    package var cued: [JobOrder] {
        compactMap { if case .cue(let order) = $0 { order } else { nil } }
    }

    package var started: [Int] {
        compactMap { if case .start(let token) = $0 { token } else { nil } }
    }

    package var stopped: [Int] {
        compactMap { if case .stop(let token, _) = $0 { token } else { nil } }
    }

    package var recorded: [HistoryEntry] {
        reduce(into: []) { all, effect in
            if case .record(let entries) = effect { all += entries }
        }
    }

    package var replies: [Reply] {
        compactMap { if case .reply(_, let reply) = $0 { reply } else { nil } }
    }

    package var notices: [Notice] {
        compactMap { if case .publish(let notice) = $0 { notice } else { nil } }
    }
}

extension Reply {
    package var changeReply: ChangeReply? {
        if case .document(let document) = self { document as? ChangeReply } else { nil }
    }

    package var refusal: ControlError? {
        if case .refused(let error) = self { error } else { nil }
    }
}

/// The one output of a box whose configuration names none.
extension Event {
    package static func playback(token: Int, _ event: JobEvent) -> Event {
        .playback(token: token, output: QuietWindow.mainOutput, event)
    }

    package static func devicesTried(_ trial: DeviceTrial) -> Event {
        .devicesTried(output: QuietWindow.mainOutput, trial)
    }
}

extension JobOrder {
    private var first: OutputOrder { outputs[0] }

    package var volumePercent: Int { first.volumePercent }
    package var devices: [String] { first.devices }
    package var prerollSeconds: Double { first.prerollSeconds }
    package var positionSeconds: Double { first.positionSeconds }
    package var limitSeconds: Double? { first.limitSeconds }
    /// The instant at which the first output starts by itself.
    package var startAt: Instant? { heardAt.map { $0 - first.leadSeconds } }
}

extension PreflightResult {
    /// The findings where no output is named.
    package static func ofOne(
        device: String?, _ deviceProblems: [String] = [], soundProblems: [String] = [], silence: String? = nil
    ) -> PreflightResult {
        PreflightResult(
            soundProblems: soundProblems, durationSeconds: 10.8,
            outputs: [.init(output: "main", device: device, problems: deviceProblems, silence: silence)])
    }
}
