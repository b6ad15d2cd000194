import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import StateFile
import Times

/// Runs an ``OutputScenario``, and checks the promises about several outputs.
struct OutputWorld {
    /// Something that was heard.
    struct Heard: Equatable {
        let id: AnnouncementID
        /// Seconds after the epoch by a clock that cannot be set, to the tenth.
        var from: Double
        let volume: Int
        var until: Double
    }

    let scenario: OutputScenario
    /// Outputs without faults.
    let well: Set<String>
    var elapsed = 0.0
    /// Seconds by which the wall clock was set.
    var offset = 0.0
    var clockChanges: [(at: Double, change: OutputScenario.ClockChange)] = []
    /// Sounds for which the clock was already changed.
    var changed: Set<AnnouncementID> = []
    var state: DaemonState
    var disk: SavedState?
    var timers: [ArmedTimer] = []
    var speakers: [Loudspeaker]
    var pending: [Event] = []
    private var backAt: Double?
    var deaths: [(at: Double, away: Double)]
    var requests: [(at: Double, request: ControlRequest)]
    private var serial: UInt64 = 0
    private(set) var violation: CheckerError?
    var heard: [String: [Heard]] = [:]
    var outcomes: [Outcome: Int] = [:]
    var faults: [String: Int] = [:]
    var events = 0
    /// The last report about a part, by announcement and output.
    var ends: [String: Outcome] = [:]
    /// Parts that ended without a report of their output.
    var unanswered: Set<String> = []
    /// The token with which a part was last ordered: reports about an earlier order do not count.
    var ordered: [String: Int] = [:]
    /// The instant by which the volumes of the last order of an announcement were set.
    var volumesSetAt: [AnnouncementID: Instant] = [:]
    /// Seconds by which the clock was set when an announcement was called, by its job's token.
    var calledAtOffset: [Int: Double] = [:]
    /// The outputs that were silent when an announcement was last ordered, because a mute may be over by the announcement's end.
    var silentAtOrder: [AnnouncementID: Set<String>] = [:]
    var tones: [String: Double] = [:]
    /// The mutes of single outputs before the present event: a mute that ended during sleep silences announcements of that time.
    var mutesBefore: [OutputMute] = []

    init(_ scenario: OutputScenario, well: Set<String> = []) {
        (self.scenario, self.well) = (scenario, well)
        speakers = scenario.config.outputs.map { Loudspeaker(name: $0.name) }
        (deaths, requests) = (scenario.deaths, scenario.requests)
        state = Self.start(scenario, nil, at: Instant(unixSeconds: scenario.epoch))
    }

    private static func start(
        _ scenario: OutputScenario, _ saved: SavedState?, at now: Instant
    ) -> DaemonState {
        let site = ScenarioChoices.sites[0].following(
            MosqueTimes(scenario.config, table: PublishedTimetable()))
        let inputs = DaemonInputs(
            config: scenario.config, configuration: "outputs", site: site, user: 900, controlGroup: 901)
        return DaemonState(inputs: inputs, saved: saved, recorded: [], boot: "0", now: now)
    }

    var now: Instant { Instant(unixSeconds: scenario.epoch + offset + elapsed) }

    mutating func broken(_ sentence: String) {
        violation = violation ?? CheckerError(description: "outputs at \(elapsed): \(sentence)")
    }

    mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
        if !holds { broken(sentence()) }
    }

    mutating func run() {
        handle(.clockHealth(ClockHealth(synchronized: true)))
        handle(.started)
        let end = Double(scenario.days) * 86_400
        while violation == nil {
            let next = nextAt()
            guard next < end else { break }
            elapsed = max(elapsed, next)
            step()
        }
    }

    private func nextAt() -> Double {
        if let backAt { return backAt }
        let timer = timers.first.map { $0.at.unixSeconds - scenario.epoch - offset } ?? .infinity
        let spoken =
            speakers.map { $0.nextEvent(after: now.unixSeconds) - scenario.epoch - offset }.min() ?? .infinity
        return min(
            timer, spoken, deaths.first?.at ?? .infinity, requests.first?.at ?? .infinity,
            clockChanges.first?.at ?? .infinity)
    }

    private mutating func step() {
        if let backAt, backAt <= elapsed { return comeBack() }
        if let change = clockChanges.first, change.at <= elapsed {
            clockChanges.removeFirst()
            return changeClock(change.change)
        }
        if let death = deaths.first, death.at <= elapsed {
            deaths.removeFirst()
            return die(death.away)
        }
        if let asked = requests.first, asked.at <= elapsed {
            requests.removeFirst()
            serial += 1
            return handle(
                .request(RequestID(serial: serial), asked.request, from: Peer(user: 0, groups: [])))
        }
        for index in speakers.indices {
            if let order = speakers[index].startDue(at: now.unixSeconds) {
                return began(order, on: speakers[index].name)
            }
            if let (order, word) = speakers[index].word(at: now.unixSeconds) {
                return report(word, order, speakers[index].name)
            }
        }
        let now = now
        timers.removeAll { $0.at <= now }
        handle(.timerDue)
    }

    private mutating func changeClock(_ change: OutputScenario.ClockChange) {
        switch change {
        case .step(let seconds):
            setClock(by: seconds)
            handle(.clockStepped(bySeconds: seconds))
        case .sleep(let seconds, let step):
            for name in heard.keys { sleep(on: name, seconds) }
            elapsed += seconds
            for index in speakers.indices {
                speakers[index].slept(for: seconds, until: now.unixSeconds)
            }
            faults["machine slept", default: 0] += 1
            guard step != 0 else { return handle(.resumed) }
            setClock(by: step)
            handle(.clockStepped(bySeconds: step, hasSlept: true))
        }
    }

    private mutating func setClock(by seconds: Double) {
        offset += seconds
        for index in speakers.indices { speakers[index].clockWasSet(by: seconds) }
        faults["clock set", default: 0] += 1
    }

    private mutating func sleep(on output: String, _ seconds: Double) {
        for index in (heard[output] ?? []).indices where heard[output]?[index].until ?? 0 > elapsed {
            if let from = heard[output]?[index].from, from > elapsed {
                heard[output]?[index].from = Self.tenths(from + seconds)
            }
            heard[output]?[index].until += seconds
        }
    }

    private mutating func die(_ away: Double) {
        for name in heard.keys { cutOff(on: name) }
        for index in speakers.indices { speakers[index].die() }
        calledAtOffset = [:]
        (pending, timers, backAt) = ([], [], elapsed + away)
    }

    private mutating func comeBack() {
        backAt = nil
        // Requests during the outage had no recipient.
        requests.removeAll { $0.at <= elapsed }
        deaths.removeAll { $0.at <= elapsed }
        clockChanges.removeAll { $0.at <= elapsed }
        state = Self.start(scenario, disk, at: now)
        handle(.clockHealth(ClockHealth(synchronized: true)))
        handle(.started)
        let now = now
        let lasting = (disk?.outputMutes ?? []).filter { !$0.isOver(at: now) }
        require(state.saved.outputMutes == lasting, "a mute of one output did not outlive the restart")
    }

    /// - Parameter id: the sound that ends early; `nil`: the last one.
    mutating func cutOff(on output: String, _ id: AnnouncementID? = nil) {
        guard let last = heard[output]?.lastIndex(where: { id == nil || $0.id == id }) else { return }
        // The whole sound has left the device, and is on its way to the ear.
        if let id = heard[output]?[last].id, ends["\(id)/\(output)"] == .played { return }
        let until = heard[output]?[last].until ?? 0
        heard[output]?[last].until = min(until, Self.tenths(elapsed))
    }

    static func tenths(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }
}
