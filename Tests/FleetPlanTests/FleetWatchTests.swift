import FleetSimulator
import PrayerEngine
import SeededRandom
import Testing

@testable import Envelope
@testable import FleetPlan
@testable import Texts

struct FleetWatchTests {
    static let due = 12 * 3600 + 600.0

    @Test
    func `A box that was silent is paged within 90 s, and ended by the next that is heard`() {
        var world = Watched()
        world.boxes(["a", "b"], due: Self.due)
        world.live(600, beats: ["a", "b"])
        world.report("a", "dhuhr_20270110", due: Self.due, "playing")
        world.live(90, beats: ["a", "b"])
        #expect(world.begun == ["AdhanSilent b dhuhr_20270110"])
        world.live(8920, beats: ["a", "b"])
        world.report("a", "asr_20270110", due: Self.due + 9000, "played")
        world.report("b", "asr_20270110", due: Self.due + 9000, "played")
        world.live(100, beats: ["a", "b"])
        #expect(world.begun == ["AdhanSilent b dhuhr_20270110"])
        #expect(world.ended == ["AdhanSilent b dhuhr_20270110"])
    }

    /// A box whose beats are rare gives a sign of life 20 s after each adhan of its plan, so it is found as fast as any other. Without that
    /// sign, which a bridge gives that knows its plan, only the next beat says that the box is there.
    @Test(arguments: [20.0, 45, 400, 595])
    func `With a beat of ten minutes a silent box is paged with the first sign of life`(_ after: Double) {
        var world = Watched()
        world.plan(
            "a",
            [("dhuhr_20270110", Self.due)]
                + (1...6).map { ("dhuhr_2027011\($0)", Self.due + Double($0) * 86_400) })
        world.send(
            "a", "status",
            #"{"v":1,"state":"online","at":"\#(Watched.text(world.seconds))","version":"1","adhand":"up","beat":600}"#
        )
        world.live(600)
        var late = 0.0
        while world.begun.isEmpty, late < 900 {
            world.live(5)
            late += 5
            if late == after { world.beat("a") }
        }
        #expect(world.begun == ["AdhanSilent a dhuhr_20270110"])
        #expect(late >= max(40, after) && late <= max(40, after) + 15)
    }

    @Test(arguments: [
        "muted", "disabled", "skipped", "quiet", "silent", "played", "partial", "interrupted", "later",
    ])
    func `An outcome that is no failure pages nobody`(_ state: String) {
        var world = Watched()
        world.boxes(["a"], due: Self.due)
        world.live(600, beats: ["a"])
        world.report("a", "dhuhr_20270110", due: Self.due, state)
        world.live(600, beats: ["a"])
        #expect(world.begun.isEmpty)
    }

    @Test
    func `A plan that no longer has an adhan is believed`() {
        var world = Watched()
        world.boxes(["a"], due: Self.due)
        world.live(500, beats: ["a"])
        world.plan("a", (1...6).map { ("dhuhr_2027011\($0)", Self.due + Double($0) * 86_400) })
        world.live(900, beats: ["a"])
        #expect(world.begun.isEmpty)
    }

    /// At midnight a new plan comes while the last adhan of the day before is still to be settled.
    @Test
    func `An adhan that was due when a new plan was made is still expected`() {
        var world = Watched()
        world.boxes(["a"], due: Self.due)
        world.live(605, beats: ["a"])
        world.plan("a", (1...6).map { ("dhuhr_2027011\($0)", Self.due + Double($0) * 86_400) })
        world.live(90, beats: ["a"])
        #expect(world.begun == ["AdhanSilent a dhuhr_20270110"])
    }

