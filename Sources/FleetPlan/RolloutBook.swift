package import Envelope
package import PrayerEngine

/// All roll-outs of a fleet together: what each box is to be given now. A value: facts go in, publications come out.
package struct RolloutBook: Sendable {
    /// A change on its way, with the words of its envelope about itself.
    package struct Entry: Sendable, Equatable {
        package var rollout: FleetRollout
        package let selector: FleetSelector
        package let expires: Instant

        package init(_ rollout: FleetRollout, for selector: FleetSelector, expires: Instant) {
            (self.rollout, self.selector, self.expires) = (rollout, selector, expires)
        }

        /// It is not through, and boxes take its envelope no longer. By a clock that is right again it goes on.
        package func hasExpired(at now: Instant) -> Bool { !rollout.state.isOver && expires <= now }

        /// Whether people have to look at it.
        package func isTrouble(_ settings: RolloutSettings, at now: Instant) -> Bool {
            rollout.state == .stopped || hasExpired(at: now) || rollout.isStranded(settings, at: now)
        }
    }

    /// A topic of one box that is to be written.
    package struct Delivery: Hashable, Sendable {
        package let box: String
        package let kind: FleetKind
        /// Of the envelope; `nil`: what stands there is taken away.
        package let digest: String?
    }

    fileprivate struct Place: Hashable {
        let box: String
        let kind: FleetKind
    }

    /// By their digests.
    package private(set) var entries: [String: Entry] = [:]
    /// The newest that this connection has written to each topic; on its way, or there.
    private var written: [Place: String?] = [:]

    package init() {}

    // MARK: The folder

    /// The folder has it so: a roll-out that a person paused, ended or began.
    package mutating func put(_ entry: Entry) { entries[entry.rollout.digest] = entry }

    package mutating func remove(_ digest: String) { entries[digest] = nil }

    // MARK: The broker

    /// A broker that was restarted may have lost what it kept: whoever has not applied his change is given it again.
    package mutating func connected() { written = [:] }

    /// The broker did not take it.
    package mutating func failed(_ delivery: Delivery) { written[delivery.place] = nil }

    /// The broker has it.
    package mutating func delivered(_ delivery: Delivery) {
        // Whatever stood there before has gone.
        for digest in entries.keys where entries[digest]?.rollout.kind == delivery.kind {
            entries[digest]?.rollout.noteWithdrawal(from: delivery.box)
        }
    }

    // MARK: Progress

    /// - Parameters:
    ///   - facts: of every box that a change of this kind for these boxes is for.
    /// - Returns: what is to be written now.
    package mutating func look(
        _ settings: RolloutSettings, at now: Instant,
        facts: (FleetKind, FleetSelector) -> [String: FleetRollout.Fact]
    ) -> [Delivery] {
        var deliveries: [Delivery] = []
        for (kind, digests) in Dictionary(grouping: entries.keys, by: { entries[$0]!.rollout.kind }) {
            var known: [String: FleetRollout.Fact] = [:]
            for digest in digests {
                guard let entry = entries[digest] else { continue }
                // One that is over still has boxes that were away.
                let found = facts(kind, entry.selector)
                known.merge(found) { old, _ in old }
                guard !entry.hasExpired(at: now) else { continue }
                entries[digest]?.rollout.look(found, settings, at: now)
            }
            deliveries += self.deliveries(kind, known, now)
        }
        deliveries.sort { ($0.kind.rawValue, $0.box) < ($1.kind.rawValue, $1.box) }
        for delivery in deliveries { written[delivery.place] = .some(delivery.digest) }
        return deliveries
    }

    /// The newest change that a box was given, and that was not stopped, is what stands on its topic.
    private func deliveries(
        _ kind: FleetKind, _ facts: [String: FleetRollout.Fact], _ now: Instant
    ) -> [Delivery] {
        let newest = entries.values.filter { $0.rollout.kind == kind }
            .sorted { $0.rollout.seq > $1.rollout.seq }
        var deliveries: [Delivery] = []
        for box in Set(newest.flatMap { $0.rollout.given.keys }) {
            let rollout = newest.first { $0.rollout.stands(at: box) && now < $0.expires }?.rollout
            let standing = rollout?.digest
            let delivery = Delivery(box: box, kind: kind, digest: standing)
            // A box that has answered it, or a later one, needs no other copy, unless something else may stand there.
            let isAnswered =
                rollout.map { rollout in
                    facts[box]?.applied.map {
                        $0.digest == rollout.digest || $0.seq > rollout.seq
                    } ?? false
                } ?? true
            let isSettled = isAnswered && !newest.contains { $0.rollout.needsWithdrawal(from: box) }
            guard !isSettled, written[delivery.place] != .some(standing) else { continue }
            deliveries.append(delivery)
        }
        return deliveries
    }
}

extension RolloutBook.Delivery {
    fileprivate var place: RolloutBook.Place { .init(box: box, kind: kind) }
}

extension FleetWatch {
    /// The boxes that a change is for. One that is named and was never seen is away.
    package func facts(_ kind: FleetKind, _ selector: FleetSelector) -> [String: FleetRollout.Fact] {
        var facts: [String: FleetRollout.Fact] = [:]
        if case .boxes(let names) = selector {
            for name in names { facts[name] = .init(isOnline: false) }
        }
        for box in boxes.values where selector.includes(box: box.name, groups: box.status?.groups ?? []) {
            facts[box.name] = .init(
                applied: box.applied[kind], isOnline: box.isOnline, lastHeard: box.lastHeard)
        }
        return facts
    }
}
