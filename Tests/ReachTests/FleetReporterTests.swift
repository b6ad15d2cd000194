import PrayerEngine
import Settings
import Testing
import Texts

@testable import Envelope
@testable import Protocol
@testable import Reach

struct FleetReporterTests {
    private static let start = "2026-11-24T12:00:00.000-05:00"

    private struct Box {
        var reporter: FleetReporter
        var facts: FleetFacts
        var uptime = 100.0

        init(reportedUntil: Instant? = nil) throws {
            reporter = FleetReporter(org: "noor", box: "a", beatSeconds: 60, reportedUntil: reportedUntil)
            facts = FleetFacts(
                problems: ProblemsPayload(AlertBook(box: "a", name: "a"), nil),
                identity: BoxFacts(boot: "b", version: "1"), now: try instant(start))
            let snapshot = try Documents.box()
            facts.snapshot = snapshot
            (facts.agenda, facts.history) = (snapshot.agenda, snapshot.history)
        }

        mutating func pass(_ seconds: Double) {
            uptime += seconds
            facts.now = facts.now + seconds
        }

        /// Topics below `up/`, with their reports as the watcher reads them.
        mutating func send() -> [(path: String, report: ReadReport)] {
            reporter.messages(facts, uptime: uptime).map { message in
                let (box, topic) = FleetTopic(org: "noor").report(at: message.topic)!
                #expect(box == "a" && message.isRetained == topic.isRetained)
                if let until = message.reportedUntil { _ = reporter.delivered(until: until) }
                return (topic.path, try! ReadReport(topic, message.payload))
            }
        }

        mutating func connect() -> [(path: String, report: ReadReport)] {
            reporter.connected(at: uptime, chance: 0.5)
            pass(5)
            return send()
        }
    }

