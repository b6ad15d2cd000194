import PrayerEngine

@testable import Envelope
@testable import FleetPlan

extension RolloutBookTests {
    static let start = Instant(unixSeconds: 1_800_000_000)

    /// A broker with one topic for each box, boxes that obey the newest they see, and a book.
    struct World {
        var book = RolloutBook()
        var settings = RolloutSettings()
        var now = RolloutBookTests.start
        var facts: [String: FleetRollout.Fact] = [:]
        var topics: [String: String] = [:]
        /// Digests that every box leaves again.
        var bad: Set<String> = []
        var away: Set<String> = []
        var revoked: Set<String> = []
        var isBrokerUp = true
        /// Whether the book is shown what the broker has.
        var isShown = false
        private var labels: [String: EnvelopeLabel] = [:]
        private var undone: [ChangePlace: [String: Int]] = [:]

        init(_ count: Int) {
            (settings.success, settings.soakSeconds) = (.applied, 0)
            for number in 0..<count { facts["box-\(number)"] = .init(isOnline: true) }
        }

        private mutating func makeLabel(
            _ digest: String, seq: Int, for boxes: [String]?, expires: Double
        ) -> EnvelopeLabel {
            let label = EnvelopeLabel(
                digest: digest, kind: .configuration, seq: seq, selector: boxes.map { .boxes($0) } ?? .all,
                expires: now + expires)
            labels[digest] = label
            return label
        }

        /// As the command does.
        mutating func publish(
            _ digest: String, seq: Int, for boxes: [String]? = nil, expires: Double = 1e9
        ) {
            let label = stand(digest, seq: seq, for: boxes, expires: expires, isOther: false)
            book.publish(label)
        }

        /// Somebody else puts it onto the topics.
        @discardableResult
        mutating func stand(
            _ digest: String, seq: Int, for boxes: [String]? = nil, expires: Double = 1e9,
            isOther: Bool = true
        ) -> EnvelopeLabel {
            let label = makeLabel(digest, seq: seq, for: boxes, expires: expires)
            for place in label.places {
                if let before = topics[place.box], before != digest, let old = labels[before],
                    seq <= old.seq || isOther
                {
                    undone[place, default: [:]][before, default: 0] += 1
                }
                topics[place.box] = digest
            }
            return label
        }

        /// Somebody else takes it away.
        mutating func clear(_ box: String) {
            let place = ChangePlace(box: box, kind: .configuration)
            if let before = topics[box] { undone[place, default: [:]][before, default: 0] += 1 }
            topics[box] = nil
        }

        /// The broker shows everything again.
        mutating func connect() {
            book.connected()
            undone = [:]
        }

        mutating func begin(_ digest: String, seq: Int, expires: Double = 1e9) {
            _ = makeLabel(digest, seq: seq, for: nil, expires: expires)
            book.put(
                .init(
                    FleetRollout(digest: digest, kind: .configuration, seq: seq, at: now), for: .all,
                    expires: now + expires))
        }

        mutating func change(_ digest: String, _ change: (inout FleetRollout) -> Void) {
            guard var entry = book.entries[digest] else { return }
            change(&entry.rollout)
            book.put(entry)
        }

        mutating func update() -> [RolloutBook.Delivery] {
            var kept: [ChangePlace: EnvelopeLabel] = [:]
            for (box, digest) in topics { kept[ChangePlace(box: box, kind: .configuration)] = labels[digest] }
            let (facts, revoked) = (self.facts, self.revoked)
            return book.update(
                settings, at: now, kept: isShown ? kept : nil, undone: undone,
                isRevoked: { revoked.contains($0) },
                facts: { _, _ in facts })
        }

        mutating func turn() {
            for delivery in update() {
                guard isBrokerUp else {
                    book.failed(delivery)
                    continue
                }
                topics[delivery.place.box] = delivery.digest
                book.delivered(delivery)
            }
            for (box, digest) in topics where !away.contains(box) { obey(box, digest) }
            now = now + 60
        }

        private mutating func obey(_ box: String, _ digest: String) {
            let seq = labels[digest]?.seq ?? 0
            guard facts[box]?.applied.map({ $0.seq < seq }) ?? true else { return }
            facts[box]?.applied = .init(
                kind: .configuration, seq: seq, digest: digest,
                state: bad.contains(digest) ? .reverted : .confirmed)
        }

        func state(_ digest: String) -> FleetRollout.State? { book.entries[digest]?.rollout.state }
    }
}
