import PrayerEngine
import Testing

@testable import Envelope
@testable import FleetPlan

/// Roll-outs beside what was published, and what was withdrawn.
extension RolloutBookTests {
    @Test
    func `A roll-out that ends puts back what was published before it`() {
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
            world.connect()
            world.turn()
            #expect(world.topics == ["box-0": "one", "box-1": "one"])
        }
    }

    @Test
    func `A broker that lacks what was published is given it again, and one that was not asked is not`() {
        var world = World(3)
        world.publish("old", seq: 1)
        world.publish("all", seq: 2)
        world.publish("one", seq: 3, for: ["box-1", "box-2"])
        world.publish("short", seq: 4, for: ["box-0"], expires: 60)
        world.now = world.now + 60
        world.topics = [:]
        world.connect()
        world.turn()
        #expect(world.topics.isEmpty)
        (world.isShown, world.revoked) = (true, ["box-2"])
        world.turn()
        #expect(world.topics == ["all": "all", "box-1": "one"])
        #expect(world.update().isEmpty)
        // A box that comes back into the fleet.
        world.revoked = []
        world.turn()
        #expect(world.topics == ["all": "all", "box-1": "one", "box-2": "one"])
        // It takes it, and does not show it yet: that is no loss.
        world.topics["all"] = nil
        #expect(world.update().isEmpty)
        #expect(world.book.repaired.isEmpty)
        world.connect()
        world.turn()
        #expect(world.topics["all"] == "all" && world.book.conflicts.isEmpty)
    }

    @Test
    func `Nothing lower is put over one whose key the watch does not know`() {
        var world = World(2)
        (world.isShown, world.away) = (true, ["box-0", "box-1"])
        world.publish("old", seq: 1, for: ["box-0", "box-1"])
        world.turn()
        // Signed by a key that has come into fleet.toml since the watch began.
        world.topics["box-0"] = "new"
        world.book.formerPublished["new"] = EnvelopeLabel(
            digest: "new", kind: .configuration, seq: 2, selector: .boxes(["box-0"]), expires: world.now + 600
        )
        world.connect()
        world.turn()
        #expect(world.topics == ["box-0": "new", "box-1": "old"])
        world.now = world.now + 600
        world.turn()
        #expect(world.topics == ["box-0": "old", "box-1": "old"])
    }

    @Test
    func `Of two envelopes of a kind a box that was away gets the newer one alone`() {
        var world = World(1)
        (world.isShown, world.away) = (true, ["box-0"])
        world.publish("first", seq: 1, for: ["box-0"])
        world.turn()
        world.publish("second", seq: 2, for: ["box-0"])
        for _ in 0..<3 {
            world.turn()
            world.topics = [:]
            world.connect()
        }
        world.away = []
        for _ in 0..<3 { world.turn() }
        #expect(world.topics == ["box-0": "second"])
        #expect(world.facts["box-0"]?.applied?.digest == "second")
    }

    @Test
    func `A number that is not lower is never overwritten, and is reported`() throws {
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
    func `What somebody else puts over ours is put right each time, and reported where it is higher`() {
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
        #expect(world.update().isEmpty)
        world.stand("higher", seq: 6, for: ["box-0"])
        world.turn()
        #expect(world.topics["box-0"] == "higher" && world.book.conflicts[.configuration]?.found == 6)
    }

    @Test
    func `What somebody else takes away is given again, and reported once`() {
        var world = World(3)
        (world.isShown, world.away) = (true, ["box-0", "box-1", "box-2"])
        world.publish("ours", seq: 5, for: ["box-0", "box-1", "box-2"])
        // Be it given by this watch, or found at the broker.
        world.topics["box-0"] = nil
        world.turn()
        #expect(world.book.repaired.isEmpty)
        for turns in 0..<2 {
            world.clear("box-0")
            world.clear("box-1")
            world.turn()
            #expect(world.topics.count == 3 && world.book.conflicts.isEmpty)
            let repaired = world.book.repaired[.configuration]
            #expect((repaired != nil) == (turns == 0))
            if let repaired { #expect(repaired.count == 2 && repaired.place.box == "box-0") }
        }
        world.turn()
        #expect(world.update().isEmpty)
        // A box that was taken out has nothing on its topic, and that is no conflict.
        world.revoked = ["box-2"]
        for _ in 0..<6 {
            world.clear("box-2")
            world.turn()
        }
        #expect(world.topics["box-2"] == nil && world.book.conflicts.isEmpty)
        // Nor is it given again after it was withdrawn.
        world.book.withdraw(["ours"])
        world.clear("box-0")
        world.turn()
        #expect(world.topics.isEmpty)
    }

    @Test
    func `A client that changes a topic again and again is reported, and contradicted less often each time`()
        throws
    {
        for isCleared in [true, false] {
            var world = World(1)
            (world.isShown, world.away) = (true, ["box-0"])
            world.publish("ours", seq: 5, for: ["box-0"])
            world.turn()
            func change() {
                if isCleared { world.clear("box-0") } else { world.stand("older", seq: 4, for: ["box-0"]) }
            }
            var given = 0
            // A day, with a look each minute: the client is faster.
            for minute in 1...1440 {
                change()
                world.turn()
                if world.topics["box-0"] == "ours" { given += 1 }
                #expect(world.book.conflicts.isEmpty == (minute <= 3))
            }
            #expect((45...60).contains(given))
            let conflict = try #require(world.book.conflicts[.configuration])
            #expect(conflict.seq == 5 && conflict.found == nil && conflict.count == 1)
            let sentence = conflict.sentence(FleetTopic(org: "noor"))
            #expect(sentence.contains("adhand/v1/noor/box-0/down/configuration again and again"))
            // When the client has gone it is right within half an hour, and forgotten an hour later.
            for _ in 0..<31 { world.turn() }
            #expect(world.topics["box-0"] == "ours")
            for _ in 0..<61 { world.turn() }
            #expect(world.book.conflicts.isEmpty)
            change()
            world.turn()
            #expect(world.topics["box-0"] == "ours" && world.book.repaired.count == 1)
            // A clock that was ahead keeps nothing from being given.
            for _ in 0..<4 {
                change()
                world.turn()
            }
            world.now = world.now + -1e8
            for _ in 0..<3 { world.turn() }
            #expect(world.topics["box-0"] == "ours")
        }
    }

    @Test
    func `A roll-out puts nothing over a higher number, be it published here or by somebody else`() {
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
    func `Published over a roll-out, and a roll-out after that`() {
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
    func `What was withdrawn is taken away where it stands, and what was there before comes back`() {
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
        #expect(world.update().isEmpty)
        // Somebody, or a broker that was away, brings it back: each time it goes, also after a new connection.
        for _ in 0..<3 {
            world.stand("mistake", seq: 2, for: ["box-0", "box-1", "box-2"])
            world.turn()
            #expect(world.topics == ["box-0": "before"])
            world.connect()
        }
        world.topics = [:]
        world.turn()
        #expect(world.topics == ["box-0": "before"] && world.book.conflicts.isEmpty)
    }

    @Test
    func `A withdrawal waits for a broker that shows what it keeps, and for one that takes it`() {
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
    func `A roll-out has its place again once a published envelope over it was withdrawn`() {
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
    func `A roll-out has its place again after one that was published and withdrawn between two looks`() {
        var world = World(1)
        world.isShown = true
        world.settings.rings = [100]
        world.away = ["box-0"]
        world.begin("one", seq: 1)
        world.turn()
        world.stand("mistake", seq: 2, for: ["box-0"])
        world.topics["box-0"] = nil
        world.book.withdraw(["mistake"])
        world.turn()
        #expect(world.topics == ["box-0": "one"])
        // Also where nothing was put over it.
        world.clear("box-0")
        world.turn()
        #expect(world.topics == ["box-0": "one"])
        // A box that has it needs no topic.
        world.away = []
        world.turn()
        world.clear("box-0")
        world.turn()
        #expect(world.topics.isEmpty && world.book.conflicts.isEmpty)
    }

    @Test
    func `One that was published after its roll-out is withdrawn from the topics of boxes, too`() {
        var world = World(3)
        world.isShown = true
        (world.settings.rings, world.settings.patienceSeconds) = ([100], 60)
        world.away = ["box-2"]
        world.facts["box-2"] = .init(isOnline: false)
        world.publish("before", seq: 1, for: ["box-1", "box-2"])
        world.begin("mistake", seq: 2)
        for _ in 0..<3 { world.turn() }
        #expect(world.state("mistake") == .done)
        world.publish("mistake", seq: 2)
        world.turn()
        #expect(world.topics.count == 4 && world.topics.values.allSatisfy { $0 == "mistake" })
        world.book.withdraw(["mistake"])
        world.turn()
        #expect(world.topics == ["box-1": "before", "box-2": "before"])
        // Nor is it given to a box that comes later, or on another broker.
        world.facts["late"] = .init(isOnline: true)
        world.connect()
        world.turn()
        #expect(world.topics == ["box-1": "before", "box-2": "before"])
    }

    @Test
    func `An envelope that was withdrawn is no news at the broker`() {
        var world = World(1)
        let label = world.stand("mistake", seq: 2, for: ["box-0"])
        #expect(world.book.isNews(label, at: Self.start))
        world.book.withdraw(["mistake"])
        #expect(!world.book.isNews(label, at: Self.start))
    }

    @Test
    func `An envelope that was found at the broker is kept where it is news`() {
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
