import PrayerEngine
import SeededRandom
import Testing

@testable import Envelope
@testable import FleetPlan
@testable import Texts

struct FleetRolloutTests {
    private static let digest = String(repeating: "5a", count: 32)
    private static let start = Instant(unixSeconds: 1_800_000_000)

    private struct World {
        var rollout = FleetRollout(digest: digest, kind: .configuration, seq: 3, at: start)
        var facts: [String: FleetRollout.Fact] = [:]
        var settings = RolloutSettings()
        var now = start
        var retained: Set<String> { Set(rollout.given.keys.filter { rollout.stands(at: $0) }) }

        init(_ count: Int) {
            for number in 0..<count { facts["box-\(number)"] = .init(isOnline: true) }
        }

        mutating func update() { rollout.update(facts, settings, at: now) }

        mutating func report(_ box: String, _ state: FleetRecord.Applied.State) {
            facts[box]?.applied = .init(kind: .configuration, seq: 3, digest: digest, state: state)
        }

        /// Hours in which everybody takes what he is given, but for some who fail.
        mutating func live(_ hours: Int, failing: (String) -> Bool = { _ in false }) {
            for _ in 0..<hours {
                update()
                for box in retained { report(box, failing(box) ? .reverted : .confirmed) }
                now = now + 3600
            }
            update()
        }
    }

    @Test(arguments: [1, 7, 99, 100, 1000])
    func `A ring has its share, rounded up`(_ count: Int) {
        for percent in [1, 10, 50, 100] {
            let size = FleetRollout.size(percent: percent, of: count)
            #expect(size >= 1 && size * 100 >= percent * count && (size - 1) * 100 < percent * count)
        }
        #expect(FleetRollout.size(percent: 1, of: 0) == 0)
    }

    @Test
    func `The order is that of the SHA-256 of BOX and ROLLOUT, and another one for each`() {
        let boxes = (0..<100).map { "box-\($0)" }
        let first = FleetRollout.order(boxes, rollout: Self.digest)
        let hashes = first.map { SHA256.hex(Array("\($0)/\(Self.digest)".utf8)) }
        #expect(hashes == hashes.sorted() && Set(first) == Set(boxes))
        #expect(FleetRollout.order(boxes, rollout: "other") != first)
        #expect(FleetRollout.order(boxes.reversed(), rollout: Self.digest) == first)
    }

    @Test
    func `A good change reaches everybody, no faster than it soaks`() {
        var world = World(1000)
        world.update()
        #expect(world.retained.count == 10)
        world.live(5)
        #expect(world.retained.count == 10)
        world.live(2)
        #expect(world.retained.count == 100)
        world.live(20)
        #expect(world.retained.count == 1000)
        #expect(world.rollout.state == .done)
    }

    @Test
    func `A bad change stops in the first ring, and is taken from those who have not got it`() {
        var world = World(1000)
        world.update()
        let first = FleetRollout.order(world.facts.keys, rollout: Self.digest)[0]
        world.report(first, .reverted)
        world.update()
        #expect(world.rollout.state == .stopped)
        #expect(world.retained.isEmpty)
        #expect(world.rollout.given.count == 10)
        world.live(100)
        #expect(world.rollout.state == .stopped && world.rollout.given.count == 10)
    }

    @Test
    func `A large ring bears less than two percent of failures`() {
        let order = FleetRollout.order((0..<1000).map { "box-\($0)" }, rollout: Self.digest)
        var world = World(1000)
        let one = Set([order[50]])
        world.live(40) { one.contains($0) }
        #expect(world.rollout.state == .done && world.rollout.count(.failure) == 1)
        var bad = World(1000)
        let many = Set(order[100..<110])
        bad.live(40) { many.contains($0) }
        #expect(bad.rollout.state == .stopped)
        // A box that has it in force keeps it.
        #expect(bad.retained.count >= 400 && bad.retained.isDisjoint(with: many))
    }

    @Test
    func `A refusal that passes by itself is no failure, and one that stays says why`() {
        var world = World(3)
        world.update()
        let box = world.retained.first!
        func refuse(_ reason: String) {
            world.facts[box]?.applied = .init(
                kind: .configuration, seq: 3, digest: Self.digest, state: .refused, reason: reason)
            world.update()
        }
        refuse("clock")
        refuse("too-early: the envelope is valid from 12:00")
        #expect(world.rollout.state == .running && world.rollout.count(.failure) == 0)
        refuse("invalid: no such key")
        #expect(world.rollout.state == .stopped && world.rollout.reasons == [box: "invalid: no such key"])
    }

