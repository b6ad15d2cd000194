import FleetSimulator
import PrayerEngine
import SeededRandom
import Testing

@testable import Envelope
@testable import FleetPlan

struct RolloutBookTests {
    @Test
    func `A change that stopped itself leaves each topic as it was`() {
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
        #expect(world.update().isEmpty)
        world.connect()
        #expect(world.update().isEmpty)
    }

    @Test
    func `Where nothing stood before, nothing stands after it was ended`() {
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
        world.connect()
        #expect(world.update().isEmpty)
    }

    /// The thief of a server put an envelope that nobody signed onto the topic of all, and the new server rolls a change out.
    @Test
    func `A change reaches boxes that report the refusal of a higher number, or of an altered copy`() {
        for (digest, seq) in [("forged", 9_007_199_254_740_991), ("one", 1)] {
            var world = World(10)
            world.settings.rings = [100]
            for box in world.facts.keys {
                world.facts[box]?.applied = .init(
                    kind: .configuration, seq: seq, digest: digest, state: .refused, reason: "signature")
            }
            world.away = Set(world.facts.keys)
            world.begin("one", seq: 1)
            world.turn()
            #expect(world.topics.count == 10 && world.topics.values.allSatisfy { $0 == "one" })
            world.topics = [:]
            world.book.connected()
            world.turn()
            #expect(world.topics.count == 10, "the next broker is given it, too")
            // The refusal of the change itself is its answer.
            for box in world.facts.keys {
                world.facts[box]?.applied = .init(
                    kind: .configuration, seq: 1, digest: "one", state: .refused, reason: "expired")
            }
            world.topics = [:]
            world.book.connected()
            world.turn()
            #expect(world.topics.isEmpty && world.state("one") == .stopped)
        }
    }

    @Test
    func `A broker that forgot is given what boxes have not answered, and nothing that is over its time`() {
        var world = World(10)
        world.settings.rings = [100]
        world.away = ["box-3", "box-4"]
        world.begin("one", seq: 1, expires: 3600)
        world.turn()
        world.turn()
        world.topics = [:]
        world.connect()
        world.turn()
        #expect(Set(world.topics.keys) == ["box-3", "box-4"])
        world.now = world.now + 3600
        world.topics = [:]
        world.connect()
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
    func `Where nobody is known, or nobody was well, no ring is over`() {
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

    /// `make promises` runs fifty larger ones as they are released.
    @Test(arguments: 1...6)
    func `In a simulated fleet a change reaches its rings, stops where it fails, and is taken back`(
        _ seed: Int
    ) {
        var world = RolloutWorld(seed: UInt64(seed), boxes: 20, days: 4)
        let report = world.run()
        #expect(report.violation == nil)
        #expect(report.rollouts > 0)
        var again = RolloutWorld(seed: UInt64(seed), boxes: 20, days: 4)
        let same = again.run()
        #expect(
            (same.rollouts, same.published, same.done) == (report.rollouts, report.published, report.done))
    }

    @Test
    func `Many changes, one after another, with an unsteady broker`() {
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
                    if Int.random(in: 0..<5, using: &random) == 0 { world.connect() }
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
}
