import Announcements
import Daemon
import PrayerEngine
import Protocol
import Settings
import Texts
import Times

/// Lives an ``OutputScenario`` through, and checks what several outputs are promised.
struct OutputWorld {
    /// Something that was heard.
    struct Heard: Equatable {
        let id: AnnouncementID
        /// Seconds after the epoch by a clock that nobody sets, to the tenth.
        var from: Double
        let volume: Int
        var until: Double
    }

    private let scenario: OutputScenario
    /// Outputs on which nothing goes wrong.
    private let well: Set<String>
    private var elapsed = 0.0
    /// Seconds by which the wall clock was set.
    private var offset = 0.0
    private var clockChanges: [(at: Double, change: OutputScenario.ClockChange)] = []
    /// Sounds around which a change was already.
    private var changed: Set<AnnouncementID> = []
    private var state: DaemonState
    private var disk: SavedState?
    private var timers: [ArmedTimer] = []
    private var speakers: [Loudspeaker]
    private var pending: [Event] = []
    private var backAt: Double?
    private var deaths: [(at: Double, away: Double)]
    private var requests: [(at: Double, request: ControlRequest)]
    private var serial: UInt64 = 0
    private(set) var violation: CheckerError?
    private(set) var heard: [String: [Heard]] = [:]
    private(set) var outcomes: [Outcome: Int] = [:]
    private(set) var faults: [String: Int] = [:]
    private(set) var events = 0
    /// The last word about a part, and how much of it was heard.
    private var ends: [String: Outcome] = [:]
    /// The token by which a part was ordered last: what an earlier order still says is no word about it.
    private var ordered: [String: Int] = [:]
    /// The instant by which the last order of an announcement was judged.
    private var judgedAt: [AnnouncementID: Instant] = [:]
    /// Seconds by which the clock was set when an announcement was called, by its job's token.
    private var calledAtOffset: [Int: Double] = [:]
    /// Outputs that were silent when an announcement was ordered last: a mute may be over by its end.
    private var silentAtOrder: [AnnouncementID: Set<String>] = [:]
    private var tones: [String: Double] = [:]
    /// The mutes of single outputs when the present event came: one that ended in a sleep silences what fell into it.
    private var mutesBefore: [OutputMute] = []

    init(_ scenario: OutputScenario, well: Set<String> = []) {
        (self.scenario, self.well) = (scenario, well)
        speakers = scenario.config.outputs.map { Loudspeaker(name: $0.name) }
        (deaths, requests) = (scenario.deaths, scenario.requests)
        state = Self.start(scenario, nil, [], at: Instant(unixSeconds: scenario.epoch))
    }

    private static func start(
        _ scenario: OutputScenario, _ saved: SavedState?, _ recorded: [HistoryEntry], at now: Instant
    ) -> DaemonState {
        let site = Setting.sites[0].following(MosqueTimes(scenario.config, table: PublishedTimetable()))
        let inputs = DaemonInputs(
            config: scenario.config, configuration: "outputs", site: site, user: 900, controlGroup: 901)
        return DaemonState(inputs: inputs, saved: saved, recorded: recorded, boot: "0", now: now)
    }

    private var now: Instant { Instant(unixSeconds: scenario.epoch + offset + elapsed) }

    private mutating func broken(_ sentence: String) {
        violation = violation ?? CheckerError(description: "outputs at \(elapsed): \(sentence)")
    }

