package import Envelope
package import PrayerEngine

/// One message for the fleet's broker.
package struct FleetPublication: Sendable, Equatable {
    package let topic: String
    package let payload: [UInt8]
    package let isRetained: Bool
    /// Whether the broker must acknowledge it.
    package let isAcknowledged: Bool
    /// The instant up to which outcomes count as reported once the broker has acknowledged the message.
    package var reportedUntil: Instant?
}

/// Decides which reports the fleet receives and when: facts and moments in, messages out.
package struct FleetReporter: Sendable {
    /// Seconds over which boxes that reconnect together spread their reports.
    package static let spreadSeconds = 10.0
    /// Seconds from each adhan to the heartbeat that proves the box's presence.
    package static let proofSeconds = 20.0
    package static let planDays = 7
    package static let willDelaySeconds = 30
    /// The share of its interval by which a heartbeat, or a notification of the service manager, may be early, so that it
    /// coincides with another reason to wake.
    package static let earlyShare = 0.2

    package let topics: FleetTopic
    package let box: String
    package let beatSeconds: Double
    /// The instant up to which the fleet has received outcomes, even across a restart. `nil` before the first connection.
    package private(set) var reportedUntil: Instant?

    private var isConnected = false
    /// The times of reports by the monotonic clock.
    private var reportAt: Double?
    private var beatAt = 0.0
    private var beats = 0
    /// Instants of the plan after which a heartbeat is due.
    var proofs: [Instant] = []
    var sent: [ReportTopic: [UInt8]] = [:]
    /// The kinds of changes for which this run has sent a report that the broker retains.
    var reportedKinds: Set<FleetKind> = []
    var plan: PlanReport?

    package init(org: String, box: String, beatSeconds: Double, reportedUntil: Instant? = nil) {
        topics = FleetTopic(org: org)
        (self.box, self.beatSeconds, self.reportedUntil) = (box, beatSeconds, reportedUntil)
    }

    // MARK: The connection

    /// The status of a box that has left. The box sends it before it disconnects, and registers it with the broker as its will.
    package func farewell(_ facts: FleetFacts) -> FleetPublication? { status(facts, .offline) }

    /// - Parameter chance: a random number from 0 up to 1.
    package mutating func connected(at uptime: Double, chance: Double) {
        isConnected = true
        reportAt = uptime + chance * Self.spreadSeconds
        sent = [:]
    }

    package mutating func lost() { (isConnected, reportAt) = (false, nil) }

    /// Notes that the broker has acknowledged outcomes.
    /// - Returns: whether the state has to be saved.
    package mutating func delivered(until: Instant) -> Bool {
        guard reportedUntil.map({ $0 < until }) ?? true else { return false }
        reportedUntil = until
        return true
    }

    // MARK: Messages

    /// Seconds until the next message without news; `nil` if there is none.
    package func waitSeconds(now: Instant, uptime: Double) -> Double? {
        guard isConnected else { return nil }
        if let reportAt { return max(0, reportAt - uptime) }
        let proof = proofs.first.map { $0 + Self.proofSeconds - now } ?? .infinity
        return max(0, min(beatAt - uptime, proof))
    }

    /// All reports that the fleet lacks, and a heartbeat if it is due.
    package mutating func messages(_ facts: FleetFacts, uptime: Double) -> [FleetPublication] {
        guard isConnected else { return [] }
        if let at = reportAt {
            guard uptime >= at else { return [] }
            reportAt = nil
            return everything(facts, uptime)
        }
        var messages = changes(facts)
        messages += beat(facts, uptime)
        return messages
    }

    /// All reports after a connection. Outcomes precede the status, so that a client that sees the box appear already has them.
    private mutating func everything(_ facts: FleetFacts, _ uptime: Double) -> [FleetPublication] {
        if reportedUntil == nil { reportedUntil = facts.now }
        var messages: [FleetPublication?] = []
        let backlog = backlog(facts)
        plan = nil
        messages += planNews(facts)
        // The backlog precedes the newest outcomes, whose acknowledgement marks all earlier ones as received.
        if let last = backlog.last {
            var message = document(.backlog, BacklogReport(adhans: backlog.map(\.report)))
            message?.reportedUntil = last.due
            messages.append(message)
        }
        messages += adhanNews(facts)
        messages += stateNews(facts)
        beatAt = uptime + beatSeconds
        return messages.compactMap(\.self)
    }

    private mutating func changes(_ facts: FleetFacts) -> [FleetPublication] {
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
}