    @Test
    func `a connection brings everything, within ten seconds, and the status last`() throws {
        var box = try Box()
        box.reporter.connected(at: box.uptime, chance: 0.9)
        #expect(box.send().isEmpty)
        #expect(box.reporter.waitSeconds(now: box.facts.now, uptime: box.uptime) == 9)
        box.pass(9)
        let sent = box.send()
        #expect(sent.map(\.path) == ["plan", "adhan/dhuhr", "problems", "status"])
        guard case .plan(let plan) = sent[0].report, case .adhan(let adhan) = sent[1].report,
            case .status(let status) = sent[3].report
        else {
            Issue.record("the reports are of other kinds")
            return
        }
        // An entry that has passed is in no plan, and neither are reminders, sunrise and iqama.
        #expect(
            plan.entries.map(\.id) == ["asr_20261124", "maghrib_20261124", "isha_20261124", "fajr_20261125"])
        #expect(plan.until - plan.made == 7 * 86_400)
        #expect(adhan.state == .played && adhan.id == "dhuhr_20261124")
        #expect(status.isOnline && status.isAdhandUp && status.boot == "b" && status.version == "0.1.0")
    }

    @Test
    func `nothing is said twice, and a beat comes each minute`() throws {
        var box = try Box()
        _ = box.connect()
        var beats = 0
        for _ in 0..<60 {
            box.pass(10)
            let sent = box.send()
            #expect(sent.allSatisfy { $0.path == "hb" })
            beats += sent.count
        }
        #expect((10...12).contains(beats))
    }

    @Test
    func `a sign of life proves twenty seconds after an adhan that the box is there`() throws {
        var box = try Box()
        box.facts.now = try instant("2026-11-24T14:15:50.000-05:00")
        _ = box.connect()
        box.pass(6)
        _ = box.send()
        let wait = try #require(box.reporter.waitSeconds(now: box.facts.now, uptime: box.uptime))
        #expect(abs(wait - 19) < 1.1)
        box.pass(wait)
        #expect(box.send().map(\.path) == ["hb"])
    }

    @Test
    func `a plan is sent again at midnight and after a change, and not because time passes`() throws {
        var box = try Box()
        _ = box.connect()
        box.facts.now = try instant("2026-11-24T14:20:00.000-05:00")
        #expect(!box.send().map(\.path).contains("plan"))
        box.facts.agenda.removeAll { $0.id == "maghrib_20261124" }
        #expect(box.send().map(\.path).contains("plan"))
        #expect(!box.send().map(\.path).contains("plan"))
        box.facts.now = try instant("2026-11-25T00:00:01.000-05:00")
        #expect(box.send().map(\.path).contains("plan"))
        // adhand that does not answer has no plan to withdraw.
        box.facts.snapshot = nil
        #expect(box.send().map(\.path) == ["status"])
    }

    private static func id(_ number: Int) -> String {
        let date = CivilDate("2027-01-01")?.adding(days: number).description ?? ""
        return "asr_\(date.filter { $0 != "-" })"
    }

    @Test
    func `outcomes of the time without network come once, over a restart too, and a hundred at most`() throws
    {
        var box = try Box()
        _ = box.connect()
        box.reporter.lost()
        for number in 0..<120 {
            box.pass(3600)
            let at = InstantText.rfc3339(box.facts.now, in: .utc)
            box.facts.history.append(
                HistoryEntry(
                    id: Self.id(number), prayer: "asr", scheduled: at, outcome: .played,
                    sound: ["standard"]))
        }
        // Killed: the next run knows what was delivered.
        var next = try Box(reportedUntil: box.reporter.reportedUntil)
        (next.facts.history, next.facts.now) = (box.facts.history, box.facts.now)
        let sent = next.connect()
        guard case .backlog(let adhans)? = sent.first(where: { $0.path == "backlog" })?.report else {
            Issue.record("there is no backlog")
            return
        }
        // Acknowledged before what is newer: whoever is killed in between begins with it again.
        let paths = sent.map(\.path)
        #expect(paths.firstIndex(of: "backlog") ?? 9 < paths.firstIndex(of: "adhan/asr") ?? -1)
        #expect(adhans.count == 100 && adhans.last?.id == Self.id(119))
        next.reporter.lost()
        #expect(!next.connect().map(\.path).contains("backlog"))
    }

    @Test
    func `a box that joins tells nothing of before, and a clock that was ahead hides nothing for good`()
        throws
    {
        var box = try Box()
        #expect(!box.connect().map(\.path).contains("backlog"))
        var late = try Box(reportedUntil: try instant("2030-01-01T00:00:00.000Z"))
        _ = late.connect()
        late.reporter.lost()
        late.pass(60)
        late.facts.history.append(
            HistoryEntry(
                id: "asr_20261124", prayer: "asr",
                scheduled: InstantText.rfc3339(late.facts.now - 10, in: .utc),
                outcome: .missed, sound: []))
        // Its newest outcome stands on the topic of its prayer in any case.
        #expect(late.connect().map(\.path).contains("adhan/asr"))
    }

    @Test
    func `what plays is said at once, and then what came of it`() throws {
        var box = try Box()
        _ = box.connect()
        var status = try Documents.status(now: "2026-11-24T14:16:01.000-05:00")
        status = StatusDocument(
            version: status.version, now: status.now, startedAt: status.startedAt,
            configuration: status.configuration, location: status.location, calculation: status.calculation,
            clock: status.clock, mute: status.mute, next: status.next, prayers: status.prayers,
            playback: .init(state: .playing, id: "asr_20261124", prayer: "asr"), audio: status.audio,
            timers: [])
        box.facts.snapshot = try Documents.box(status)
        guard case .adhan(let playing)? = box.send().first(where: { $0.path == "adhan/asr" })?.report else {
            Issue.record("it is not said")
            return
        }
        #expect(playing.state == .playing)
        box.facts.snapshot = try Documents.box()
        var entry = HistoryEntry(
            id: "asr_20261124", prayer: "asr", scheduled: "2026-11-24T14:16:00.000-05:00",
            outcome: .interrupted,
            sound: [])
        entry.cause = .device
        entry.reason = "the device was pulled out"
        box.facts.history.append(entry)
        guard case .adhan(let ended)? = box.send().first(where: { $0.path == "adhan/asr" })?.report else {
            Issue.record("it is not said")
            return
        }
        #expect(ended.isFailure && ended.reason == "the device was pulled out")
    }

    @Test
    func `a board without a number has no name, and another box on it has another`() throws {
        #expect(BoxFacts.hardware(serial: Array("0000000000000000\0".utf8), box: "a") == nil)
        #expect(BoxFacts.hardware(serial: [], box: "a") == nil)
        let one = try #require(BoxFacts.hardware(serial: Array("10000000abcdef\0".utf8), box: "a"))
        #expect(one == SHA256.hex(Array("10000000abcdef/a".utf8)))
        #expect(one != BoxFacts.hardware(serial: Array("10000000abcdef".utf8), box: "b"))
    }
}

struct EnvelopeDeskTests {
    private static let topic = "adhand/v1/noor/all/down/configuration"
    private let text = Array("an envelope".utf8)