    private mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
        if !holds { broken(sentence()) }
    }

    mutating func run() {
        take(.clockHealth(ClockHealth(synchronized: true)))
        take(.started)
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
            return take(
                .request(RequestID(serial: serial), asked.request, from: Peer(user: 0, groups: [])))
        }
        for index in speakers.indices {
            if let order = speakers[index].startDue(at: now.unixSeconds) {
                return began(order, on: speakers[index].name)
            }
            if let (order, word) = speakers[index].word(at: now.unixSeconds) {
                return say(word, order, speakers[index].name)
            }
        }
        let now = now
        timers.removeAll { $0.at <= now }
        take(.timerDue)
    }

    private mutating func changeClock(_ change: OutputScenario.ClockChange) {
        switch change {
        case .step(let seconds):
            offset += seconds
            for index in speakers.indices { speakers[index].clockWasSet(by: seconds) }
            faults["clock set", default: 0] += 1
            take(.clockStepped(bySeconds: seconds))
        case .sleep(let seconds):
            for name in heard.keys { sleep(on: name, seconds) }
            elapsed += seconds
            for index in speakers.indices {
                speakers[index].slept(for: seconds, until: now.unixSeconds)
            }
            faults["machine slept", default: 0] += 1
            take(.resumed)
        }
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
        // Whatever was asked for meanwhile found nobody.
        requests.removeAll { $0.at <= elapsed }
        deaths.removeAll { $0.at <= elapsed }
        clockChanges.removeAll { $0.at <= elapsed }
        state = Self.start(scenario, disk, [], at: now)
        take(.clockHealth(ClockHealth(synchronized: true)))
        take(.started)
    }

    /// - Parameter id: the sound that ends early; `nil`: the last one.
    private mutating func cutOff(on output: String, _ id: AnnouncementID? = nil) {
        guard let last = heard[output]?.lastIndex(where: { id == nil || $0.id == id }) else { return }
        // All of it has left the device, and is under way to the ear.
        if let id = heard[output]?[last].id, ends["\(id)/\(output)"] == .played { return }
        let until = heard[output]?[last].until ?? 0
        heard[output]?[last].until = min(until, Self.tenths(elapsed))
    }

    private static func tenths(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }

    // MARK: The daemon at work

    private mutating func take(_ event: Event) {
        pending.append(event)
        while !pending.isEmpty, violation == nil {
            let event = pending.removeFirst()
            events += 1
            mutesBefore = state.saved.outputMutes
            let effects = state.handle(event, at: now)
            for effect in effects { perform(effect) }
            for job in state.jobs where job.phase != .cued && calledAtOffset[job.token] == nil {
                calledAtOffset[job.token] = offset
            }
            if let broken = state.brokenInvariants().first { self.broken(broken) }
            if case .preflight(let id, let result) = event { checkHealth(id, result) }
        }
    }

    /// Minutes before a sound it is already known on which outputs it will not be heard.
    private func preflight(_ id: AnnouncementID, _ order: JobOrder) -> PreflightResult {
        let found = order.outputs.map { share -> PreflightResult.OutputFinding in
            let isIll = !well.contains(share.name) && scenario.fault(of: id, on: share.name) == .failsAtCue
            return .init(
                output: share.name, device: isIll ? nil : share.devices[0],
                problems: isIll ? ["cannot open \"\(share.devices[0])\""] : [])
        }
        return PreflightResult(soundProblems: [], durationSeconds: 3, outputs: found)
    }

    private mutating func checkHealth(_ id: AnnouncementID, _ result: PreflightResult) {
        for found in result.outputs {
            let health = state.health[found.output]
            require(
                health.healthy == found.problems.isEmpty
                    && (found.device == nil || health.device == found.device),
                "before \(id) \(found.output) is \(health.healthy ? "well" : "ill") on \(health.device ?? "nothing")"
            )
        }
    }

    private mutating func perform(_ effect: Effect) {
        switch effect {
        case .arm(let armed): timers = armed.sorted { $0.at < $1.at }
        case .save(let saved): disk = saved
        case .cue(let order): cue(order)
        case .start(let token): for index in speakers.indices { speakers[index].ask(token) }
        case .stop(let token, let fade):
            for index in speakers.indices {
                // Nobody hears anything of a device that hangs.
                if let hung = speakers[index].hung(token) { cutOff(on: speakers[index].name, hung) }
                speakers[index].stop(token, fade: fade, at: now.unixSeconds)
            }
        case .leaveOut(let token, let output):
            guard let index = speakers.firstIndex(where: { $0.name == output }) else { break }
            speakers[index].stop(token, fade: 0, at: now.unixSeconds)
            guard let id = state.jobs.first(where: { $0.token == token })?.announcement.id else { break }
            silentAtOrder[id, default: []].insert(output)
            // Its word that it had begun was still under way.
            cutOff(on: output, id)
        case .setClock(let token, let at):
            for index in speakers.indices { speakers[index].setClock(token, at.unixSeconds) }
        case .tryDevices(let output, let devices):
            pending.append(
                .devicesTried(
                    output: output, DeviceLook(devices: devices, device: devices.first, problems: [])))
        case .preflight(let id, let order): pending.append(.preflight(id: id, preflight(id, order)))
        case .keepAwake(let output, _): tone(on: output)
        case .record(let entries): for entry in entries { recorded(entry) }
        default: break
        }
    }

    private mutating func cue(_ order: JobOrder) {
        guard let job = state.jobs.first(where: { $0.token == order.token }) else {
            // Prepared and dropped by one event.
            return
        }
        let id = job.announcement.id
        let isNew = changed.insert(id).inserted
        if isNew, let (after, request) = scenario.muteJustBefore(id) {
            requests.append((elapsed + after, request))
            requests.sort { $0.at < $1.at }
        } else if isNew, let (after, change) = scenario.clockChange(around: id) {
            clockChanges.append((elapsed + after, change))
            clockChanges.sort { $0.at < $1.at }
        }
        judgedAt[id] =
            order.heardAt == nil && now - job.announcement.at >= Limits.punctualSeconds
            ? now : job.announcement.at
        let at = judgedAt[id] ?? now
        silentAtOrder[id] = Set(
            scenario.config.outputs.map(\.name).filter { almanac.isQuiet(id, on: $0, at: at) })
        for share in order.outputs {
            let fault = well.contains(share.name) ? nil : scenario.fault(of: id, on: share.name)
            guard let index = speakers.firstIndex(where: { $0.name == share.name }) else {
                broken("\(id) is ordered on \(share.name), which is no output")
                continue
            }
            checkShare(share, job, order)
            speakers[index].cue(
                share, of: order, id, fault: fault, whole: scenario.durationSeconds(of: id),
                at: now.unixSeconds)
            if let fault { faults[fault.rawValue, default: 0] += 1 }
            (ends["\(id)/\(share.name)"], ordered["\(id)/\(share.name)"]) = (nil, order.token)
        }
    }

    private mutating func began(_ order: Loudspeaker.Order, on output: String) {
        guard let job = state.jobs.first(where: { $0.token == order.token }) else { return }
        let (id, at) = (order.id, job.announcement.at.unixSeconds)
        // Together with what is heard elsewhere, and by the clock by which it was called, whatever the clock shows by now.
        let least = order.clock ?? at + (calledAtOffset[order.token].map { offset - $0 } ?? 0)
        require(
            order.heardFrom >= least - Limits.earlySeconds || order.order.positionSeconds > 0,
            "\(id) is heard on \(output) \(least - order.heardFrom) s early")
        let before = heard[output]?.last { $0.id == id }
        require(
            before.map { $0.until <= $0.from } ?? true || order.order.positionSeconds > 0,
            "\(id) is heard twice on \(output)")
        let from = order.heardFrom - scenario.epoch - offset
        cutOff(on: output)
        heard[output, default: []].append(
            Heard(
                id: id, from: Self.tenths(from), volume: order.order.volumePercent,
                until: Self.tenths(from + order.whole - order.position)))
    }

    private mutating func say(_ word: Loudspeaker.Word, _ order: Loudspeaker.Order, _ output: String) {
        let (device, key) = (order.order.devices[0], "\(order.id)/\(output)")
        let event: JobEvent
        switch word {
        case .cued:
            event = .cued(device: device, durationSeconds: order.whole - order.order.positionSeconds)
        case .began:
            event = .began(
                at: Instant(unixSeconds: order.startedAt ?? now.unixSeconds), device: device)
        case .lost: event = .deviceLost(device: device, reason: "it is gone")
        case .found: event = .deviceRecovered(device: device)
        case .ended(let end, let seconds):
            let frames = Int(seconds * 44_100)
            let wanted = order.whole - order.order.positionSeconds
            let outcome: Outcome =
                switch end {
                case .failed: .failed
                case .stopped: .interrupted
                case .completed: seconds < wanted * Limits.playedShare ? .interrupted : .played
                }
            if ordered[key] == order.token { ends[key] = outcome }
            if end != .completed { cutOff(on: output, order.id) }
            event = .ended(
                JobResult(
                    end: end, startedAt: order.startedAt.map { Instant(unixSeconds: $0) }, endedAt: now,
                    device: device, rateHz: 44_100, framesDecoded: frames, framesPlayed: frames, dropouts: 0,
                    gainDb: 0))
        }
        take(.playback(token: order.token, output: output, event))
    }

    // MARK: What is promised

    private var almanac: OutputAlmanac { OutputAlmanac(state) }

    private mutating func checkShare(_ share: OutputOrder, _ job: Job, _ order: JobOrder) {
        let id = job.announcement.id
        // A resumed sound is as loud as it began.
        guard share.positionSeconds == 0, let at = judgedAt[id] else { return }
        // A part that is tried again after a restart was judged before it.
        guard !state.saved.underway.contains(where: { $0.id == id && $0.startedAt != nil }) else { return }
        let expected = almanac.volume(of: id, own: job.announcement.ownVolumePercent, on: share.name, at: at)
        require(
            share.volumePercent == expected && expected ?? 0 > 0,
            "\(id) is ordered on \(share.name) at \(share.volumePercent) %, not at \(expected ?? -1) %")
        require(
            share.volumePercent <= almanac.output(share.name).mostPercent,
            "\(id) is above the cap of \(share.name)")
    }

    private mutating func tone(on output: String) {
        let settings = almanac.output(output)
        require(settings.keepAwakeSeconds != nil, "a tone on \(output), which nobody wants")
        require(state.jobs.isEmpty, "a tone on \(output) while something is prepared or sounds")
        require(
            !almanac.isDead(output, at: now) || !almanac.isDead(output, at: now + 300),
            "a tone on \(output) in a silent window")
        if let last = tones[output], let interval = settings.keepAwakeSeconds {
            require(elapsed - last >= min(interval, 60) * 0.99, "a tone on \(output) too soon")
        }
        tones[output] = elapsed
    }

    private mutating func recorded(_ entry: HistoryEntry) {
        outcomes[entry.outcome, default: 0] += 1
        guard let id = AnnouncementID(entry.id), let at = InstantText.parse(entry.scheduled) else {
            return broken("\(entry.id) is no identity")
        }
        let proofs = entry.outputs ?? []
        switch entry.outcome {
        case .played, .partial, .failed, .interrupted: break
        case .quiet, .silent:
            // By its own instant, or by when it was noticed.
            let almanac = OutputAlmanac(state, endedMutes: mutesBefore)
            return require(
                [at, now].contains { almanac.isSilent(id, at: $0) },
                "\(id) is recorded as \(entry.outcome), and something would be heard")
        default: return
        }
        // The program ended over it: there are no proofs.
        guard !proofs.isEmpty else { return }
        for proof in proofs {
            let told = ends["\(id)/\(proof.name)"]
            switch proof.outcome {
            case .quiet:
                require(
                    silentAtOrder[id]?.contains(proof.name) == true,
                    "\(id) is quiet on \(proof.name) for no reason")
            case .failed where told == nil:
                require(
                    proof.reason == "did not answer", "\(id) failed on \(proof.name), and nothing said so")
            default:
                require(
                    told?.rawValue == proof.outcome.rawValue || told == nil && proof.outcome == .played,
                    "\(id) is \(proof.outcome) on \(proof.name), which said \(told?.rawValue ?? "nothing")")
            }
        }
        let expected = almanac.outcome(
            of: proofs.filter { $0.outcome != .quiet }, isEnded: entry.endedBy != nil)
        require(
            expected.contains(entry.outcome),
            "\(id) is recorded as \(entry.outcome) with \(proofs.map { "\($0.name) \($0.outcome)" })")
    }
}
