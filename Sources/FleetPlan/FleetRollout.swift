package import Envelope
package import PrayerEngine
import Texts

/// A change that spreads to the boxes ring by ring, and stops itself if too many fail. It is a value: facts go in, topics to
/// write come out.
package struct FleetRollout: Sendable, Equatable {
    package enum State: String, Sendable, Codable, CaseIterable {
        case running, paused
        /// Too many boxes failed.
        case stopped
        /// A person ended it.
        case aborted
        case done

        package var isOver: Bool { self != .running && self != .paused }

        /// Whether a person can end it.
        package var canBeEnded: Bool { !isOver || self == .stopped }
    }

    static let mostRings = 100
    /// The size below which a single failure stops a ring.
    package static let smallRing = 50

    package let digest: String
    package let kind: FleetKind
    package let seq: Int
    package private(set) var state = State.running
    /// The index in ``RolloutSettings/rings``, from 0.
    package private(set) var ring = 0
    package private(set) var ringSince: Instant
    /// The instant at which a person began it.
    package let beganAt: Instant
    /// The boxes that were given the change, with the instants.
    package private(set) var given: [String: Instant] = [:]
    package private(set) var verdicts: [String: Verdict] = [:]
    /// The reasons of failed boxes, reported by the box or found by the watch.
    package private(set) var reasons: [String: String] = [:]
    /// The instants at which the change was first seen in force, by box.
    private var inForce: [String: Instant] = [:]
    /// The boxes from whose topics the change was withdrawn.
    private var withdrawn: Set<String> = []
    private var ranks = RolloutRanks()

    package init(digest: String, kind: FleetKind, seq: Int, at now: Instant) {
        (self.digest, self.kind, self.seq, ringSince, beganAt) = (digest, kind, seq, now, now)
    }

    // MARK: Rings

    /// The order of the boxes, which differs between roll-outs, so that the same boxes do not always come first.
    package static func order(_ boxes: some Sequence<String>, rollout: String) -> [String] {
        var ranks = RolloutRanks()
        return ranks.order(boxes, rollout: rollout)
    }

    /// The number of boxes in the rings up to `percent`, which is at least one if there are boxes.
    package static func size(percent: Int, of count: Int) -> Int { (percent * count + 99) / 100 }

    // MARK: People

    package mutating func pause() { if state == .running { state = .paused } }

    package mutating func resume() { if state == .paused { state = .running } }

    /// Ends the roll-out, or settles one that has stopped itself.
    package mutating func abort() { if state.canBeEnded { state = .aborted } }

    // MARK: The topics of boxes

    /// Whether its envelope belongs on the topic of a box.
    package func stands(at box: String) -> Bool {
        given[box] != nil && (!state.isOver || state == .done) || inForce[box] != nil
    }

    package func needsWithdrawal(from box: String) -> Bool {
        given[box] != nil && !stands(at: box) && !withdrawn.contains(box)
    }

    package mutating func noteWithdrawal(from box: String) {
        if needsWithdrawal(from: box) { withdrawn.insert(box) }
    }

    // MARK: Progress

    /// - Parameter facts: the facts about all receivers of the change.
    package mutating func update(_ facts: [String: Fact], _ settings: RolloutSettings, at now: Instant) {
        noteFates(facts, now)
        // A box that joins after the last ring also receives the change.
        if state == .done { return release(to: facts.keys, facts, settings, now) }
        guard !state.isOver else { return }
        forgetFuture(now)
        assess(facts, settings, now)
        if isTooBad(settings) {
            state = .stopped
            return
        }
        guard state == .running, !settings.rings.isEmpty else { return }
        release(to: members(facts, settings), facts, settings, now)
        while isRingOver(facts, settings, now) {
            guard ring + 1 < settings.rings.count else {
                state = .done
                break
            }
            (ring, ringSince) = (ring + 1, now)
            release(to: members(facts, settings), facts, settings, now)
        }
    }

    /// Corrects instants from a clock that was ahead: they begin again now.
    private mutating func forgetFuture(_ now: Instant) {
        ringSince = min(ringSince, now)
        for (box, since) in given where since > now { given[box] = now }
        for (box, since) in inForce where since > now { inForce[box] = now }
    }

    private mutating func members(
        _ facts: [String: Fact], _ settings: RolloutSettings
    ) -> ArraySlice<String> {
        let order = ranks.order(facts.keys, rollout: digest)
        let percent = settings.rings[min(ring, settings.rings.count - 1)]
        return order.prefix(Self.size(percent: percent, of: order.count))
    }

    private mutating func release(
        to boxes: some Sequence<String>, _ facts: [String: Fact], _ settings: RolloutSettings, _ now: Instant
    ) {
        for box in boxes where given[box] == nil { (given[box], verdicts[box]) = (now, .reached) }
        assess(facts, settings, now)
    }

    /// Notes boxes that abandoned the change. Such a box has failed, even after an earlier success and after the end of the
    /// roll-out.
    private mutating func noteFates(_ facts: [String: Fact], _ now: Instant) {
        for box in given.keys {
            guard let applied = answer(facts[box]) else { continue }
            switch applied.state {
            case .refused where applied.isPassing: break
            case .reverted, .refused:
                inForce[box] = nil
                fail(box, applied.reason ?? applied.state.rawValue)
            case .trial, .confirmed: inForce[box] = inForce[box] ?? now
            case .scheduled: break
            }
        }
    }

    /// A box's report about exactly this envelope.
    private func answer(_ fact: Fact?) -> ReceivedReport.Applied? {
        guard let applied = fact?.applied, applied.digest == digest, !applied.isOfAlteredCopy else {
            return nil
        }
        return applied
    }

    private mutating func fail(_ box: String, _ reason: String) {
        (verdicts[box], reasons[box]) = (.failure, reason)
    }

    private mutating func assess(_ facts: [String: Fact], _ settings: RolloutSettings, _ now: Instant) {
        noteFates(facts, now)
        for (box, since) in given where verdicts[box] == .reached || verdicts[box] == .notCounted {
            guard let fact = facts[box] else {
                verdicts[box] = .notCounted
                continue
            }
            let verdict = verdict(box, fact, since, settings, now)
            if verdict == .failure {
                fail(box, answer(fact)?.reason ?? Self.unheard)
            } else {
                verdicts[box] = verdict
            }
        }
    }

    private mutating func verdict(
        _ box: String, _ fact: Fact, _ since: Instant, _ settings: RolloutSettings, _ now: Instant
    ) -> Verdict {
        if let applied = answer(fact) {
            switch applied.state {
            case .refused where applied.isPassing: break
            case .reverted, .refused: return .failure
            case .trial, .confirmed:
                let from = inForce[box] ?? now
                if settings.success == .applied { return .success }
                // A confirmed timetable or configuration has proved itself by an adhan. For other kinds the box does not report
                // a proof.
                let isProven = applied.state == .confirmed && (kind == .configuration || kind == .timetable)
                if isProven || fact.lastHeard.map({ $0 >= from }) ?? false { return .success }
            case .scheduled: break
            }
        } else if let applied = fact.applied, applied.state == .refused {
            // A refused change replaces nothing, so a box that had this change still has it.
            if let from = inForce[box],
                settings.success == .applied || fact.lastHeard.map({ $0 >= from }) ?? false
            {
                return .success
            }
        } else if let applied = fact.applied, applied.seq > seq {
            // A later change has replaced this one.
            return .notCounted
        }
        guard now - since >= settings.patienceSeconds else { return .reached }
        return fact.isOnline ? .failure : .notCounted
    }

    static let unheard = "no adhan was heard with it in time"

    package func count(_ verdict: Verdict) -> Int { verdicts.values.count { $0 == verdict } }

    /// Whether the ring can yield no result any more, because each of its boxes has something newer or was away.
    package func isStranded(_ settings: RolloutSettings, at now: Instant) -> Bool {
        state == .running && !given.isEmpty && now - ringSince >= settings.soakSeconds
            && given.keys.allSatisfy { verdicts[$0] == .notCounted }
    }

    private func isTooBad(_ settings: RolloutSettings) -> Bool {
        settings.isTooBad(failures: count(.failure), of: given.count)
    }

    private mutating func isRingOver(
        _ facts: [String: Fact], _ settings: RolloutSettings, _ now: Instant
    ) -> Bool {
        guard now - ringSince >= settings.soakSeconds, !isTooBad(settings) else { return false }
        let members = members(facts, settings)
        // Without known boxes, or without a success, the ring has proved nothing.
        return members.contains { verdicts[$0] == .success }
            && members.allSatisfy { verdicts[$0] != nil && verdicts[$0] != .reached }
    }
}

