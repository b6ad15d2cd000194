import PrayerEngine
import Testing

@testable import FleetPlan

/// Boxes with alarms of their own beside many that go at once: each box that is gone or silent is in one open alarm.
struct FleetCrowdTests {
    static let due = 12 * 3600 + 600.0
    static let names = (0..<40).map { "box-\($0)" }
    static let silent = Array(names.prefix(4))
    static let others = Array(names.dropFirst(4))

    /// Four boxes were silent at Dhuhr, and the others were heard.
    private static func world() -> Watched {
        var world = Watched()
        world.boxes(names, due: due)
        world.live(600, beats: names)
        for name in others { world.report(name, "dhuhr_20270110", due: due, "played") }
        world.live(90, beats: names)
        return world
    }

    private static func silence(of names: [String]) -> [String] {
        names.map { "AdhanSilent \($0) dhuhr_20270110" }
    }

    @Test(arguments: [false, true])
    func `An alarm of a box stays when many others go, and when the box goes with them`(areGone: Bool) {
        var world = Self.world()
        #expect(world.begun.sorted() == Self.silence(of: Self.silent))
        let gone = areGone ? Self.names : Self.others
        let there = areGone ? [] : Self.silent
        for name in gone { world.status(name, "offline") }
        world.live(600, beats: there)
        #expect(world.begun.sorted() == Self.silence(of: Self.silent) + ["FleetOffline"])
        #expect(world.ended.isEmpty)
        #expect(world.watch.crowd == Set(Self.others))
        let summary = world.watch.alerts.first { $0.identity == .offline }?.summary
        #expect(
            summary == "36 of 40 boxes are gone or silent at once; 4 more with alarms of their own.")
        // Nobody sees the silent ones well again, so that their alarms stay.
        for name in gone { world.status(name) }
        world.live(300, beats: Self.names)
        #expect(world.ended == ["FleetOffline"])
    }

    @Test
    func `A box with its own alarm that was away with many is not paged for what it missed`() {
        var world = Self.world()
        for name in Self.names { world.status(name, "offline") }
        world.live(10_000)
        for name in Self.names {
            world.report(name, "asr_20270110", due: Self.due + 9000, "missed")
            world.status(name)
        }
        world.live(300, beats: Self.names)
        #expect(world.begun.sorted() == Self.silence(of: Self.silent) + ["FleetOffline"])
        #expect(world.ended == ["FleetOffline"])
    }

    @Test
    func `Of boxes that fall silent one after another the first ones keep their alarms`() {
        var world = Watched()
        world.boxes(Self.names, due: Self.due + 9000)
        for (number, name) in Self.names.prefix(8).enumerated() {
            world.plan(
                name,
                [("dhuhr_20270110", Self.due + Double(number) * 60)]
                    + (1...6).map { ("dhuhr_2027011\($0)", Self.due + Double($0) * 86_400) })
        }
        world.live(1200, beats: Self.names)
        #expect(world.begun == Self.silence(of: Self.silent) + ["FleetOffline"])
        #expect(world.ended.isEmpty)
        #expect(
            world.watch.alerts.first { $0.identity == .offline }?.summary
                == "4 of 40 boxes are gone or silent at once: box-4, box-5, box-6, box-7; 4 more with alarms of their own."
        )
    }

    @Test
    func `A box that is back from many and silent at its next adhan has its own alarm`() {
        var world = Watched()
        world.boxes(Self.names, due: Self.due)
        world.live(450, beats: Self.names)
        for name in Self.names { world.status(name, "offline") }
        world.live(60)
        world.status("box-0")
        world.live(180, beats: ["box-0"])
        #expect(world.begun == ["FleetOffline"] + Self.silence(of: ["box-0"]))
        #expect(world.watch.crowd == Set(Self.names.dropFirst()))
    }

    @Test
    func `The alarm of many ends once the rest of them have alarms of their own`() {
        var world = Watched()
        world.boxes(Self.names, due: Self.due)
        world.live(540, beats: Self.names)
        for name in Self.names { world.status(name, "offline") }
        world.live(120)
        let back = Array(Self.names.dropFirst())
        for name in back { world.status(name) }
        var isMissing = false
        for _ in 0..<100 {
            world.live(10, beats: back)
            isMissing = isMissing || world.watch.alerts.isEmpty
        }
        #expect(!isMissing)
        #expect(world.begun == ["FleetOffline", "BoxDead box-0"])
        #expect(world.ended == ["FleetOffline"])
    }

    // MARK: Restarts

    /// As a broker keeps them of boxes that have lost their line.
    private static func keep(_ names: [String], at due: Double, of world: inout Watched) {
        for name in names {
            world.plan(
                name,
                [("dhuhr_20270110", due)]
                    + (1...6).map { ("dhuhr_2027011\($0)", due + Double($0) * 86_400) }, isRetained: true)
            world.status(name, "offline", isRetained: true)
        }
    }

    @Test(arguments: [4, 40])
    func `Many that were away before the watch began are one alarm`(_ count: Int) {
        var world = Watched(at: 11 * 3600)
        let names = (0..<count).map { "box-\($0)" }
        Self.keep(names, at: 11.5 * 3600, of: &world)
        world.live(7200)
        let each = names.map { "BoxDead \($0)" }
        #expect(world.begun.sorted() == (count < 5 ? each : ["FleetOffline"]))
        #expect(world.ended.isEmpty)
        for name in names { world.status(name) }
        world.live(120, beats: names)
        #expect(world.ended.sorted() == world.begun.sorted() && world.watch.alerts.isEmpty)
    }

    /// In the second town the first adhan since the watch began is due half an hour later.
    @Test
    func `Two towns that were away before the watch began are one alarm`() {
        var world = Watched(at: 11 * 3600)
        Self.keep(Array(Self.names.prefix(20)), at: 11.5 * 3600, of: &world)
        Self.keep(Array(Self.names.suffix(20)), at: 12 * 3600, of: &world)
        world.live(7200)
        #expect(world.begun == ["FleetOffline"] && world.ended.isEmpty)
        #expect(world.watch.crowd == Set(Self.names))
    }

    /// A broker that is stopped in order leaves the word "offline" of every box.
    @Test(arguments: ["offline", "online"])
    func `Many that go while the broker restarts are one alarm`(_ state: String) {
        var world = Watched()
        world.boxes(Self.names, due: Self.due)
        world.live(300, beats: Self.names)
        world.live(60)
        world.watch.brokerLost(at: world.now)
        world.live(20)
        world.watch.brokerConnected(at: world.now)
        for name in Self.names { world.status(name, state, isRetained: true) }
        let back = Array(Self.names.suffix(20))
        for name in back { world.status(name) }
        world.live(Self.due + 10 - world.seconds, beats: back)
        for name in back { world.report(name, "dhuhr_20270110", due: Self.due, "played") }
        world.live(1800, beats: back)
        #expect(world.begun == ["FleetOffline"] && world.ended.isEmpty)
        #expect(world.watch.crowd == Set(Self.names.dropLast(20)))
    }

    @Test
    func `A restart of the broker ends no alarm of many, and begins none`() {
        var world = Watched()
        let due = Self.due + 1200
        world.boxes(Self.names, due: due)
        world.live(300, beats: Self.names)
        let (town, back) = (Self.names.prefix(20), Array(Self.names.suffix(20)))
        for name in town { world.status(name, "offline") }
        world.live(60, beats: back)
        for _ in 0..<2 {
            world.watch.brokerLost(at: world.now)
            world.live(20)
            world.watch.brokerConnected(at: world.now)
            for name in Self.names { world.status(name, "offline", isRetained: true) }
            for name in back { world.status(name) }
            world.live(200, beats: back)
        }
        world.live(due + 10 - world.seconds, beats: back)
        for name in back { world.report(name, "dhuhr_20270110", due: due, "played") }
        world.live(1800, beats: back)
        #expect(world.begun == ["FleetOffline"] && world.ended.isEmpty)
    }

    /// Boxes that went one by one before are not taken for many that went with the broker.
    @Test
    func `Boxes that had left one by one have their own alarms after a restart of the broker`() {
        var world = Watched()
        world.boxes(Self.names, due: Self.due + 5400)
        var there = Self.names
        for _ in 0..<6 {
            world.status(there.removeFirst(), "offline")
            world.live(400, beats: there)
        }
        world.watch.brokerLost(at: world.now)
        world.live(20)
        world.watch.brokerConnected(at: world.now)
        for name in Self.names { world.status(name, "offline", isRetained: true) }
        for name in there { world.status(name) }
        world.live(Self.due + 5410 - world.seconds, beats: there)
        for name in there { world.report(name, "dhuhr_20270110", due: Self.due + 5400, "played") }
        world.live(600, beats: there)
        #expect(world.begun.sorted() == Self.names.prefix(6).map { "BoxDead \($0)" })
    }

    // MARK: The overview

    @Test
    func `The overview says of which boxes the alarm of many is`() {
        var world = Self.world()
        for name in Self.others.dropLast() { world.status(name, "offline") }
        world.live(300, beats: Self.silent + ["box-39"])
        let overview = world.watch.overview(at: world.now.wall)
        let alerts = Dictionary(uniqueKeysWithValues: overview.boxes.map { ($0.box, $0.alerts) })
        #expect(alerts["box-0"] == ["AdhanSilent"])
        #expect(alerts["box-4"] == ["FleetOffline"])
        #expect(alerts["box-39"] == [])
        #expect(overview.only("box-4")?.alerts.map(\.alertname) == ["FleetOffline"])
        #expect(overview.only("box-0")?.alerts.map(\.alertname) == ["AdhanSilent"])
    }
}
