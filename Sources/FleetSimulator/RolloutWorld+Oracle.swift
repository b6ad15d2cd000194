import Envelope
import FleetPlan
import PrayerEngine
import Texts

/// Compares each step of the book with the truth. The figures are literals of the design, and rings are counted independently.
extension RolloutWorld {
    private static let stopPercent = 2
    private static let smallRing = 50
    private static let rings = [1, 10, 50, 100]

    mutating func check(
        _ before: [String: RolloutBook.Entry], _ after: [String: RolloutBook.Entry],
        _ facts: [String: FleetRollout.Fact], _ deliveries: [RolloutBook.Delivery]
    ) {
        for (digest, entry) in after.sorted(by: { $0.key < $1.key }) {
            guard let old = before[digest]?.rollout, !entry.hasExpired(at: Self.wall(now)) else { continue }
            noteFailures(digest, old, facts)
            checkRings(digest, old, entry.rollout, facts)
            checkStop(digest, old, entry.rollout)
        }
        for delivery in deliveries { check(delivery, after) }
    }

    private mutating func noteFailures(
        _ digest: String, _ old: FleetRollout, _ facts: [String: FleetRollout.Fact]
    ) {
        for box in old.given.keys {
            guard let applied = facts[box]?.applied, applied.digest == digest else { continue }
            if applied.state == .reverted || applied.state == .refused {
                changes[digest]?.failedSeen.insert(box)
            }
        }
    }

    private mutating func checkRings(
        _ digest: String, _ old: FleetRollout, _ new: FleetRollout, _ facts: [String: FleetRollout.Fact]
    ) {
        if new.ring < old.ring || new.ring > old.ring + 1 {
            fail("\(digest) went from ring \(old.ring) to ring \(new.ring)")
        }
        if new.ring > old.ring || new.state == .done && old.state != .done {
            if Self.wall(now) - old.ringSince < settings.soakSeconds {
                fail("\(digest) left a ring before its time")
            }
            if changes[digest]?.took.isEmpty != false {
                fail("\(digest) left a ring, and nobody has it")
            }
        }
        let news = new.given.keys.filter { old.given[$0] == nil }
        guard !news.isEmpty else { return }
        guard old.state == .running || old.state == .done else {
            return fail("\(digest) is \(old.state.rawValue), and was given to \(news.count) boxes")
        }
        let percent = new.state == .done ? 100 : Self.rings[min(new.ring, Self.rings.count - 1)]
        let most = (percent * facts.count + 99) / 100
        let order = facts.keys.map { (SHA256.hex(Array("\($0)/\(digest)".utf8)), $0) }.sorted { $0 < $1 }
        let ring = Set(order.prefix(most).map(\.1))
        for box in news.sorted() where !ring.contains(box) {
            fail("\(box) was given \(digest), and is not among the first \(percent) percent")
        }
    }

    /// Checks whether the roll-out stops once too many boxes have failed, as far as the watch can know.
    private mutating func checkStop(_ digest: String, _ old: FleetRollout, _ new: FleetRollout) {
        guard old.state == .running || old.state == .paused, let change = changes[digest] else { return }
        let (failed, given) = (change.failedSeen.count, old.given.count)
        let isTooBad = failed > 0 && (given < Self.smallRing || failed * 100 >= Self.stopPercent * given)
        if isTooBad, new.state != .stopped {
            fail("\(failed) of \(given) boxes failed \(digest), and it is \(new.state.rawValue)")
        }
        if new.state == .stopped, new.count(.failure) == 0 {
            fail("\(digest) has stopped, and no box failed")
        }
    }

    private mutating func check(
        _ delivery: RolloutBook.Delivery, _ entries: [String: RolloutBook.Entry]
    ) {
        let box = delivery.place.box
        if let digest = delivery.digest, let change = changes[digest] {
            if withdrawn.contains(digest) { fail("\(box) is given \(digest), which was withdrawn") }
            if change.label.isOver(at: Self.wall(now)) {
                fail("\(box) is given \(digest), which has expired")
            }
            if change.isRolledOut {
                if entries[digest]?.rollout.given[box] == nil {
                    fail("\(box) is given \(digest), and is not in a ring of it")
                }
                if isEnded(digest, entries), !change.took.contains(box) {
                    fail("\(box) is given \(digest), which has ended")
                }
            }
        }
        guard let found = topics[box], found != delivery.digest, let other = changes[found] else { return }
        let seq = delivery.digest.flatMap { changes[$0]?.label.seq } ?? 0
        let isFree =
            withdrawn.contains(found) || other.label.isOver(at: Self.wall(now)) || isEnded(found, entries)
        if seq < other.label.seq, !isFree {
            fail("\(box) had \(found), and \(delivery.digest ?? "nothing") takes its place")
        }
    }

    /// Whether a roll-out was stopped, or ended by hand.
    private func isEnded(_ digest: String, _ entries: [String: RolloutBook.Entry]) -> Bool {
        let state = entries[digest]?.rollout.state
        return state == .stopped || state == .aborted
    }

    // MARK: The end

    /// Checks after the calm that each box has what it was given, and that no box has what was withdrawn or ended.
    mutating func checkEnd() {
        guard let entries = watch?.book.entries else { return fail("the watch is not there at the end") }
        for (box, digest) in topics.sorted(by: { $0.key < $1.key }) {
            guard let change = changes[digest] else { continue }
            // If the broker does not show the topics, the watch cannot know what they hold.
            if isShown, withdrawn.contains(digest) { fail("\(box) still has \(digest), which was withdrawn") }
            if isEnded(digest, entries), !change.took.contains(box) || change.failedSeen.contains(box) {
                fail("\(box) still has \(digest), which has ended, and does not use it")
            }
        }
        for box in boxes { checkReached(box, entries) }
        checkPublished()
    }

    private mutating func checkReached(_ box: RolloutBox, _ entries: [String: RolloutBook.Entry]) {
        let topmost = topics[box.name].flatMap { changes[$0]?.label.seq } ?? 0
        for (digest, entry) in entries.sorted(by: { $0.key < $1.key }) {
            // An envelope that was given in the last steps may not have arrived.
            guard !isEnded(digest, entries), let given = entry.rollout.given[box.name],
                Self.wall(now) - given > 3 * Self.stepSeconds,
                !(changes[digest]?.label.isOver(at: Self.wall(now)) ?? true),
                changes[digest]?.refusing.contains(box.name) == false,
                // The box has a later change, or refuses one that precedes this one.
                topmost <= entry.rollout.seq, box.takenSeq < entry.rollout.seq
            else { continue }
            fail("\(box.name) was given \(digest), and does not have it")
        }
    }

    private mutating func checkPublished() {
        for digest in published.sorted() {
            guard isShown, let label = changes[digest]?.label, !label.isOver(at: Self.wall(now)) else {
                continue
            }
            for place in label.places {
                // A box with a higher number is given no lower one: if the broker lost both, neither is restored.
                if let number = index[place.box], boxes[number].takenSeq >= label.seq { continue }
                let found = topics[place.box].flatMap { changes[$0]?.label.seq } ?? 0
                if found < label.seq { fail("\(digest) was published, and does not stand at \(place.box)") }
            }
        }
    }
}
