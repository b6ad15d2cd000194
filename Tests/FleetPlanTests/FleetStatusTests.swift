import PrayerEngine
import Testing

@testable import Envelope
@testable import FleetPlan
@testable import Texts

struct FleetStatusTests {
    static let due = 12 * 3600 + 600.0

    /// Two boxes are online, and one of them was silent.
    private static func world() -> Watched {
        var world = Watched()
        world.boxes(["heard", "quiet"], due: due)
        world.live(600, beats: ["heard", "quiet"])
        world.report("heard", "dhuhr_20270110", due: due, "playing")
        world.report("heard", "dhuhr_20270110", due: due, "played")
        world.live(90, beats: ["heard", "quiet"])
        return world
    }

    private static func overview() -> FleetOverview {
        let world = world()
        return world.watch.overview(at: world.now.wall)
    }

    /// The same boxes by what the broker keeps of them.
    private static func reports() -> ReportedBoxes {
        var (world, reports) = (Watched(), ReportedBoxes(FleetTopic(org: "noor")))
        func send(_ box: String, _ topic: String, _ payload: String) {
            reports.receive("adhand/v1/noor/\(box)/up/\(topic)", Array(payload.utf8))
        }
        for box in ["heard", "quiet"] {
            send(
                box, "status",
                #"{"v":1,"state":"online","at":"\#(Watched.text(0))","boot":"b","version":"1","image":null,"hardware":"h","adhand":"up","beat":60,"groups":["uk/london"]}"#
            )
        }
        world.seconds = due
        send("heard", "adhan/dhuhr", world.adhan("dhuhr_20270110", due: due, "played"))
        send("noise", "status", "[")
        return reports
    }

    @Test
    func `A box that is online and silent is silent, as its watcher has it`() throws {
        let overview = Self.overview()
        let read = try FleetOverview.read(status: 200, try JSON.encode(overview), org: "noor")
        #expect(read == overview)
        let status = FleetStatus(read)
        #expect(status.isAssessed && status.reports == nil && status.reason == nil)
        #expect(status.text.hasPrefix("2 boxes: 1 silent, 1 online. "))
        #expect(status.text.contains("\nAdhanSilent: quiet did not report "))
        #expect(status.text.contains("\nquiet  silent  last heard never"))
        #expect(status.text.contains("\nheard  online  last heard 2027-01-10T12:10:00"))
        // By their reports alone both are online.
        #expect(Self.reports().rows.map(\.online) == [true, true])
    }

    @Test
    func `A number that a box refused is not one that it has`() throws {
        var (world, reports) = (Watched(), ReportedBoxes(FleetTopic(org: "noor")))
        world.boxes(["a"], due: Self.due)
        for (kind, seq, state) in [("configuration", 9, "refused"), ("timetable", 4, "trial")] {
            let payload =
                #"{"v":1,"kind":"\#(kind)","seq":\#(seq),"digest":"\#(String(repeating: "a", count: 64))","state":"\#(state)","reason":null,"at":"2027-01-10T12:00:00Z"}"#
            world.send("a", "applied/\(kind)", payload)
            reports.receive("adhand/v1/noor/a/up/applied/\(kind)", Array(payload.utf8))
        }
        #expect(world.watch.overview(at: world.now.wall).boxes.map(\.seq) == [["timetable": 4]])
        #expect(reports.rows.map(\.seq) == [["timetable": 4]])
        let figures = world.watch.metrics(lagSeconds: 0, version: "1")
        #expect(figures.contains(#"adhand_box_seq{box="a",kind="timetable"} 4"#))
        #expect(!figures.contains(#"kind="configuration""#))
    }

    @Test
    func `Without a watcher it says so, and that nobody has assessed the boxes`() throws {
        let reports = Self.reports().rows
        let reason = "http://127.0.0.1:8791 does not answer"
        let status = FleetStatus(org: "noor", reports, because: reason)
        #expect(!status.isAssessed && status.overview == nil)
        #expect(status.text.hasPrefix("No watcher assesses these boxes: \(reason)."))
        #expect(status.text.contains("\n2 boxes, of which 2 report online\n"))
        #expect(status.text.contains("\nquiet  reports online  no adhan yet  uk/london\n"))
        let document = String(decoding: try JSON.encode(status), as: UTF8.self)
        #expect(document.contains(#""judged":false"#) && document.contains(#""overview":null"#))
    }

    @Test(arguments: [
        (503, "", "answers with status 503"), (200, "{", "no watcher of this version"),
        (200, #"{"v":1}"#, "no watcher of this version"),
    ])
    func `Another answer is no assessment`(_ status: Int, _ body: String, _ words: String) {
        let error = #expect(throws: WatcherError.self) {
            try FleetOverview.read(status: status, Array(body.utf8), org: "noor")
        }
        #expect(error?.sentence.contains(words) == true)
    }

    @Test
    func `Neither is that of another fleet, nor one without end`() throws {
        let body = try JSON.encode(Self.overview())
        let other = #expect(throws: WatcherError.self) {
            try FleetOverview.read(status: 200, body, org: "other")
        }
        #expect(other?.sentence.contains("another fleet, \"noor\"") == true)
        #expect(throws: WatcherError.self) { try FleetOverview.read(status: 200, nil, org: "noor") }
    }

    @Test
    func `One box alone`() throws {
        let one = try #require(FleetStatus(Self.overview()).only("quiet")?.overview)
        #expect(one.boxes.map(\.box) == ["quiet"] && one.counts == ["silent": 1])
        #expect(one.alerts.map(\.alertname) == ["AdhanSilent"])
        #expect(FleetStatus(Self.overview()).only("heard")?.overview?.alerts.isEmpty == true)
        #expect(FleetStatus(Self.overview()).only("nobody") == nil)
        let reported = FleetStatus(org: "noor", Self.reports().rows, because: "x")
        #expect(reported.only("heard")?.reports?.count == 1 && reported.only("nobody") == nil)
    }

    @Test
    func `A watcher without a broker says that all of it is old`() {
        var world = Self.world()
        world.watch.brokerLost(at: world.now)
        let overview = world.watch.overview(at: world.now.wall)
        #expect(FleetStatus(overview).text.contains(FleetOverview.staleText))
        #expect(OverviewPage.html(overview).contains(FleetOverview.staleText))
        #expect(!FleetStatus(Self.overview()).text.contains(FleetOverview.staleText))
    }
}
