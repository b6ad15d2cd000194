package import Envelope
package import PrayerEngine
package import Protocol
import Texts

/// The bridge's knowledge of this box at one moment, for its fleet.
package struct FleetFacts: Sendable {
    /// The last answers of adhand; `nil` where it does not answer.
    package var snapshot: BoxSnapshot?
    /// The agenda of the coming days; the snapshot has two of them.
    package var agenda: [OccasionDocument] = []
    /// Oldest first.
    package var history: [HistoryEntry] = []
    package var problems: ProblemsPayload
    package var applied: [FleetDocument.Applied] = []
    package var groups: [String] = []
    package var identity: BoxFacts
    package var now: Instant

    package init(problems: ProblemsPayload, identity: BoxFacts, now: Instant) {
        (self.problems, self.identity, self.now) = (problems, identity, now)
    }
}

/// The machine, for its fleet.
package struct BoxFacts: Sendable, Equatable {
    package var boot: String?
    package var version: String
    package var image: String?
    package var hardware: String?

    package init(boot: String? = nil, version: String, image: String? = nil, hardware: String? = nil) {
        (self.boot, self.version, self.image, self.hardware) = (boot, version, image, hardware)
    }

    /// The name of the board for those who know its box: a card that was copied gives two of them.
    package static func hardware(serial: [UInt8], box: String) -> String? {
        let text = serial.filter { $0 > 0x20 && $0 < 0x7F }
        // Boards without a number of their own have zeros.
        guard text.contains(where: { $0 != UInt8(ascii: "0") }) else { return nil }
        return SHA256.hex(text + Array("/\(box)".utf8))
    }
}

/// One message to the broker of the fleet.
package struct FleetPublication: Sendable, Equatable {
    package let topic: String
    package let payload: [UInt8]
    package let isRetained: Bool
    /// Whether the broker says that it has it.
    package let isAcknowledged: Bool
    /// Once the broker has it: outcomes up to this instant are reported.
    package var reportedUntil: Instant?
}