    @Test(arguments: [("failed", nil), ("missed", nil), ("interrupted", "device")] as [(String, String?)])
    func `A failure is paged with its reason`(_ state: String, _ cause: String?) {
        var world = Watched()
        world.boxes(["a"], due: Self.due)
        world.live(600, beats: ["a"])
        world.report("a", "dhuhr_20270110", due: Self.due, state, cause: cause)
        world.live(30, beats: ["a"])
        #expect(world.begun == ["AdhanFailed a dhuhr_20270110"])
        #expect(
            world.watch.alerts.first?.labels == [
                "box": "a", "prayer": "dhuhr", "id": "dhuhr_20270110", "reason": state,
            ])
        world.live(9000, beats: ["a"])
        world.report("a", "asr_20270110", due: Self.due + 9000, "played")
        world.live(30, beats: ["a"])
        #expect(world.ended == ["AdhanFailed a dhuhr_20270110"])
    }

    @Test
    func `A dead line is one page, and a backlog that says played ends it`() {
        var world = Watched()
        world.boxes(["a"], due: Self.due)
        world.live(300, beats: ["a"])
        world.status("a", "offline")
        world.live(2 * 3600)
        #expect(world.begun == ["BoxDead a"])
        world.send(
            "a", "backlog", #"{"v":1,"adhans":[\#(world.adhan("dhuhr_20270110", due: Self.due, "played"))]}"#)
        world.status("a")
        world.live(1800, beats: ["a"])
        #expect(world.begun == ["BoxDead a"])
        #expect(world.ended == ["BoxDead a"])
    }

    @Test
    func `A box without an adhan to call may be away`() {
        var world = Watched()
        world.boxes(["a"], due: Self.due + 7200)
        world.live(60, beats: ["a"])
        world.status("a", "offline")
        world.live(7200)
        #expect(world.begun.isEmpty)
    }

    /// A power cut: the box comes back and reports what it missed, which somebody knows.
    @Test
    func `A box that was known to be away is not paged for what it missed`() {
        var world = Watched()
        world.boxes(["a", "b"], due: Self.due)
        world.live(300, beats: ["a", "b"])
        world.status("a", "offline")
        world.live(1800, beats: ["b"])
        world.report("b", "dhuhr_20270110", due: Self.due, "missed")
        world.report("a", "dhuhr_20270110", due: Self.due, "missed")
        world.status("a")
        world.live(600, beats: ["a", "b"])
        #expect(world.begun == ["AdhanSilent b dhuhr_20270110", "BoxDead a", "AdhanFailed b dhuhr_20270110"])
    }

    @Test
    func
        `many boxes that are gone at once are one alarm, and its end is another 60 s after nearly all are back`()
    {
        var world = Watched()
        let names = (0..<40).map { "box-\($0)" }
        world.boxes(names, due: Self.due)
        world.live(300, beats: names)
        for name in names { world.status(name, "offline") }
        world.live(1800)
        #expect(world.begun == ["FleetOffline"])
        for name in names.dropFirst() {
            world.report(name, "dhuhr_20270110", due: Self.due, "missed")
            world.status(name)
        }
        world.live(120, beats: Array(names.dropFirst()))
        #expect(world.ended == ["FleetOffline"])
        #expect(world.begun == ["FleetOffline", "BoxDead box-0"])
    }

    @Test
    func
        `while many are away, one that falls silent alone has its own alarm, and many more have a new one`()
    {
        var world = Watched()
        let names = (0..<40).map { "box-\($0)" }
        let (town, other, alone) = (names.prefix(20), names.dropFirst(21), names[20])
        world.boxes(names, due: Self.due)
        world.live(300, beats: names)
        for name in town { world.status(name, "offline") }
        world.live(Self.due + 10 - world.seconds, beats: [alone] + other)
        for name in other { world.report(name, "dhuhr_20270110", due: Self.due, "played") }
        world.live(300, beats: [alone] + other)
        #expect(world.begun == ["FleetOffline", "AdhanSilent \(alone) dhuhr_20270110"])
        for name in other { world.status(name, "offline") }
        world.live(1200, beats: [alone])
        #expect(world.begun.last == "FleetOffline 2" && world.ended == ["FleetOffline"])
        let wave = world.watch.alerts.first { $0.identity.name == .fleetOffline }
        #expect(wave?.labels == ["count": "19", "wave": "2"])
        #expect(wave?.summary.hasPrefix("39 of 40 ") == true)
        for name in names { world.status(name) }
        world.live(120, beats: names)
        #expect(world.ended.last == "FleetOffline 2")
    }

    @Test
    func `Of few that went at once the last one is named when the others are back`() {
        var world = Watched()
        let names = (0..<6).map { "box-\($0)" }
        world.boxes(names, due: Self.due)
        world.live(300, beats: names)
        for name in names { world.status(name, "offline") }
        world.live(1800)
        for name in names.dropFirst(4) { world.status(name) }
        world.live(600, beats: Array(names.dropFirst(4)))
        // Most of them are still away.
        #expect(world.begun == ["FleetOffline"] && world.ended.isEmpty)
        for name in names.dropFirst() { world.status(name) }
        world.live(120, beats: Array(names.dropFirst()))
        #expect(world.ended == ["FleetOffline"])
        #expect(world.begun == ["FleetOffline", "BoxDead box-0"])
    }

    @Test
    func `A broker that is away for a minute is nobody's alarm, and one for longer is`() {
        var world = Watched()
        let names = (0..<40).map { "box-\($0)" }
        world.boxes(names, due: Self.due)
        world.live(300, beats: names)
        world.watch.brokerLost(at: world.now)
        world.live(60)
        world.watch.brokerConnected(at: world.now)
        for name in names { world.status(name, "offline", isRetained: true) }
        world.live(55)
        for name in names { world.status(name) }
        world.live(300 - 120, beats: names)
        #expect(world.begun.isEmpty)
        world.watch.brokerLost(at: world.now)
        world.live(600)
        #expect(world.begun == ["BrokerDown"])
    }

    @Test
    func `A box that is dead stays one alarm while the broker comes back`() {
        var world = Watched()
        world.boxes(["a", "b"], due: Self.due)
        world.live(300, beats: ["a", "b"])
        world.live(310, beats: ["b"])
        world.report("b", "dhuhr_20270110", due: Self.due, "played")
        world.live(1490, beats: ["b"])
        #expect(world.begun == ["BoxDead a"])
        world.watch.brokerLost(at: world.now)
        world.live(30)
        world.watch.brokerConnected(at: world.now)
        // As the broker kept it, made when the box came.
        world.send(
            "a", "status",
            #"{"v":1,"state":"online","at":"\#(Watched.text(12 * 3600))","version":"1","adhand":"up","beat":60}"#,
            isRetained: true)
        world.status("b")
        world.live(900, beats: ["b"])
        #expect(world.begun == ["BoxDead a"] && world.ended.isEmpty)
    }

    @Test
    func `After a restart the retained reports say it all again`() {
        var world = Watched()
        // As a broker has them: the plan, an adhan that was heard, one of which nothing came.
        world.plan(
            "a",
            [("dhuhr_20270110", Self.due - 1200), ("asr_20270110", Self.due + 9000)]
                + (1...6).map { ("dhuhr_2027011\($0)", Self.due + Double($0) * 86_400) }, isRetained: true)
        world.status("a", isRetained: true)
        world.live(120, beats: ["a"])
        #expect(world.begun == ["AdhanSilent a dhuhr_20270110"])
    }

    /// A town without power over Fajr, and a watch that begins when all of it is back: the broker has kept what the boxes missed.
    @Test(arguments: [4, 40])
    func `What many boxes missed before the watch began is one alarm, until nearly all are heard`(
        _ count: Int
    ) {
        var world = Watched()
        let names = (0..<count).map { "box-\($0)" }
        let fajr = 5.5 * 3600
        world.boxes(names, due: Self.due)
        for name in names {
            world.send(
                name, "adhan/fajr", world.adhan("fajr_20270110", due: fajr, "missed", at: fajr + 5400),
                isRetained: true)
        }
        world.live(400, beats: names)
        if count > 5 {
            // One of them comes back later.
            world.boxes(["late"], due: Self.due)
            world.report("late", "fajr_20270110", due: fajr, "missed")
        }
        world.live(100, beats: names + ["late"])
        let each = names.map { "AdhanFailed \($0) fajr_20270110" }
        #expect(world.begun.sorted() == (count < 5 ? each : ["FleetOffline missed"]).sorted())
        world.live(100, beats: names)
        for name in names.dropFirst(count / 20) {
            world.report(name, "dhuhr_20270110", due: Self.due, "played")
        }
        for name in names.prefix(count / 20) {
            world.report(name, "dhuhr_20270110", due: Self.due, "muted")
        }
        world.live(30, beats: names)
        if count > 5 {
            world.report("late", "dhuhr_20270110", due: Self.due, "played")
            world.live(10, beats: names + ["late"])
        }
        // Those that are left were counted: what they missed then is no news.
        #expect(world.ended.sorted() == world.begun.sorted() && world.begun.count == (count < 5 ? 4 : 1))
    }

    @Test
    func `What boxes miss while the watch is there is not put off by an alarm about earlier ones`() {
        var world = Watched()
        let names = (0..<6).map { "box-\($0)" }
        world.boxes(names, due: Self.due)
        for name in names {
            world.send(
                name, "adhan/fajr", world.adhan("fajr_20270110", due: 5.5 * 3600, "missed"), isRetained: true)
        }
        world.live(600, beats: names)
        world.report("box-0", "dhuhr_20270110", due: Self.due, "missed")
        for name in names.dropFirst() { world.report(name, "dhuhr_20270110", due: Self.due, "playing") }
        world.live(30, beats: names)
        #expect(world.begun == ["FleetOffline missed", "AdhanFailed box-0 dhuhr_20270110"])
    }

    @Test
    func `A clock of the server that is set assesses nothing in between`() {
        var world = Watched()
        world.boxes(["a"], due: Self.due)
        world.live(300, beats: ["a"])
        // An hour ahead, by the clock on the wall alone.
        var ahead = world.watch
        var now = world.now
        for step in 0..<60 {
            now = Timestamp(
                wall: world.now.wall + 3600 + Double(step) * 5, uptime: world.now.uptime + Double(step) * 5)
            if step % 10 == 0 { ahead.receive(.beat, from: "a", isRetained: false, at: now) }
            #expect(ahead.advance(to: now).isEmpty)
        }
    }

    @Test
    func `Problems count after ten minutes, but for those that have rules of their own`() {
        var world = Watched()
        world.boxes(["a"], due: Self.due)
        world.send(
            "a", "problems",
            #"{"v":1,"open":[{"alert":"device","severity":"problem","since":null,"text":"No device opens."},{"alert":"timetable","severity":"warning","since":null,"text":"x"},{"alert":"failed","severity":"problem","since":null,"text":"x"}]}"#
        )
        world.live(500, beats: ["a"])
        #expect(world.begun.isEmpty)
        world.report("a", "dhuhr_20270110", due: Self.due, "playing")
        world.live(200, beats: ["a"])
        #expect(world.begun == ["BoxProblem a device"])
        world.send("a", "problems", #"{"v":1,"open":[]}"#)
        world.live(20, beats: ["a"])
        #expect(world.ended == ["BoxProblem a device"])
    }

    @Test
    func `Two boards by one name are named, and a plan that ends`() {
        var world = Watched()
        world.boxes(["a", "b"], due: Self.due)
        world.status("a", hardware: "other")
        world.plan("b", (0..<5).map { ("asr_2027011\($0)", Self.due + Double($0) * 8000) })
        world.live(90, beats: ["a", "b"])
        #expect(Set(world.begun) == ["BoxCloned a", "BoxPlanEnds b"])
        // Fridays alone, or nothing at all, is meant.
        world.plan("b", [("jumua_20270115", Self.due + 5 * 86_400)])
        world.live(30, beats: ["a", "b"])
        world.plan("b", [])
        world.live(30, beats: ["a", "b"])
        #expect(world.ended == ["BoxPlanEnds b"])
    }

    /// Of two boards without a number one says that it is cloned, and the other, which knows nothing of it, reports after it.
    @Test
    func `A box that says that it is cloned is named for an hour, whatever the other one says`() {
        var world = Watched()
        world.boxes(["a"], due: Self.due + 9000)
        world.live(90, beats: ["a"])
        world.send(
            "a", "problems",
            #"{"v":1,"open":[{"alert":"clone","severity":"problem","since":null,"text":"x"}]}"#)
        world.send("a", "problems", #"{"v":1,"open":[]}"#)
        world.live(3590, beats: ["a"])
        #expect(world.begun == ["BoxCloned a"] && world.ended.isEmpty)
        world.live(60, beats: ["a"])
        #expect(world.ended == ["BoxCloned a"])
    }

    @Test
    func `A box that is taken out of the broker is forgotten`() {
        var world = Watched()
        world.boxes(["a"], due: Self.due)
        world.live(300, beats: ["a"])
        world.status("a", "offline")
        world.live(2000)
        #expect(world.begun == ["BoxDead a"])
        for topic in ReportTopic.retained { world.send("a", topic.path, "") }
        world.live(20)
        #expect(world.ended == ["BoxDead a"])
        #expect(world.watch.boxes.isEmpty)
    }

    @Test
    func `An open alarm is posted each minute, and its end too for a while`() {
        var world = Watched()
        world.boxes(["a"], due: Self.due)
        world.live(600, beats: ["a"])
        world.report("a", "dhuhr_20270110", due: Self.due, "failed")
        var posts = 0
        for _ in 0..<60 {
            world.seconds += 10
            posts += world.watch.advance(to: world.now).count
        }
        #expect((9...11).contains(posts))
    }

    // MARK: Strangers

    @Test
    func `No payload can stop the watcher, and a box speaks for itself alone`() {
        var random = SplitMix64(seed: 7)
        var world = Watched()
        world.boxes(["good"], due: Self.due + 9000)
        let sound = [
            #"{"v":1,"state":"online","at":"2027-01-10T12:00:00Z"}"#, #"{"v":1,"open":[]}"#,
            #"{"v":1,"made":"2027-01-10T12:00:00Z","until":"2027-01-17T12:00:00Z","entries":[{"id":"asr_1","prayer":"asr","at":"2027-01-10T12:30:00Z","grace":1}]}"#,
            world.adhan("asr_1", due: 43_000, "failed"),
            #"{"v":1,"kind":"keys","seq":3,"digest":"\#(String(repeating: "a", count: 64))","state":"trial","reason":null,"at":"2027-01-10T12:00:00Z"}"#,
            String(repeating: "[", count: 40_000), String(repeating: #"{"a":"#, count: 9000),
            #"{"v":9007199254740993}"#, #"{"v":1,"adhans":[\#(String(repeating: "{},", count: 300)){}]}"#,
        ]
        let topics =
            ReportTopic.retained.map(\.path) + [
                "backlog", "hb", "", "adhan", "adhan/x", "applied/y", "status/z",
            ]
        for _ in 0..<4000 {
            var bytes = Array(sound.randomElement(using: &random)!.utf8)
            for _ in 0..<Int.random(in: 0...6, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            }
            world.watch.receive(
                "adhand/v1/noor/liar/up/\(topics.randomElement(using: &random)!)", bytes,
                isRetained: Bool.random(using: &random), at: world.now)
            if Int.random(in: 0..<20, using: &random) == 0 { world.live(5, beats: ["good"]) }
        }
        #expect(world.begun.allSatisfy { $0.contains("liar") })
        #expect(world.watch.boxes.keys.allSatisfy { ["good", "liar"].contains($0) })
        #expect((world.watch.refused["malformed"] ?? 0) > 100)
    }

    @Test
    func `A box that floods is not read for the rest of its minute, and no other is`() {
        var world = Watched()
        world.boxes(["good", "flood"], due: Self.due)
        for _ in 0..<2000 { world.beat("flood") }
        world.beat("good")
        #expect(world.watch.refused["flood"] ?? 0 > 1300)
        #expect(world.watch.boxes["good"]?.lastSeen == world.now.wall)
    }

    @Test
    func `What was missed in one absence is no news in the next`() {
        var world = Watched()
        world.boxes(["a"], due: Self.due)
        world.live(300, beats: ["a"])
        world.live(1500)
        world.report("a", "dhuhr_20270110", due: Self.due, "missed")
        world.status("a")
        world.live(600, beats: ["a"])
        world.live(9000)
        #expect(world.begun == ["BoxDead a", "BoxDead a"])
    }

    @Test(arguments: [
        "adhand/v1/other/a/up/status", "adhand/v1/noor/all/up/status", "adhand/v1/noor/A/up/status",
        "adhand/v1/noor/a/down/status", "adhand/v1/noor//up/status", "adhand/v1/noor/a/up",
        "adhand/v2/noor/a/up/status", "adhand/v1/noor/a/up/status/more",
    ])
    func `Topics of others are nobody's reports`(_ topic: String) {
        var world = Watched()
        world.watch.receive(topic, Array(#"{"v":1,"state":"online"}"#.utf8), isRetained: false, at: world.now)
        #expect(world.watch.boxes.isEmpty)
        #expect(world.watch.refused["topic"] == 1)
    }

    @Test
    func `A report of too many bytes, entries or problems is refused whole`() {
        let plan = (0...128).map {
            #"{"id":"asr_\#($0)","prayer":"asr","at":"2027-01-10T12:30:00Z","grace":1}"#
        }
        let text =
            #"{"v":1,"made":"2027-01-10T12:00:00Z","until":"2027-01-17T12:00:00Z","entries":[\#(plan.joined(separator: ","))]}"#
        #expect(throws: ReportError.malformed) { try ReceivedReport(.plan, Array(text.utf8)) }
        #expect(throws: ReportError.tooLarge) {
            try ReceivedReport(.plan, [UInt8](repeating: 0x20, count: 50_000))
        }
        #expect(throws: ReportError.version) { try ReceivedReport(.beat, Array(#"{"v":2}"#.utf8)) }
        let hostile = #"{"v":1,"open":[{"alert":"a\"}/b","severity":"problem","text":"x"}]}"#
        #expect(throws: ReportError.malformed) { try ReceivedReport(.problems, Array(hostile.utf8)) }
        let other =
            #"{"v":1,"id":"asr_1","prayer":"asr","due":"2027-01-10T12:30:00Z","state":"played","at":"2027-01-10T12:30:00Z"}"#
        #expect(throws: ReportError.malformed) { try ReceivedReport(.adhan(.fajr), Array(other.utf8)) }
    }

    // MARK: The fleet's folder

    @Test
    func `A damaged file and another change on a topic are alarms until they are mended`() {
        var world = Watched()
        world.live(120)
        let damagedFile = "published/0123456789abcdef0123.envelope"
        world.watch.damagedFiles = ["enrol/state.json.broken-1": .enrolment, damagedFile: .published]
        world.watch.conflicts = [
            .init(
                kind: .timetable, seq: 4, found: 5,
                place: ChangePlace(box: ChangePlace.everyBox, kind: .timetable))
        ]
        world.live(20)
        #expect(
            world.begun.sorted() == [
                "ChangeConflict timetable", "FileDamaged enrol/state.json.broken-1",
                "FileDamaged \(damagedFile)",
            ])
        let figures = world.watch.metrics(lagSeconds: 0, version: "1")
        #expect(figures.contains("adhan_fleet_damaged_files 2\n"))
        #expect(figures.contains("adhan_fleet_change_conflicts 1\n"))
        let summaries = world.watch.alerts.map(\.summary).joined()
        #expect(summaries.contains("adhand/v1/noor/all/down/timetable") && summaries.contains("enrol list"))
        #expect(summaries.contains("adhan-fleet withdraw 0123456789abcdef\""))
        (world.watch.damagedFiles, world.watch.conflicts) = ([:], [])
        world.live(20)
        #expect(world.ended.count == 3)
    }

    @Test
    func `An envelope of a former key is an alarm until it is signed again`() {
        var world = Watched()
        world.live(120)
        let label = EnvelopeLabel(
            digest: "d", kind: .hijri, seq: 4, selector: .all, expires: world.now.wall + 86_400)
        world.watch.formerKeys = [FormerKey(label, count: 2, highest: 6)]
        world.live(20)
        #expect(world.begun == ["FormerKey hijri"])
        #expect(world.watch.alerts.first?.summary.contains("--kind hijri --seq 7") == true)
        let figures = world.watch.metrics(lagSeconds: 0, version: "1")
        #expect(figures.contains("adhan_fleet_former_key_envelopes 2\n"))
        world.watch.formerKeys = []
        world.live(20)
        #expect(world.ended == ["FormerKey hijri"])
    }

    @Test
    func `An index of the archive that ends within three days is an alarm until it is signed again`() {
        var world = Watched()
        world.live(120)
        world.watch.servedIndex = ServedIndex(validUntil: world.now.wall + 3.1 * 86_400)
        world.live(20)
        #expect(world.begun.isEmpty)
        let figures = world.watch.metrics(lagSeconds: 0, version: "1")
        let end = Int(world.watch.servedIndex?.validUntil.unixSeconds ?? 0)
        #expect(figures.contains("adhan_fleet_index_end_timestamp_seconds \(end)\n"))
        world.watch.servedIndex = ServedIndex(validUntil: world.now.wall + 2.9 * 86_400)
        world.live(20)
        #expect(world.begun == ["ArchiveEnds"])
        #expect(world.watch.alerts.map(\.summary).joined().contains("make archive-rings"))
        world.watch.servedIndex = ServedIndex(validUntil: world.now.wall + 14 * 86_400)
        world.live(20)
        #expect(world.ended == ["ArchiveEnds"])
    }

    @Test(arguments: [
        ("Date: x\nValid-Until: Sun, 24 Jan 2027 04:00:00 UTC\n", "2027-01-24T04:00:00Z"),
        ("Valid-Until: Tue, 02 Feb 2027 23:59:59 +0000\n", "2027-02-02T23:59:59Z"), ("Origin: adhand\n", ""),
        ("Valid-Until: soon\n", ""), ("Valid-Until: Sun, 24 Jan 2027 04:00:00 CET\n", ""),
        ("Valid-Until: Sun, -4 Jan 2027 04:00:00 UTC\n", ""),
        ("Valid-Until: Sun, 32 Jan 2027 04:00:00 UTC\n", ""),
    ])
    func `The end of an index is read as reprepro writes it`(text: String, end: String) {
        #expect(ServedIndex(inRelease: text)?.validUntil == InstantText.parse(end))
    }

    // MARK: Fleets

    /// `make promises` runs fifty larger ones as they are released, and `make simulate-fleets` a thousand of two hundred boxes for a month.
    @Test(arguments: 1...4)
    func `A simulated fleet is paged for what was silent, and for nothing else`(_ seed: Int) {
        var world = FleetWorld(seed: UInt64(seed), boxes: 12, days: 1, isCalm: seed == 4)
        let report = world.run()
        #expect(report.violation == nil)
        #expect(report.adhans > 40)
    }
}