    @Test
    func `an envelope that was answered for good is not handed over again at the next connection`() throws {
        var desk = EnvelopeDesk()
        desk.receive(Self.topic, .configuration, text, at: 0)
        let item = try #require(desk.next(at: 0))
        desk.handed(item, .taken(state: "confirmed"), at: 1, now: "")
        desk.receive(Self.topic, .configuration, text, at: 2)
        #expect(desk.next(at: 1e6) == nil && desk.waitSeconds(at: 2) == nil)
        desk.receive(Self.topic, .configuration, text + [0x20], at: 3)
        #expect(desk.next(at: 3) != nil)
        // The fleet withdraws it.
        desk.receive(Self.topic, .configuration, [], at: 4)
        #expect(desk.next(at: 1e6) == nil)
    }

    @Test(arguments: [
        EnvelopeDesk.Answer.unanswered, .refused(reason: "clock", detail: ""),
        .refused(reason: "too-early", detail: ""), .refused(reason: "unknown-key", detail: ""),
    ])
    func `another moment may take it`(_ answer: EnvelopeDesk.Answer) throws {
        var desk = EnvelopeDesk()
        desk.receive(Self.topic, .configuration, text, at: 0)
        var at = 0.0
        var tries = 0
        while at < 86_400 {
            let item = try #require(desk.next(at: at))
            desk.handed(item, answer, at: at, now: "")
            tries += 1
            #expect(desk.next(at: at) == nil)
            at += try #require(desk.waitSeconds(at: at))
        }
        #expect((90...120).contains(tries))
    }

    @Test
    func `new keys go first, and what they signed is tried again at once`() throws {
        var desk = EnvelopeDesk()
        desk.receive(Self.topic, .configuration, text, at: 0)
        let first = try #require(desk.next(at: 0))
        desk.handed(first, .refused(reason: "unknown-key", detail: ""), at: 0, now: "")
        desk.receive("adhand/v1/noor/all/down/keys", .keys, text, at: 1)
        let keys = try #require(desk.next(at: 1))
        #expect(keys.kind == .keys)
        desk.handed(keys, .taken(state: "confirmed"), at: 2, now: "")
        #expect(desk.next(at: 2)?.kind == .configuration)
    }

    @Test
    func `what is too large for every box is not carried, and the memory has an end`() {
        var desk = EnvelopeDesk()
        desk.receive(
            Self.topic, .configuration, [UInt8](repeating: 1, count: SignedEnvelope.largestBytes + 1), at: 0)
        #expect(desk.next(at: 0) == nil)
    }

    @Test
    func `a refusal of something newer is reported, and one of something older is not`() throws {
        let payload = Array(
            #"{"v":1,"org":"noor","kind":"configuration","seq":7,"for":{"all":true},"notBefore":"2027-01-01T00:00:00Z","expires":"2027-01-31T00:00:00Z","body":{"toml":""}}"#
                .utf8)
        let envelope = SignedEnvelope(
            payload: payload,
            signatures: [.init(keyID: "0011223344556677", bytes: [UInt8](repeating: 0, count: 64))])
        var desk = EnvelopeDesk()
        desk.receive(Self.topic, .configuration, try envelope.encoded(), at: 0)
        let item = try #require(desk.next(at: 0))
        desk.handed(item, .refused(reason: "invalid", detail: "x"), at: 1, now: "2027-01-02T00:00:00Z")
        let older = FleetDocument.Applied(
            kind: "configuration", seq: 6, digest: String(repeating: "a", count: 64), state: "confirmed",
            reason: nil, at: "")
        #expect(desk.applied([older]).map(\.state) == ["refused"])
        #expect(desk.applied([older])[0].digest == envelope.digest)
        let newer = FleetDocument.Applied(
            kind: "configuration", seq: 8, digest: String(repeating: "b", count: 64), state: "trial",
            reason: nil, at: "")
        #expect(desk.applied([newer]) == [newer])
    }
}

struct FleetLinkTests {
    @Test
    func `the broker of a fleet stands beside that of the house`() throws {
        let text =
            "[fleet]\nbroker = [\"mqtts://a\", \"mqtts://b:8884\"]\npassword-file = \"/etc/adhand/fleet-password\"\nbeat = \"10m\"\n"
        let config = try BridgeConfig.schema.read([ConfigSource(file: "f", text: Array(text.utf8))]).settings
        #expect(config.fleet.addresses.map(\.port) == [8883, 8884] && config.fleet.beatSeconds == 600)
        #expect(config.fleet.isOn && !config.mqtt.isOn && config.fleet.username == nil)
    }

    @Test(arguments: [
        "password-file = \"/x\"", "username = \"x\"", "broker = \"a:1\"",
        "broker = \"mqtt://a\"\nbeat = \"1s\"",
    ])
    func `a fleet that cannot be meant is refused`(_ line: String) {
        #expect(throws: ConfigError.self) {
            try BridgeConfig.schema.read([ConfigSource(file: "f", text: Array("[fleet]\n\(line)\n".utf8))])
        }
    }
}
