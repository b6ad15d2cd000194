package import Envelope
package import PrayerEngine
import Texts

/// A change that spreads over the boxes ring by ring, and stops by itself where too many fail. A value: facts go in, the topics to be
/// written come out.
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
    /// A ring in which one failure is enough.
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
    /// The boxes that were given it, with the instant.
    package private(set) var given: [String: Instant] = [:]
    package private(set) var verdicts: [String: Verdict] = [:]
    /// Reasons of failed boxes, from the box or the watch.
    package private(set) var reasons: [String: String] = [:]
    /// The instant at which it was first seen to be in force on a box.
    private var inForce: [String: Instant] = [:]
    /// Boxes from whose topics it was withdrawn.
    private var withdrawn: Set<String> = []
    private var ranks = RolloutRanks()

    package init(digest: String, kind: FleetKind, seq: Int, at now: Instant) {
        (self.digest, self.kind, self.seq, ringSince, beganAt) = (digest, kind, seq, now, now)
    }

    // MARK: Rings

    /// Boxes in the order of this roll-out: a box that is early in one is not early in the next.
    package static func order(_ boxes: some Sequence<String>, rollout: String) -> [String] {
        var ranks = RolloutRanks()
        return ranks.order(boxes, rollout: rollout)
    }

    /// The boxes of the first rings up to `percent`: never none, where there are any.
    package static func size(percent: Int, of count: Int) -> Int { (percent * count + 99) / 100 }

    // MARK: People

    package mutating func pause() { if state == .running { state = .paused } }

    package mutating func resume() { if state == .paused { state = .running } }

    /// Ends it, or settles that it has stopped itself.
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

    /// - Parameter facts: every box that the change is for.
    package mutating func look(_ facts: [String: Fact], _ settings: RolloutSettings, at now: Instant) {
        noteFates(facts, now)
        // A box that joins after the last ring receives it, too.
        if state == .done { return give(to: facts.keys, facts, settings, now) }
        guard !state.isOver else { return }
        forgetFuture(now)
        assess(facts, settings, now)
        if isTooBad(settings) {
            state = .stopped
            return
        }
        guard state == .running, !settings.rings.isEmpty else { return }
        give(to: members(facts, settings), facts, settings, now)
        while isRingOver(facts, settings, now) {
            guard ring + 1 < settings.rings.count else {
                state = .done
                break
            }
            (ring, ringSince) = (ring + 1, now)
            give(to: members(facts, settings), facts, settings, now)
        }
    }

    /// Times that a clock noted that was ahead begin again by the right one.
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

    private mutating func give(
        to boxes: some Sequence<String>, _ facts: [String: Fact], _ settings: RolloutSettings, _ now: Instant
    ) {
        for box in boxes where given[box] == nil { (given[box], verdicts[box]) = (now, .reached) }
        assess(facts, settings, now)
    }

    /// A box that leaves the change has it no longer, and has failed, however well it was before and whatever has become of the roll-out.
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

    /// The word of a box about this very envelope.
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
                // A timetable or a configuration that is confirmed was heard with; of the others the box does not say so.
                let isProven = applied.state == .confirmed && (kind == .configuration || kind == .timetable)
                if isProven || fact.lastHeard.map({ $0 >= from }) ?? false { return .success }
            case .scheduled: break
            }
        } else if let applied = fact.applied, applied.state == .refused {
            // A refused change takes the place of nothing: the box still has this one, where it had it.
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

    /// Whether nothing can be learnt from its ring any more: each of its boxes has something newer, or was away.
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
        // If no box is known, or none had it and was well, nothing was learnt.
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
