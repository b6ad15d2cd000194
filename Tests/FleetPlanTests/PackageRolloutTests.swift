import PrayerEngine
import SeededRandom
import Testing

@testable import Envelope
@testable import FleetPlan
@testable import Texts

struct PackageRolloutTests {
    private static let start = Instant(unixSeconds: 1_800_000_000)
    private static let day = 86_400.0

    private struct World {
        var rollout = PackageRollout(version: "0.3.0", at: start)
        var facts: [String: PackageRollout.Fact] = [:]
        var settings = RolloutSettings()
        var now = start

        init(_ count: Int) {
            for number in 0..<count { facts["box-\(number)"] = .init(version: "0.2.0", isOnline: true) }
        }

        var served: PackageRollout.Index { rollout.index(settings) }

        mutating func update() { rollout.update(facts, settings, at: now) }

        /// As apt draws them: each box has a number of its own from 0 to 99.
        mutating func upgrade(_ percent: Int) {
            for number in 0..<facts.count where number % 100 < percent {
                if facts["box-\(number)"]?.version == "0.2.0" { facts["box-\(number)"]?.version = "0.3.0" }
            }
        }

        mutating func hear() {
            for box in facts.keys { facts[box]?.lastHeard = now }
        }

        /// A day on which whoever may takes it, and hears an adhan.
        mutating func live(_ days: Int = 1) {
            for _ in 0..<days {
                if case .ring(let percent) = served { upgrade(percent) }
                update()
                now = now + 6 * 3600
                hear()
                update()
                now = now + 18 * 3600
                update()
            }
        }
    }

    @Test
    func `A ring lasts a day, and the last one ends it`() {
        var world = World(1000)
        #expect(world.served == .ring(percent: 1))
        world.update()
        world.upgrade(1)
        world.update()
        world.now = world.now + 3600
        world.hear()
        world.update()
        #expect(world.rollout.count(.success) == 10 && world.served == .ring(percent: 1))
        world.now = world.now + Self.day - 3601
        world.update()
        #expect(world.served == .ring(percent: 1))
        world.now = world.now + 1
        world.update()
        #expect(world.served == .ring(percent: 10))
        world.live(3)
        #expect(world.rollout.state == .done && world.served == .ring(percent: 100))
        #expect(world.rollout.count(.success) == 1000)
    }

    @Test
    func `A box that goes back, or leaves the update, stops it`() {
        var world = World(100)
        world.live()
        world.upgrade(10)
        world.update()
        world.facts["box-0"]?.version = "0.2.0"
        world.update()
        #expect(world.rollout.state == .stopped && world.served == .before)
        #expect(world.rollout.isTrouble(at: world.now))
        world.rollout.abort()
        #expect(world.rollout.state == .aborted && world.served == .before)
        #expect(!world.rollout.isTrouble(at: world.now))

        world = World(100)
        world.update()
        world.facts["box-7"]?.leftVersion = "0.3.0"
        world.facts["box-7"]?.leftUpdateAt = Self.start - 60
        world.update()
        #expect(world.rollout.state == .running, "it was left before")
        world.facts["box-7"]?.leftUpdateAt = Self.start + 60
        world.update()
        #expect(world.rollout.state == .stopped && world.rollout.verdicts == ["box-7": .failure])
    }

    @Test
    func `An update without the release that a box leaves says nothing about the release`() {
        for version in [nil, "0.2.5"] {
            var world = World(100)
            world.facts["box-7"]?.leftUpdateAt = Self.start + 60
            world.facts["box-7"]?.leftVersion = version
            world.live()
            #expect(world.rollout.state == .running && world.rollout.count(.failure) == 0)
            world.facts["box-7"]?.version = "0.3.0"
            world.update()
            #expect(world.rollout.verdicts["box-7"] == .reached)
        }
    }

    /// The problem says when, and the status which adhand was in the update.
    @Test
    func `A watch joins the two reports of a box about an update that it left`() {
        var world = Watched()
        for (box, left) in [("debian", "null"), ("ours", "\"0.3.0\"")] {
            world.send(
                box, "status",
                #"{"v":1,"state":"online","at":"\#(Watched.text(0))","version":"0.2.0","leftAdhand":\#(left)}"#
            )
            world.send(
                box, "problems",
                #"{"v":1,"open":[{"alert":"upgrade","severity":"warning","since":"\#(Watched.text(60))","text":"x"}]}"#
            )
        }
        let facts = world.watch.packageFacts
        #expect(facts["debian"]?.leftVersion == nil && facts["ours"]?.leftVersion == "0.3.0")
        #expect(facts.values.allSatisfy { $0.leftUpdateAt == Watched.day + 60 })
    }

    @Test
    func `One that is online and hears no adhan with it fails, one that is away is not counted`() {
        var world = World(100)
        world.settings.stopPercent = 100
        world.facts["box-0"]?.version = "0.3.0"
        world.facts["box-1"]?.version = "0.3.0"
        world.facts["box-0"]?.isOnline = false
        world.update()
        world.now = world.now + world.settings.patienceSeconds
        world.facts["box-0"]?.lastHeard = Self.start - 1
        world.update()
        #expect(world.rollout.verdicts == ["box-0": .notCounted, "box-1": .failure])
        #expect(world.rollout.state == .stopped, "one is enough among few")
    }

    @Test
    func `In a large ring single failures do not stop it, and two percent do`() {
        var world = World(1000)
        world.live()
        world.upgrade(10)
        world.update()
        #expect(world.rollout.taken.count == 100)
        world.facts["box-0"]?.version = "0.2.0"
        world.update()
        #expect(world.rollout.state == .running)
        world.facts["box-1"]?.version = "0.2.0"
        world.update()
        #expect(world.rollout.state == .stopped)
    }