    /// A thief of the server puts a number that is the highest onto the topic of every box, or the envelope itself with another signature.
    @Test
    func `A refusal of another envelope, or of an altered copy, is neither a later change nor a failure`() {
        for isCopy in [false, true] {
            var world = World(3)
            world.update()
            let box = world.retained.first!
            for name in world.facts.keys {
                world.facts[name]?.applied = .init(
                    kind: .configuration, seq: isCopy ? 3 : 9_007_199_254_740_991,
                    digest: isCopy ? Self.digest : "other", state: .refused, reason: "signature")
            }
            world.update()
            #expect(world.rollout.verdicts == [box: .reached] && world.rollout.state == .running)
            world.report(box, .confirmed)
            world.update()
            #expect(world.rollout.verdicts == [box: .success])
        }
        // It has the change in force, and refuses a later one that hides this.
        var world = World(3)
        world.update()
        let box = world.retained.first!
        world.report(box, .trial)
        world.update()
        world.facts[box]?.applied = .init(
            kind: .configuration, seq: 4, digest: "other", state: .refused, reason: "invalid")
        world.update()
        #expect(world.rollout.verdicts == [box: .reached])
        world.facts[box]?.lastHeard = world.now + 30
        world.now = world.now + 60
        world.update()
        #expect(world.rollout.verdicts == [box: .success] && world.rollout.reasons.isEmpty)
    }

    @Test
    func `A ring whose boxes have passed its number leads nowhere, and somebody is told`() {
        var world = World(3)
        world.update()
        for box in world.facts.keys {
            world.facts[box]?.applied = .init(
                kind: .configuration, seq: 9, digest: "other", state: .confirmed)
        }
        world.update()
        #expect(!world.rollout.isStranded(world.settings, at: world.now))
        world.now = world.now + world.settings.soakSeconds
        world.update()
        #expect(world.rollout.state == .running && world.rollout.isStranded(world.settings, at: world.now))
    }

    @Test
    func `A box that is away is not counted, and one that is there and silent has failed`() {
        var world = World(400)
        let order = FleetRollout.order(world.facts.keys, rollout: Self.digest)
        world.update()
        for box in order[1..<4] { world.report(box, .confirmed) }
        world.facts[order[0]]?.isOnline = false
        world.now = world.now + 25 * 3600
        world.update()
        #expect(world.retained.count == 4)
        world.now = world.now + 2 * 3600
        world.update()
        #expect(world.retained.count == 40 && world.rollout.count(.notCounted) == 1)
        world.now = world.now + 27 * 3600
        world.update()
        #expect(world.rollout.state == .stopped)
    }

    @Test
    func `On trial is not yet heard, unless applied is enough`() {
        var world = World(1)
        world.update()
        world.report("box-0", .trial)
        world.live(0)
        #expect(world.rollout.count(.success) == 0)
        world.facts["box-0"]?.lastHeard = world.now + 60
        world.now = world.now + 3600
        world.update()
        #expect(world.rollout.count(.success) == 1)
        var quick = World(1)
        quick.settings.success = .applied
        quick.update()
        quick.report("box-0", .trial)
        quick.update()
        #expect(quick.rollout.count(.success) == 1)
    }

    @Test
    func `Paused it reaches nobody, resumed it goes on, and aborted it is over`() {
        var world = World(1000)
        world.update()
        world.rollout.pause()
        world.live(10)
        #expect(world.retained.count == 10)
        world.rollout.resume()
        world.live(2)
        #expect(world.retained.count >= 100)
        world.rollout.abort()
        #expect(world.rollout.state == .aborted)
        world.rollout.resume()
        #expect(world.rollout.state == .aborted)
    }

    @Test
    func `A restart goes on where it was`() throws {
        var world = World(300)
        world.live(3)
        let read = try JSON.decode(FleetRollout.self, from: JSON.encode(world.rollout))
        #expect(read == world.rollout)
        #expect(throws: (any Error).self) {
            try JSON.decode(FleetRollout.self, from: Array(#"{"v":2}"#.utf8))
        }
    }

    /// Whatever share fails: it reaches nobody beyond what may be, and those who have it keep it.
    @Test
    func `Roll-outs with random failures stop or end, and never hang`() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<60 {
            var world = World(Int.random(in: 1...300, using: &random))
            let share = Double.random(in: 0...0.1, using: &random)
            let boxes = world.facts.keys.sorted()
            let failing = Set(boxes.filter { _ in Double.random(in: 0..<1, using: &random) < share })
            var away = Set(boxes.filter { _ in Double.random(in: 0..<1, using: &random) < 0.05 })
            for box in away { world.facts[box]?.isOnline = false }
            for hour in 0..<400 where !world.rollout.state.isOver {
                // A ring of which everybody is away waits for them.
                if hour == 200 { away = [] }
                world.update()
                for box in world.retained where !away.contains(box) {
                    world.report(box, failing.contains(box) ? .reverted : .confirmed)
                }
                world.now = world.now + 3600
            }
            #expect(world.rollout.state.isOver)
            let failures = world.rollout.count(.failure)
            if world.rollout.state == .done {
                #expect(failures * 100 < 2 * world.rollout.given.count || failures == 0)
            }
        }
    }
}