/// Decides what the fleet learns, and when: facts and moments in, messages out.
package struct FleetReporter: Sendable {
    /// Boxes that come back at the same time report within this span, each at its own moment.
    package static let spreadSeconds = 10.0
    /// After each adhan a sign of life proves that a box of which nothing else comes is there.
    package static let proofSeconds = 20.0
    package static let planDays = 7
    package static let willDelaySeconds = 30
    /// A beat may come early by this part of its interval, so that it goes with something else that wakes the program.
    static let earlyShare = 0.2

    /// Lines of the history that are looked at each time, and after a connection: of an adhan there are several, with its reminders and
    /// its iqama.
    private static let (newestEntries, backlogEntries) = (80, 1000)

    package let topics: FleetTopic
    package let box: String
    package let beatSeconds: Double
    /// Outcomes up to here are known to the fleet, also over a restart of this program. `nil`: it never was connected.
    package private(set) var reportedUntil: Instant?

    private var isConnected = false
    /// The moments are of the clock that nobody sets.
    private var reportAt: Double?
    private var beatAt = 0.0
    private var beats = 0
    /// Instants of the plan after which a sign of life is due.
    private var proofs: [Instant] = []
    private var sent: [ReportTopic: [UInt8]] = [:]
    private var plan: PlanReport?

    package init(org: String, box: String, beatSeconds: Double, reportedUntil: Instant? = nil) {
        topics = FleetTopic(org: org)
        (self.box, self.beatSeconds, self.reportedUntil) = (box, beatSeconds, reportedUntil)
    }

    // MARK: The connection

    /// The broker's word in this box's place.
    package func will(_ facts: FleetFacts) -> FleetPublication? { status(facts, .offline) }

    package func farewell(_ facts: FleetFacts) -> FleetPublication? { status(facts, .offline) }

    /// - Parameter chance: 0 up to 1.
    package mutating func connected(at uptime: Double, chance: Double) {
        isConnected = true
        reportAt = uptime + chance * Self.spreadSeconds
        sent = [:]
    }

    package mutating func lost() { (isConnected, reportAt) = (false, nil) }

    /// The broker has a message that carries outcomes.
    /// - Returns: whether there is something to be saved.
    package mutating func delivered(until: Instant) -> Bool {
        guard reportedUntil.map({ $0 < until }) ?? true else { return false }
        reportedUntil = until
        return true
    }

    // MARK: Messages

    /// Seconds until something is to be sent without any news; `nil`: never.
    package func waitSeconds(now: Instant, uptime: Double) -> Double? {
        guard isConnected else { return nil }
        if let reportAt { return max(0, reportAt - uptime) }
        let proof = proofs.first.map { $0 + Self.proofSeconds - now } ?? .infinity
        return max(0, min(beatAt - uptime, proof))
    }

    /// Everything that the fleet does not know yet, and a sign of life where one is due.
    package mutating func messages(_ facts: FleetFacts, uptime: Double) -> [FleetPublication] {
        guard isConnected else { return [] }
        if let at = reportAt {
            guard uptime >= at else { return [] }
            reportAt = nil
            return everything(facts, uptime)
        }
        var messages = news(facts)
        messages += beat(facts, uptime)
        return messages
    }

    /// After a connection: outcomes before the status, so that whoever sees the box come knows them already.
    private mutating func everything(_ facts: FleetFacts, _ uptime: Double) -> [FleetPublication] {
        if reportedUntil == nil { reportedUntil = facts.now }
        var messages: [FleetPublication?] = []
        let backlog = backlog(facts)
        plan = nil
        messages += planNews(facts)
        // Before the newest outcomes, whose acknowledgement says that the fleet knows all that came before.
        if let last = backlog.last {
            var message = document(.backlog, BacklogReport(adhans: backlog.map(\.report)))
            message?.reportedUntil = last.due
            messages.append(message)
        }
        messages += adhanNews(facts)
        messages += stateNews(facts)
        (beatAt, beats) = (uptime + beatSeconds, beats)
        return messages.compactMap(\.self)
    }

    private mutating func news(_ facts: FleetFacts) -> [FleetPublication] {
        (planNews(facts) + adhanNews(facts) + stateNews(facts)).compactMap(\.self)
    }

    private mutating func beat(_ facts: FleetFacts, _ uptime: Double) -> [FleetPublication] {
        var isProof = false
        while let first = proofs.first, first + Self.proofSeconds <= facts.now {
            proofs.removeFirst()
            isProof = true
        }
        guard isProof || uptime >= beatAt - beatSeconds * Self.earlyShare else { return [] }
        beatAt = uptime + beatSeconds
        beats += 1
        return [document(.beat, BeatReport(at: text(facts.now, facts), seq: beats))].compactMap(\.self)
    }

    // MARK: Documents

    private func text(_ instant: Instant, _ facts: FleetFacts) -> String {
        InstantText.rfc3339(instant, in: facts.snapshot?.zone ?? .utc)
    }

    private func document(_ topic: ReportTopic, _ document: some Encodable) -> FleetPublication? {
        guard let payload = try? JSON.encode(document) else { return nil }
        return FleetPublication(
            topic: topics.report(topic, of: box), payload: payload, isRetained: topic.isRetained,
            isAcknowledged: topic != .beat)
    }

    /// A retained document that says something new.
    /// - Parameter essence: the same without its moment.
    private mutating func fresh(_ topic: ReportTopic, _ new: some Encodable, essence: some Encodable)
        -> FleetPublication?
    {
        guard let bytes = try? JSON.encode(essence), sent[topic] != bytes else { return nil }
        sent[topic] = bytes
        return document(topic, new)
    }

    private func report(_ facts: FleetFacts, _ state: StatusReport.State) -> StatusReport {
        StatusReport(
            state: state, at: text(facts.now, facts), boot: facts.identity.boot,
            version: facts.snapshot?.status.version ?? facts.identity.version, image: facts.identity.image,
            hardware: facts.identity.hardware, adhand: facts.snapshot == nil ? .down : .up,
            beat: Int(beatSeconds), groups: facts.groups)
    }

    private func status(_ facts: FleetFacts, _ state: StatusReport.State) -> FleetPublication? {
        document(.status, report(facts, state))
    }

    private mutating func planNews(_ facts: FleetFacts) -> [FleetPublication?] {
        guard facts.snapshot != nil else { return [] }
        let made = facts.now
        let until = made + Double(Self.planDays) * 86_400
        let entries = Self.entries(facts.agenda, from: made, to: until)
        // An entry that has passed since is no change, and a day that has come into sight is one.
        let isSameDay = plan.map { $0.made.prefix(10) == text(made, facts).prefix(10) } ?? false
        if isSameDay, let plan {
            let known = plan.entries.filter { InstantText.parse($0.at).map { $0 > made } ?? false }
            let last = known.last.flatMap { InstantText.parse($0.at) } ?? made
            let comparable = entries.filter { entry in
                InstantText.parse(entry.at).map { $0 <= last } ?? false
            }
            if known == comparable, !known.isEmpty || entries.isEmpty { return [] }
        }
        let new = PlanReport(
            made: text(made, facts), until: text(until, facts),
            entries: Array(entries.prefix(PlanReport.mostEntries)))
        plan = new
        proofs = new.entries.compactMap { InstantText.parse($0.at) }
        return [document(.plan, new)]
    }

    /// The adhans that will be called, in the order of their instants.
    static func entries(_ agenda: [OccasionDocument], from: Instant, to: Instant) -> [PlanReport.Entry] {
        agenda.compactMap { occasion -> (Instant, PlanReport.Entry)? in
            guard occasion.kind == .adhan, occasion.enabled, let prayer = occasion.prayer,
                let at = InstantText.parse(occasion.at), at > from, at <= to
            else { return nil }
            return (
                at,
                PlanReport.Entry(
                    id: occasion.id, prayer: prayer, at: occasion.at, grace: Int(BoxSnapshot.graceSeconds))
            )
        }.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
    }

    /// The newest adhan of each prayer: its outcome, or that it plays now.
    private mutating func adhanNews(_ facts: FleetFacts) -> [FleetPublication?] {
        guard let snapshot = facts.snapshot else { return [] }
        var newest: [Prayer: Outcome] = [:]
        for outcome in facts.history.suffix(Self.newestEntries).compactMap({ Outcome($0) }) {
            newest[outcome.prayer] = outcome
        }
        if let playing = Outcome(playing: snapshot, facts.agenda) { newest[playing.prayer] = playing }
        return Prayer.allCases.compactMap { prayer in
            guard let outcome = newest[prayer] else { return nil }
            var message = fresh(.adhan(prayer), outcome.report, essence: outcome.report)
            // One that plays has no outcome yet.
            if outcome.report.state != "playing" { message?.reportedUntil = outcome.due }
            return message
        }
    }

    private func backlog(_ facts: FleetFacts) -> [Outcome] {
        // A clock that was ahead leaves a mark in the future, by which nothing would ever be new.
        let until = min(reportedUntil ?? facts.now, facts.now)
        let news = facts.history.suffix(Self.backlogEntries).compactMap { Outcome($0) }
            .filter { $0.due > until && $0.due <= facts.now }
        return news.suffix(BacklogReport.mostAdhans)
    }

    private mutating func stateNews(_ facts: FleetFacts) -> [FleetPublication?] {
        var messages: [FleetPublication?] = [fresh(.problems, facts.problems, essence: facts.problems)]
        for applied in facts.applied {
            guard let kind = FleetKind(rawValue: applied.kind) else { continue }
            let report = AppliedReport(
                kind: applied.kind, seq: applied.seq, digest: applied.digest, state: applied.state,
                reason: applied.reason, at: applied.at)
            messages.append(fresh(.applied(kind), report, essence: report))
        }
        let status = report(facts, .online)
        var timeless = status
        timeless.at = ""
        messages.append(fresh(.status, status, essence: timeless))
        return messages
    }
}