    @Test
    func `Where nobody takes it nothing is learnt, and people are told; a small ring may be empty by chance`()
    {
        var world = World(1000)
        world.update()
        world.now = world.now + 4 * Self.day
        world.update()
        #expect(world.rollout.state == .running && world.served == .ring(percent: 1))
        #expect(world.rollout.isTrouble(at: world.now))

        world = World(40)
        world.now = world.now + Self.day
        world.update()
        #expect(world.served == .ring(percent: 10) && !world.rollout.isTrouble(at: world.now))
        world.now = world.now + Self.day
        world.update()
        #expect(world.served == .ring(percent: 50), "four are expected")
        world.now = world.now + Self.day
        world.update()
        #expect(world.served == .ring(percent: 50), "twenty are expected")
    }

    @Test
    func `Whoever ends or pauses it is obeyed, and nothing goes on`() {
        var world = World(1000)
        world.live()
        world.rollout.pause()
        world.live(5)
        #expect(world.rollout.state == .paused && world.served == .ring(percent: 10))
        world.rollout.resume()
        world.update()
        #expect(world.served == .ring(percent: 50))
        world.rollout.abort()
        world.live(5)
        #expect(world.rollout.state == .aborted && world.served == .before)
        #expect(world.rollout.taken.count == 100)
    }

    @Test
    func `A clock that was ten years ahead for an hour holds nothing up`() {
        var world = World(1000)
        world.update()
        let right = world.now
        world.now = world.now + 3650 * Self.day
        world.upgrade(1)
        world.update()
        world.hear()
        world.update()
        #expect(world.served == .ring(percent: 10), "a day seems to be over")
        world.now = right + 3600
        world.update()
        world.upgrade(10)
        world.hear()
        world.update()
        #expect(world.served == .ring(percent: 10))
        world.now = right + 3600 + Self.day
        world.hear()
        world.update()
        #expect(world.served == .ring(percent: 50))
    }

    @Test
    func `A later release is no failure of this one`() {
        var world = World(1000)
        world.live()
        for box in world.rollout.taken.keys { world.facts[box]?.version = "0.3.1" }
        world.update()
        #expect(
            world.rollout.state == .running && world.rollout.count(.notCounted) == world.rollout.taken.count)
        #expect(
            PackageRollout.isNewer("0.10.0", than: "0.9.9") && !PackageRollout.isNewer("0.3.0", than: "0.3"))
        #expect(PackageRollout.isNewer("1.0.0~rc1", than: "0.9") && !PackageRollout.isNewer("x", than: "0.1"))
    }

    @Test
    func `Its progress comes back from the disk as it was, and nothing else is taken for it`() throws {
        var world = World(300)
        world.live(2)
        let read = try JSON.decode(PackageRollout.self, from: JSON.encode(world.rollout))
        #expect(read == world.rollout)
        for text in [
            "{}",
            #"{"v":2,"package":"adhand","version":"1","state":"running","ring":0,"ringSince":0,"beganAt":0,"boxes":{}}"#,
            #"{"v":1,"package":"bash","version":"1","state":"running","ring":0,"ringSince":0,"beganAt":0,"boxes":{}}"#,
            #"{"v":1,"package":"adhand","version":"../x","state":"running","ring":0,"ringSince":0,"beganAt":0,"boxes":{}}"#,
        ] {
            #expect(throws: (any Error).self) { try JSON.decode(PackageRollout.self, from: Array(text.utf8)) }
        }
    }

    @Test(arguments: [
        "", "adhand", "adhand=", "adhand=../1", "adhand=v1", "bash=1", "adhand=1/2", "adhand=1 2",
    ])
    func `What is no version of adhand is none`(_ name: String) {
        #expect(PackageRollout.version(of: name) == nil)
    }

    /// Whatever boxes do, no ring is skipped, none lasts less than a day, and after a stop nothing but the index without the version is
    /// served.
    @Test
    func `500 roll-outs of boxes that do anything`() {
        for seed in 1...500 as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            var world = World(Int.random(in: 1...300, using: &random))
            world.settings.stopPercent = Int.random(in: 1...100, using: &random)
            var (last, since) = (world.served, world.now)
            for _ in 0..<60 {
                let box = "box-\(Int.random(in: 0..<world.facts.count, using: &random))"
                switch Int.random(in: 0..<8, using: &random) {
                case 0: world.facts[box]?.version = "0.2.0"
                case 1: world.facts[box]?.isOnline.toggle()
                case 2:
                    world.facts[box]?.leftUpdateAt = world.now
                    world.facts[box]?.leftVersion = ["0.3.0", "0.2.0", nil].randomElement(using: &random)!
                case 3: world.facts[box] = nil
                default: if case .ring(let percent) = world.served { world.upgrade(percent) }
                }
                if world.facts.isEmpty { world.facts["box-0"] = .init(version: nil, isOnline: false) }
                world.now = world.now + Double.random(in: 60...43_200, using: &random)
                if Bool.random(using: &random) { world.hear() }
                let wasOver = world.rollout.state.isOver
                world.update()
                guard world.served != last else { continue }
                #expect(!wasOver, "seed \(seed)")
                if case .ring(let percent) = world.served, case .ring(let before) = last {
                    let rings = world.settings.rings
                    #expect(
                        rings.firstIndex(of: percent) == rings.firstIndex(of: before)! + 1, "seed \(seed)")
                    #expect(world.now - since >= Self.day, "seed \(seed)")
                } else {
                    #expect(world.served == .before && world.rollout.count(.failure) > 0, "seed \(seed)")
                }
                (last, since) = (world.served, world.now)
            }
        }
    }
}