// MARK: On disk

extension FleetRollout: Codable {
    private struct Document: Codable {
        struct Box: Codable {
            let given: Double
            let verdict: Verdict
            @Nullable var inForce: Double?
            var withdrawn: Bool?
            /// The reason of a failure.
            var reason: String?
        }

        var v = 1
        let digest, kind: String
        let seq: Int
        let state: State
        let ring: Int
        let ringSince, beganAt: Double
        let boxes: [String: Box]
    }

    package init(from decoder: any Decoder) throws {
        let document = try Document(from: decoder)
        guard document.v == 1, let kind = FleetKind(rawValue: document.kind),
            (0...Self.mostRings).contains(document.ring), (1...Int(1 << 53)).contains(document.seq)
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "no roll-out of this version"))
        }
        self.init(
            digest: document.digest, kind: kind, seq: document.seq,
            at: Instant(unixSeconds: document.beganAt))
        (state, ring, ringSince) = (
            document.state, document.ring, Instant(unixSeconds: document.ringSince)
        )
        for (name, box) in document.boxes {
            given[name] = Instant(unixSeconds: box.given)
            verdicts[name] = box.verdict
            inForce[name] = box.inForce.map { Instant(unixSeconds: $0) }
            if box.withdrawn == true { withdrawn.insert(name) }
            reasons[name] = box.reason
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var boxes: [String: Document.Box] = [:]
        for (name, since) in given {
            var box = Document.Box(
                given: since.unixSeconds, verdict: verdicts[name] ?? .reached, inForce: nil)
            box.inForce = inForce[name]?.unixSeconds
            if withdrawn.contains(name) { box.withdrawn = true }
            box.reason = reasons[name]
            boxes[name] = box
        }
        try Document(
            digest: digest, kind: kind.rawValue, seq: seq, state: state, ring: ring,
            ringSince: ringSince.unixSeconds, beganAt: beganAt.unixSeconds, boxes: boxes
        ).encode(to: encoder)
    }
}
