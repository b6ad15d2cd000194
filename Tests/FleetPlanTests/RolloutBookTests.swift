import PrayerEngine
import SeededRandom
import Testing

@testable import Envelope
@testable import FleetPlan

struct RolloutBookTests {
    private static let start = Instant(unixSeconds: 1_800_000_000)

    /// A broker with one topic for each box, boxes that obey the newest they see, and a book.
    private struct World {
        var book = RolloutBook()
        var settings = RolloutSettings()
        var now = start
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

        mutating func look() -> [RolloutBook.Delivery] {
            var kept: [ChangePlace: EnvelopeLabel] = [:]
            for (box, digest) in topics { kept[ChangePlace(box: box, kind: .configuration)] = labels[digest] }
            let (facts, revoked) = (self.facts, self.revoked)
            return book.look(
                settings, at: now, kept: isShown ? kept : nil, undone: undone,
                isRevoked: { revoked.contains($0) },
                facts: { _, _ in facts })
        }

        mutating func turn() {
            for delivery in look() {
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

    @Test
    func `a change that stopped itself leaves each topic as it was`() {
        var world = World(200)
        world.begin("one", seq: 1)
        for _ in 0..<10 { world.turn() }
        #expect(world.state("one") == .done && world.topics.values.allSatisfy { $0 == "one" })
        world.begin("two", seq: 2)
        world.bad = ["two"]
        world.away = Set(FleetRollout.order(world.facts.keys, rollout: "two")[1...1])
        for _ in 0..<3 { world.turn() }
        #expect(world.state("two") == .stopped)
        #expect(world.topics.count == 200 && world.topics.values.allSatisfy { $0 == "one" })
        // Nothing that was put right is written again.
        #expect(world.look().isEmpty)
        world.book.connected()
        #expect(world.look().isEmpty)
    }

    @Test
    func `where nothing stood before, nothing stands after it was ended`() {
        var world = World(50)
        world.settings.rings = [10, 100]
        world.away = Set(world.facts.keys)
        world.begin("one", seq: 1)
        world.turn()
        #expect(world.topics.count == 5)
        world.change("one") { $0.abort() }
        world.isBrokerUp = false
        world.turn()
        #expect(world.topics.count == 5)
        world.isBrokerUp = true
        world.turn()
        #expect(world.topics.isEmpty)
        // Somebody publishes for one box by hand: a new connection does not take that away.
        world.book.connected()
        #expect(world.look().isEmpty)
    }

    @Test
    func `a broker that forgot is given what boxes have not answered, and nothing that is over its time`() {
        var world = World(10)
        world.settings.rings = [100]
        world.away = ["box-3", "box-4"]
        world.begin("one", seq: 1, expires: 3600)
        world.turn()
        world.turn()
        world.topics = [:]
        world.book.connected()
        world.turn()
        #expect(Set(world.topics.keys) == ["box-3", "box-4"])
        world.now = world.now + 3600
        world.topics = [:]
        world.book.connected()
        world.turn()
        #expect(world.topics.isEmpty)
    }

    /// Whatever happens, a box that is there ends with the newest change that was not stopped.
    @Test
    func
        `a box that leaves the change after it was well has failed, and finds on its topic what was there before`()
    {
        for success in RolloutSettings.Success.allCases {
            var world = World(40)
            world.settings.rings = [10, 100]
            (world.settings.success, world.settings.soakSeconds) = (success, 3600)
            world.begin("one", seq: 1)
            world.turn()
            world.turn()
            let first = Array(world.topics.keys)
            #expect(first.count == 4 && world.book.entries["one"]?.rollout.count(.success) == 4)
            for box in first {
                world.facts[box]?.applied = .init(
                    kind: .configuration, seq: 1, digest: "one", state: .reverted)
            }
            world.now = world.now + 7200
            world.turn()
            #expect(world.state("one") == .stopped && world.topics.isEmpty)
        }
    }

    @Test
    func `where nobody is known, or nobody was well, no ring is over`() {
        var world = World(0)
        world.begin("one", seq: 1)
        for _ in 0..<5 { world.turn() }
        #expect(world.state("one") == .running)
        world = World(8)
        world.settings.rings = [25, 100]
        for box in world.facts.keys {
            world.facts[box]?.applied = .init(
                kind: .configuration, seq: 9, digest: "other", state: .confirmed)
        }
        world.begin("one", seq: 1)
        for _ in 0..<5 { world.turn() }
        #expect(world.state("one") == .running && world.book.entries["one"]?.rollout.given.count == 2)
    }

    @Test
    func
        `a box that comes later is given what is done, and a change whose time is over before that stands still`()
        throws
    {
        var world = World(4)
        world.begin("one", seq: 1, expires: 86_400)
        for _ in 0..<8 { world.turn() }
        #expect(world.state("one") == .done)
        world.facts["late"] = .init(isOnline: true)
        world.turn()
        #expect(world.topics["late"] == "one")
        var slow = World(40)
        (slow.settings.rings, slow.settings.soakSeconds) = ([10, 100], 7200)
        slow.begin("one", seq: 1, expires: 3600)
        for _ in 0..<70 { slow.turn() }
        let end = try #require(slow.book.entries["one"])
        #expect(slow.state("one") == .running && end.isTrouble(slow.settings, at: slow.now))
        // It was the clock.
        #expect(!end.isTrouble(slow.settings, at: Self.start))
        #expect(slow.book.entries["one"]?.rollout.given.count == 4)
    }

    @Test
    func `many changes, one after another, with an unsteady broker`() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<20 {
            var world = World(Int.random(in: 1...60, using: &random))
            var best = ""
            for number in 1...8 {
                let digest = "d\(number)"
                let isBad = Bool.random(using: &random)
                if isBad { world.bad.insert(digest) }
                world.begin(digest, seq: number)
                for _ in 0..<60 where world.state(digest)?.isOver == false {
                    world.isBrokerUp = Int.random(in: 0..<4, using: &random) > 0
                    if Int.random(in: 0..<5, using: &random) == 0 { world.book.connected() }
                    world.turn()
                }
                world.isBrokerUp = true
                for _ in 0..<3 { world.turn() }
                #expect(world.state(digest) == (isBad ? .stopped : .done))
                if !isBad { best = digest }
                #expect(world.topics.values.allSatisfy { $0 == best } || best.isEmpty && world.topics.isEmpty)
            }
        }
    }

    // MARK: Beside what was published

    @Test
    func `a roll-out that ends puts back what was published before it`() {
        for isShown in [true, false] {
            var world = World(4)
            world.isShown = isShown
            world.settings.rings = [100]
            world.away = Set(world.facts.keys)
            world.publish("one", seq: 1, for: ["box-0", "box-1"])
            world.begin("two", seq: 2)
            world.turn()
            #expect(world.topics.count == 4 && world.topics.values.allSatisfy { $0 == "two" })
            world.change("two") { $0.abort() }
            world.turn()
            #expect(world.topics == ["box-0": "one", "box-1": "one"])
            // Also after the next start, and on another broker.
            world.book.connected()
            world.turn()
            #expect(world.topics == ["box-0": "one", "box-1": "one"])
        }
    }

    @Test
    func `a broker that lacks what was published is given it again, and one that was not asked is not`() {
        var world = World(3)
        world.publish("old", seq: 1)
        world.publish("all", seq: 2)
        world.publish("one", seq: 3, for: ["box-1", "box-2"])
        world.publish("short", seq: 4, for: ["box-0"], expires: 60)
        world.now = world.now + 60
        world.topics = [:]
        world.book.connected()
        world.turn()
        #expect(world.topics.isEmpty)
        (world.isShown, world.revoked) = (true, ["box-2"])
        world.turn()
        #expect(world.topics == ["all": "all", "box-1": "one"])
        #expect(world.look().isEmpty)
        // A box that comes back into the fleet.
        world.revoked = []
        world.turn()
        #expect(world.topics == ["all": "all", "box-1": "one", "box-2": "one"])
        // Somebody clears it by hand: until the next connection that stays so.
        world.topics["all"] = nil
        world.turn()
        #expect(world.topics["all"] == nil)
        world.book.connected()
        world.turn()
        #expect(world.topics["all"] == "all" && world.book.conflicts.isEmpty)
    }

    @Test
    func `a number that is not lower is never overwritten, and is reported`() throws {
        for seq in [5, 6, 4] {
            var world = World(2)
            world.isShown = true
            world.publish("ours", seq: 5, for: ["box-0", "box-1"])
            world.stand("other", seq: seq, for: ["box-0", "box-1"])
            world.turn()
            let conflict = world.book.conflicts[.configuration]
            if seq < 5 {
                #expect(world.topics.values.allSatisfy { $0 == "ours" } && conflict == nil)
            } else {
                #expect(world.topics.values.allSatisfy { $0 == "other" })
                let found = try #require(conflict)
                #expect(found.seq == 5 && found.found == seq && found.count == 2)
                #expect(found.place.box == "box-0")
            }
        }
    }

    @Test
    func `what somebody else puts over ours is put right each time, and reported where it is higher`() {
        var world = World(1)
        world.isShown = true
        world.publish("ours", seq: 5, for: ["box-0"])
        world.topics = [:]
        world.turn()
        for turns in 0..<3 {
            // Also at once, before anybody looked whether ours is there.
            for _ in 0..<turns { world.turn() }
            world.stand("older", seq: 4, for: ["box-0"])
            world.turn()
            #expect(world.topics["box-0"] == "ours" && world.book.conflicts.isEmpty)
        }
        #expect(world.look().isEmpty)
        world.stand("higher", seq: 6, for: ["box-0"])
        world.turn()
        #expect(world.topics["box-0"] == "higher" && world.book.conflicts[.configuration]?.found == 6)
    }

    @Test
    func `a roll-out puts nothing over a higher number, be it published here or by somebody else`() {
        var world = World(8)
        world.isShown = true
        world.settings.rings = [100]
        world.away = Set(world.facts.keys)
        world.publish("ours", seq: 9, for: ["box-0"])
        world.stand("other", seq: 9, for: ["box-1"])
        world.begin("two", seq: 2)
        world.turn()
        #expect(world.topics["box-0"] == "ours" && world.topics["box-1"] == "other")
        #expect(world.topics["box-2"] == "two" && world.book.conflicts[.configuration]?.place.box == "box-1")
        // An end takes away its own alone.
        world.change("two") { $0.abort() }
        world.turn()
        #expect(world.topics == ["box-0": "ours", "box-1": "other"])
        #expect(world.book.conflicts.isEmpty)
    }

    @Test
    func `published over a roll-out, and a roll-out after that`() {
        var world = World(3)
        world.isShown = true
        world.settings.rings = [100]
        world.away = Set(world.facts.keys)
        world.begin("one", seq: 1)
        world.turn()
        world.publish("two", seq: 2, for: ["box-0"])
        world.turn()
        #expect(world.topics["box-0"] == "two" && world.topics["box-1"] == "one")
        world.change("one") { $0.abort() }
        world.turn()
        #expect(world.topics == ["box-0": "two"])
        world.begin("three", seq: 3)
        world.turn()
        #expect(world.topics.values.allSatisfy { $0 == "three" } && world.topics.count == 3)
    }

    // MARK: Withdrawn

    @Test
    func `what was withdrawn is taken away where it stands, and what was there before comes back`() {
        var world = World(3)
        world.isShown = true
        world.publish("before", seq: 1, for: ["box-0"])
        world.turn()
        world.publish("mistake", seq: 2, for: ["box-0", "box-1"])
        world.away = ["box-0", "box-1"]
        world.turn()
        #expect(world.topics == ["box-0": "mistake", "box-1": "mistake"])
        world.book.withdraw(["mistake"])
        world.turn()
        #expect(world.topics == ["box-0": "before"] && world.book.conflicts.isEmpty)
        #expect(world.look().isEmpty)
        // Somebody, or a broker that was away, brings it back: each time it goes, also after a new connection.
        for _ in 0..<3 {
            world.stand("mistake", seq: 2, for: ["box-0", "box-1", "box-2"])
            world.turn()
            #expect(world.topics == ["box-0": "before"])
            world.book.connected()
        }
        world.topics = [:]
        world.turn()
        #expect(world.topics == ["box-0": "before"] && world.book.conflicts.isEmpty)
    }

    @Test
    func `a withdrawal waits for a broker that shows what it keeps, and for one that takes it`() {
        var world = World(1)
        world.away = ["box-0"]
        world.stand("mistake", seq: 2, for: ["box-0"])
        world.book.withdraw(["mistake"])
        world.turn()
        #expect(world.topics == ["box-0": "mistake"])
        (world.isShown, world.isBrokerUp) = (true, false)
        world.turn()
        world.isBrokerUp = true
        world.turn()
        #expect(world.topics.isEmpty)
    }

    @Test
    func `a roll-out has its place again once a published envelope over it was withdrawn`() {
        var world = World(2)
        world.isShown = true
        world.settings.rings = [100]
        world.away = Set(world.facts.keys)
        world.begin("one", seq: 1)
        world.turn()
        world.publish("mistake", seq: 2, for: ["box-0"])
        world.turn()
        #expect(world.topics["box-0"] == "mistake")
        world.book.withdraw(["mistake"])
        world.turn()
        #expect(world.topics == ["box-0": "one", "box-1": "one"])
    }

    @Test
    func `an envelope that was withdrawn is no news at the broker`() {
        var world = World(1)
        let label = world.stand("mistake", seq: 2, for: ["box-0"])
        #expect(world.book.isNews(label, at: Self.start))
        world.book.withdraw(["mistake"])
        #expect(!world.book.isNews(label, at: Self.start))
    }

    @Test
    func `an envelope that was found at the broker is kept where it is news`() {
        var world = World(2)
        world.publish("ours", seq: 5, for: ["box-0", "box-1"])
        world.begin("rolled", seq: 9)
        func isNews(_ digest: String, _ seq: Int, _ boxes: [String]?, expires: Double = 60) -> Bool {
            world.book.isNews(
                EnvelopeLabel(
                    digest: digest, kind: .configuration, seq: seq,
                    selector: boxes.map { .boxes($0) } ?? .all, expires: Self.start + expires),
                at: Self.start)
        }
        #expect(isNews("other", 1, nil) && isNews("other", 6, ["box-0"]) && isNews("other", 1, ["box-7"]))
        #expect(!isNews("other", 5, ["box-0"]) && !isNews("other", 4, ["box-1", "box-7"]))
        #expect(!isNews("ours", 5, ["box-0", "box-1"]) && !isNews("rolled", 9, nil))
        #expect(!isNews("other", 6, nil, expires: 0))
    }
}
