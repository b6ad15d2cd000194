import Envelope
import PrayerEngine
import Protocol
import Texts

/// Creates a box's reports, and detects whether they contain news.
extension FleetReporter {
    /// The most lines of the history that are read each time, and after a connection. An adhan has several, with its reminders
    /// and its iqama.
    private static let (newestEntries, backlogEntries) = (80, 1000)

    func text(_ instant: Instant, _ facts: FleetFacts) -> String {
        InstantText.rfc3339(instant, in: facts.snapshot?.zone ?? .utc)
    }

    func document(_ topic: ReportTopic, _ document: some Encodable) -> FleetPublication? {
        guard let payload = try? JSON.encode(document) else { return nil }
        return FleetPublication(
            topic: topics.report(topic, of: box), payload: payload, isRetained: topic.isRetained,
            isAcknowledged: topic != .beat)
    }

    /// Returns a retained document if it contains something new.
    /// - Parameter essence: the document without its time, for the comparison.
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
            beat: Int(beatSeconds), groups: facts.groups, leftAdhand: facts.identity.leftAdhand)
    }

    func status(_ facts: FleetFacts, _ state: StatusReport.State) -> FleetPublication? {
        document(.status, report(facts, state))
    }

    mutating func planNews(_ facts: FleetFacts) -> [FleetPublication?] {
        guard facts.snapshot != nil else { return [] }
        let made = facts.now
        let until = made + Double(Self.planDays) * 86_400
        let entries = Self.entries(facts.agenda, from: made, to: until)
        // An adhan that has passed since is no change of the plan, but a new day is.
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

    /// The adhans that will be called, sorted by instant.
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

    /// The newest adhan of each prayer, with its outcome or as playing.
    mutating func adhanNews(_ facts: FleetFacts) -> [FleetPublication?] {
        guard let snapshot = facts.snapshot else { return [] }
        var newest: [Prayer: ReportedAdhan] = [:]
        for outcome in facts.history.suffix(Self.newestEntries).compactMap({ ReportedAdhan($0) }) {
            newest[outcome.prayer] = outcome
        }
        if let playing = ReportedAdhan(playing: snapshot, facts.agenda) { newest[playing.prayer] = playing }
        return Prayer.allCases.compactMap { prayer in
            guard let outcome = newest[prayer] else { return nil }
            var message = fresh(.adhan(prayer), outcome.report, essence: outcome.report)
            // An adhan that is playing has no outcome yet.
            if outcome.report.state != "playing" { message?.reportedUntil = outcome.due }
            return message
        }
    }

    func backlog(_ facts: FleetFacts) -> [ReportedAdhan] {
        // A mark in the future, from a clock that was ahead, would prevent all reports.
        let until = min(reportedUntil ?? facts.now, facts.now)
        let news = facts.history.suffix(Self.backlogEntries).compactMap { ReportedAdhan($0) }
            .filter { $0.due > until && $0.due <= facts.now }
        return news.suffix(BacklogReport.mostAdhans)
    }

    mutating func stateNews(_ facts: FleetFacts) -> [FleetPublication?] {
        var messages: [FleetPublication?] = [fresh(.problems, facts.problems, essence: facts.problems)]
        messages += withdrawals(facts.applied)
        for applied in facts.applied {
            guard let kind = FleetKind(rawValue: applied.kind) else { continue }
            reportedKinds.insert(kind)
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

    /// Clears the reports of refusals at the broker if their envelopes are gone.
    private mutating func withdrawals(_ applied: [FleetDocument.Applied]) -> [FleetPublication?] {
        let gone = reportedKinds.subtracting(applied.compactMap { FleetKind(rawValue: $0.kind) })
        reportedKinds.subtract(gone)
        return FleetKind.allCases.filter { gone.contains($0) }.map { kind in
            sent[.applied(kind)] = nil
            return FleetPublication(
                topic: topics.report(.applied(kind), of: box), payload: [], isRetained: true,
                isAcknowledged: true)
        }
    }
}