/// An adhan of the history, or the one that plays, as the fleet learns it.
private struct Outcome {
    let prayer: Prayer
    let due: Instant
    let report: AdhanReport

    init?(_ entry: HistoryEntry) {
        guard AnnouncementID(entry.id)?.kind == .adhan, let prayer = Prayer(rawValue: entry.prayer),
            let due = InstantText.parse(entry.scheduled)
        else { return nil }
        (self.prayer, self.due) = (prayer, due)
        let lateness = entry.latenessMs.flatMap { $0.isFinite && abs($0) < 1e9 ? Int($0.rounded()) : nil }
        report = AdhanReport(
            id: entry.id, prayer: entry.prayer, due: entry.scheduled, state: entry.outcome.rawValue,
            at: entry.started ?? entry.scheduled, latenessMs: lateness,
            reason: entry.reason.map { String($0.prefix(200)) }, cause: entry.cause?.rawValue)
    }

    init?(playing snapshot: BoxSnapshot, _ agenda: [OccasionDocument]) {
        let playback = snapshot.status.playback
        guard playback.state == .playing || playback.state == .stopping, let id = playback.id,
            AnnouncementID(id)?.kind == .adhan,
            let occasion = (agenda + snapshot.agenda).first(where: { $0.id == id }),
            let prayer = occasion.prayer.flatMap({ Prayer(rawValue: $0) }),
            let due = InstantText.parse(occasion.at)
        else { return nil }
        (self.prayer, self.due) = (prayer, due)
        report = AdhanReport(
            id: id, prayer: prayer.rawValue, due: occasion.at, state: "playing", at: occasion.at)
    }
}
