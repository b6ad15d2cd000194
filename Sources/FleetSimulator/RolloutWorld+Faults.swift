import Envelope
import FleetPlan
import PrayerEngine
import Texts

/// Faults, and people who type commands of the fleet.
extension RolloutWorld {
    mutating func breakSomething() {
        if isBrokerUp, happens(0.5) {
            (isBrokerUp, brokerUpAt) = (false, now + Self.stepSeconds * some(1..<7).rounded(.down))
            watch?.isConnected = false
            report.lostBrokers += 1
            // In some of these cases the broker loses its store as well.
            if chance(0.4) { (topics, retained) = ([:], [:]) }
        }
        if watch != nil, happens(0.5) { stopWatch() }
        if happens(Double(boxes.count) * 0.1) {
            let number = Int.random(in: 0..<boxes.count, using: &random)
            boxes[number].awayUntil = now + some(1200..<100_000)
        }
    }

    mutating func act() {
        if watch != nil, happens(3), !isOnItsWay { begin() }
        if isShown, isBrokerUp, happens(0.7) { publish() }
        if isShown, happens(0.4), let digest = published.sorted().randomElement(using: &random) {
            // The command only renames the file, and the watch clears the topics.
            published.remove(digest)
            withdrawn.insert(digest)
            watch?.book.withdraw(withdrawn)
            report.withdrawn += 1
        }
        if watch != nil, happens(0.5) { change { $0.pause() } }
        if watch != nil, happens(4) { change { $0.resume() } }
        if watch != nil, happens(0.2) { change { $0.abort() } }
        // A person settles a roll-out that has stopped itself.
        if watch != nil, happens(4), saved.values.contains(where: { $0.state == .stopped }), chance(0.5) {
            change { if $0.state == .stopped { $0.abort() } }
        }
    }

    /// Whether a roll-out is in progress, so that no other may begin. One with an expired envelope makes no progress and does not
    /// count.
    private var isOnItsWay: Bool {
        saved.contains { digest, rollout in
            !rollout.state.isOver && changes[digest]?.label.isOver(at: Self.wall(now)) == false
        }
    }

    private mutating func makeChange(_ selector: FleetSelector, isRolledOut: Bool) -> EnvelopeLabel {
        lastSeq += Int.random(in: 1...3, using: &random)
        let label = EnvelopeLabel(
            digest: "change-\(lastSeq)", kind: Self.kind, seq: lastSeq, selector: selector,
            expires: Self.wall(now + (chance(0.2) ? some(7200..<86_400) : some(86_400..<2_592_000))))
        let share = chance(0.5) ? 0 : chance(0.3) ? 1 : some(0..<0.08)
        var (bad, late, refusing): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for box in boxes {
            guard share > 0, chance(share) else { continue }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: late.insert(box.name)
            case 1: refusing.insert(box.name)
            default: bad.insert(box.name)
            }
        }
        changes[label.digest] = Change(
            label: label, isRolledOut: isRolledOut, bad: bad, late: late, refusing: refusing)
        watch?.kept.known.insert(label.digest)
        return label
    }

    private mutating func begin() {
        let label = makeChange(.all, isRolledOut: true)
        let rollout = FleetRollout(
            digest: label.digest, kind: Self.kind, seq: label.seq, at: Self.wall(now))
        put(rollout)
        report.rollouts += 1
    }

    /// Writes the roll-out as a command does. The watch reads the file at its next turn.
    private mutating func put(_ rollout: FleetRollout) {
        guard let label = changes[rollout.digest]?.label else { return }
        saved[rollout.digest] = rollout
        savedFiles[rollout.digest] = try? JSON.encode(rollout)
        watch?.book.put(.init(rollout, for: label.selector, expires: label.expires))
    }

    private mutating func change(_ verb: (inout FleetRollout) -> Void) {
        guard let digest = saved.keys.sorted().randomElement(using: &random), var rollout = saved[digest]
        else { return }
        verb(&rollout)
        if rollout != saved[digest] { put(rollout) }
    }

    private mutating func publish() {
        let names = boxes.map(\.name).filter { _ in Double.random(in: 0..<1, using: &random) < 0.2 }
        let label = makeChange(
            chance(0.5) || names.isEmpty ? .all : .boxes(names), isRolledOut: false)
        published.insert(label.digest)
        watch?.book.publish(label)
        for place in label.places { write(place.box, label.digest) }
        report.published += 1
    }
}
