package import Envelope
package import PrayerEngine

/// Everything that a fleet sends to its boxes: roll-outs and published envelopes. It is a value: facts go in, writes to topics
/// come out.
package struct RolloutBook: Sendable {
    /// A roll-out with its envelope's description of itself.
    package struct Entry: Sendable, Equatable {
        package var rollout: FleetRollout
        package let selector: FleetSelector
        package let expires: Instant

        package init(_ rollout: FleetRollout, for selector: FleetSelector, expires: Instant) {
            (self.rollout, self.selector, self.expires) = (rollout, selector, expires)
        }

        var label: EnvelopeLabel {
            EnvelopeLabel(
                digest: rollout.digest, kind: rollout.kind, seq: rollout.seq, selector: selector,
                expires: expires)
        }

        /// Whether it is unfinished and boxes no longer accept its envelope. It continues if the clock was wrong and is
        /// corrected.
        package func hasExpired(at now: Instant) -> Bool { !rollout.state.isOver && expires <= now }

        /// Whether a person must look at it.
        package func isTrouble(_ settings: RolloutSettings, at now: Instant) -> Bool {
            rollout.state == .stopped || hasExpired(at: now) || rollout.isStranded(settings, at: now)
        }
    }

    /// A topic to write.
    package struct Delivery: Hashable, Sendable {
        package let place: ChangePlace
        /// The digest of the envelope; `nil` to clear the topic.
        package let digest: String?
        /// Whether another client has removed or replaced the envelope.
        var isRepair = false
    }

    /// The envelope that belongs on a topic.
    private struct Standing {
        let digest: String
        let seq: Int
        let isPublished: Bool

        /// The envelope with the higher number belongs on the topic.
        init?(_ rollout: FleetRollout?, _ published: EnvelopeLabel?) {
            if let published, published.seq >= rollout?.seq ?? 0 {
                (digest, seq, isPublished) = (published.digest, published.seq, true)
            } else if let rollout {
                (digest, seq, isPublished) = (rollout.digest, rollout.seq, false)
            } else {
                return nil
            }
        }
    }

    /// The roll-outs by their digests.
    package private(set) var entries: [String: Entry] = [:]
    /// The published envelopes by their digests.
    package private(set) var published: [String: EnvelopeLabel] = [:]
    /// The digests of withdrawn envelopes, which are to be removed from all topics.
    package private(set) var withdrawn: Set<String> = []
    /// Published envelopes that were signed by a key unknown to the watch, by their digests. They are not sent to a broker.
    package var formerPublished: [String: EnvelopeLabel] = [:]
    /// Envelopes of finished roll-outs that were signed by such a key.
    package var formerRolledOut: [String: EnvelopeLabel] = [:]
    /// The highest numbers of withdrawn envelopes, which are not assigned again.
    package var withdrawnNumbers: [FleetKind: Int] = [:]
    /// The conflicts of the last assessment, one of each kind.
    package private(set) var conflicts: [FleetKind: Conflict] = [:]
    /// The last write of this connection to each topic, which may still be in progress.
    private var written: [ChangePlace: String?] = [:]
    /// The number of times that the envelope had been displaced on a topic when it was written.
    private var undoneBefore: [ChangePlace: Int] = [:]
    private var repairs = TopicRepairs()
    /// The conflicts that the last assessment repairs for the first time, one of each kind.
    package private(set) var repaired: [FleetKind: Conflict] = [:]

    package init() {}

    // MARK: The folder

    /// Adds a roll-out from the folder, which a person has begun, paused or ended.
    package mutating func put(_ entry: Entry) { entries[entry.rollout.digest] = entry }

    package mutating func remove(_ digest: String) { entries[digest] = nil }

    package mutating func publish(_ label: EnvelopeLabel) { published[label.digest] = label }

    /// Removes an envelope whose file is gone. Its topics stay unchanged.
    package mutating func removePublished(_ digest: String) { published[digest] = nil }

    /// Marks envelopes that are withdrawn in the folder. Each is removed from its topics.
    package mutating func withdraw(_ digests: Set<String>) {
        withdrawn = digests
        for digest in digests { (published[digest], formerPublished[digest]) = (nil, nil) }
    }

    /// Whether an unknown envelope at the broker belongs among the published ones.
    package func isNews(_ label: EnvelopeLabel, at now: Instant) -> Bool {
        guard !label.isOver(at: now), entries[label.digest] == nil, published[label.digest] == nil,
            !withdrawn.contains(label.digest)
        else { return false }
        let places = Set(label.places)
        return !published.values.contains {
            $0.kind == label.kind && $0.seq >= label.seq && !places.isDisjoint(with: $0.places)
        }
    }

    // MARK: The broker

    /// Handles a broker's connection. The broker may have lost its messages, so boxes that have not applied their changes
    /// receive them again.
    package mutating func connected() { (written, undoneBefore) = ([:], [:]) }

    /// Notes that the broker refused a write.
    package mutating func failed(_ delivery: Delivery) { written[delivery.place] = nil }

    /// Notes that the broker has confirmed a write.
    package mutating func delivered(_ delivery: Delivery) {
        // The previous envelope on that topic is gone.
        for digest in entries.keys where entries[digest]?.rollout.kind == delivery.place.kind {
            entries[digest]?.rollout.noteWithdrawal(from: delivery.place.box)
        }
    }

    // MARK: Progress

    /// - Parameters:
    ///   - kept: the envelopes at the broker; `nil` if they are unknown.
    ///   - undone: how many times an envelope was displaced on a topic, from ``KeptChanges/undone``.
    ///   - isRevoked: whether a box was removed from the fleet, so that its topics stay empty.
    ///   - facts: facts about every box that receives a change of this kind for these boxes.
    /// - Returns: the topics to write now.
    package mutating func update(
        _ settings: RolloutSettings, at now: Instant, kept: [ChangePlace: EnvelopeLabel]?,
        undone: [ChangePlace: [String: Int]], isRevoked: (String) -> Bool,
        facts: (FleetKind, FleetSelector) -> [String: FleetRollout.Fact]
    ) -> [Delivery] {
        (conflicts, repaired) = ([:], [:])
        repairs.forgetQuiet(now) { [published, entries] in
            published[$0] != nil || entries[$0] != nil
        }
        var deliveries: [Delivery] = []
        let rolled = Dictionary(grouping: entries.keys, by: { entries[$0]!.rollout.kind })
        let own = highest(of: published.values, at: now)
        let former = highest(of: formerPublished.values, at: now)
        for kind in FleetKind.allCases {
            var known: [String: FleetRollout.Fact] = [:]
            for digest in rolled[kind] ?? [] {
                guard let entry = entries[digest] else { continue }
                // Boxes that were away may still need a finished roll-out.
                let found = facts(kind, entry.selector)
                known.merge(found) { old, _ in old }
                guard !entry.hasExpired(at: now), !withdrawn.contains(digest) else { continue }
                entries[digest]?.rollout.update(found, settings, at: now)
            }
            deliveries += self.deliveries(kind, own[kind] ?? [:], known, kept, undone, now)
        }
        // Boxes may accept an envelope that is signed by a key added to fleet.toml since the watch began, so it is not
        // replaced.
        deliveries.removeAll { delivery in
            guard let digest = delivery.digest,
                let seq = published[digest]?.seq ?? entries[digest]?.rollout.seq,
                let higher = former[delivery.place.kind]?[delivery.place.box]
            else { return false }
            return higher.seq > seq
        }
        deliveries.removeAll { $0.digest != nil && isRevoked($0.place.box) }
        deliveries.sort { ($0.place.kind.rawValue, $0.place.box) < ($1.place.kind.rawValue, $1.place.box) }
        for delivery in deliveries {
            written[delivery.place] = .some(delivery.digest)
            undoneBefore[delivery.place] = delivery.digest.flatMap { undone[delivery.place]?[$0] }
            noteRepair(delivery, now)
        }
        for (place, seq) in repairs.contested {
            Conflict(kind: place.kind, seq: seq, found: nil, place: place).note(in: &conflicts)
        }
        return deliveries
    }

    /// The highest number on each topic that boxes still accept, by kind and box.
    private func highest(
        of labels: some Sequence<EnvelopeLabel>, at now: Instant
    ) -> [FleetKind: [String: EnvelopeLabel]] {
        var found: [FleetKind: [String: EnvelopeLabel]] = [:]
        for label in labels where !label.isOver(at: now) {
            for place in label.places {
                if let other = found[label.kind]?[place.box], other.seq >= label.seq { continue }
                found[label.kind, default: [:]][place.box] = label
            }
        }
        return found
    }

    /// The writes that are needed. A topic holds the newest change that its box was given and that was neither stopped nor
    /// withdrawn, or a published one with a higher number.
    private mutating func deliveries(
        _ kind: FleetKind, _ published: [String: EnvelopeLabel], _ facts: [String: FleetRollout.Fact],
        _ kept: [ChangePlace: EnvelopeLabel]?, _ undone: [ChangePlace: [String: Int]], _ now: Instant
    ) -> [Delivery] {
        let newest = entries.values.filter { $0.rollout.kind == kind }
            .sorted { $0.rollout.seq > $1.rollout.seq }
        var deliveries: [Delivery] = []
        let boxes = Set(newest.flatMap { $0.rollout.given.keys }).union(published.keys)
        for box in boxes.union(boxesWithWithdrawn(kind, kept)) {
            let place = ChangePlace(box: box, kind: kind)
            let rollout = newest.first {
                $0.rollout.stands(at: box) && now < $0.expires && !withdrawn.contains($0.rollout.digest)
            }?.rollout
            let standing = Standing(rollout, published[box])
            let found = kept?[place]
            // Another envelope has replaced ours since. It may be gone as well, if it was published and withdrawn between two
            // assessments.
            let times = standing.flatMap { undone[place]?[$0.digest] } ?? 0
            let isOverwritten =
                kept != nil && found?.digest != standing?.digest && times > undoneBefore[place] ?? 0
            let isWithdrawn =
                found.map { withdrawn.contains($0.digest) && $0.digest != standing?.digest } ?? false
            let isToBeCleared = isWithdrawn || newest.contains { $0.rollout.needsWithdrawal(from: box) }
            guard isToBeCleared || isOwed(standing, facts[box], isBrokerKnown: kept != nil) else { continue }
            let isDue =
                isOverwritten
                ? repairs.mayRepair(standing?.digest, at: place, now)
                : written[place] != .some(standing?.digest)
            guard isWithdrawn || isDue, mayWrite(standing, at: place, found) else { continue }
            deliveries.append(Delivery(place: place, digest: standing?.digest, isRepair: isOverwritten))
        }
        return deliveries
    }

    /// The boxes whose topics hold a withdrawn envelope.
    private func boxesWithWithdrawn(_ kind: FleetKind, _ kept: [ChangePlace: EnvelopeLabel]?) -> [String] {
        guard !withdrawn.isEmpty, let kept else { return [] }
        return kept.filter { $0.key.kind == kind && withdrawn.contains($0.value.digest) }.map(\.key.box)
    }

    /// Whether boxes still need an envelope on its topic. A published one is for all boxes to come, if the broker can be asked
    /// whether it holds it. A rolled-out one is for boxes that have reported neither it nor a later one.
    private func isOwed(
        _ standing: Standing?, _ fact: FleetRollout.Fact?, isBrokerKnown: Bool
    ) -> Bool {
        guard let standing else { return false }
        guard !standing.isPublished else { return isBrokerKnown }
        guard let applied = fact?.applied else { return true }
        // A refused change does not count as a later one, and an altered copy is not this envelope.
        if applied.state == .refused, applied.digest != standing.digest || applied.isOfAlteredCopy {
            return true
        }
        return applied.digest != standing.digest && applied.seq <= standing.seq
    }

    /// Whether the envelope on a topic may be replaced.
    private mutating func mayWrite(
        _ standing: Standing?, at place: ChangePlace, _ found: EnvelopeLabel?
    ) -> Bool {
        guard let found else { return true }
        // The write of this connection may not have been delivered back yet.
        if found.digest == standing?.digest { return written[place] != nil }
        // An envelope of a roll-out that no longer belongs there or has a lower number, or a withdrawn one, may be replaced.
        if entries[found.digest] != nil || withdrawn.contains(found.digest) { return true }
        guard let standing else { return false }
        guard found.seq >= standing.seq else { return true }
        if published[found.digest] == nil {
            Conflict(kind: place.kind, seq: standing.seq, found: found.seq, place: place)
                .note(in: &conflicts)
        }
        return false
    }
    private mutating func noteRepair(_ delivery: Delivery, _ now: Instant) {
        guard delivery.isRepair, let digest = delivery.digest,
            let seq = published[digest]?.seq ?? entries[digest]?.rollout.seq
        else { return }
        let place = delivery.place
        if repairs.note(digest, seq, at: place, now) {
            Conflict(kind: place.kind, seq: seq, found: nil, place: place).note(in: &repaired)
        }
    }
}
