import PrayerEngine
import Settings
import Testing
import Texts

@testable import BridgePlan
@testable import Envelope
@testable import Protocol

struct FleetReporterTests {
    private static let start = "2026-11-24T12:00:00.000-05:00"

    private struct Box {
        var reporter: FleetReporter
        var facts: FleetFacts
        var uptime = 100.0

        init(reportedUntil: Instant? = nil, beatSeconds: Double = 60) throws {
            reporter = FleetReporter(
                org: "noor", box: "a", beatSeconds: beatSeconds, reportedUntil: reportedUntil)
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
        mutating func send() -> [(path: String, report: ReceivedReport)] {
            reporter.messages(facts, uptime: uptime).map { message in
                let (box, topic) = FleetTopic(org: "noor").report(at: message.topic)!
                #expect(box == "a" && message.isRetained == topic.isRetained)
                if let until = message.reportedUntil { _ = reporter.delivered(until: until) }
                return (topic.path, try! ReceivedReport(topic, message.payload))
            }
        }

        mutating func connect() -> [(path: String, report: ReceivedReport)] {
            reporter.connected(at: uptime, chance: 0.5)
            pass(5)
            return send()
        }
    }

    @Test
    func `A connection brings everything, within ten seconds, and the status last`() throws {
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
    func `Nothing is said twice, and a beat comes each minute`() throws {
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

    @Test(arguments: [60.0, 600])
    func `A sign of life proves twenty seconds after an adhan that the box is there`(
        _ beatSeconds: Double
    ) throws {
        var box = try Box(beatSeconds: beatSeconds)
        box.facts.now = try instant("2026-11-24T14:15:50.000-05:00")
        _ = box.connect()
        box.pass(6)
        _ = box.send()
        let wait = try #require(box.reporter.waitSeconds(now: box.facts.now, uptime: box.uptime))
        #expect(abs(wait - 19) < 1.1)
        box.pass(wait)
        #expect(box.send().map(\.path) == ["hb"])
    }

    /// Since its start adhand has not answered, so it has no plan: the fleet has an earlier one.
    @Test(arguments: [60.0, 600])
    func `A bridge without a plan gives its next sign of life with the next beat`(
        _ beatSeconds: Double
    ) throws {
        var box = try Box(beatSeconds: beatSeconds)
        box.facts.snapshot = nil
        box.facts.now = try instant("2026-11-24T14:15:50.000-05:00")
        _ = box.connect()
        box.pass(6)
        #expect(box.send().isEmpty)
        let wait = try #require(box.reporter.waitSeconds(now: box.facts.now, uptime: box.uptime))
        #expect(abs(wait - (beatSeconds - 6)) < 0.1)
    }

    @Test
    func `A plan is sent again at midnight and after a change, and not because time passes`() throws {
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

    @Test
    func `A refusal that is over is taken away at the broker, once`() throws {
        var box = try Box()
        box.facts.applied = [
            .init(
                kind: "configuration", seq: 9, digest: String(repeating: "a", count: 64), state: "refused",
                reason: "signature", at: Self.start)
        ]
        #expect(box.connect().map(\.path).contains("applied/configuration"))
        box.facts.applied = []
        let sent = box.send()
        #expect(sent.map(\.path) == ["applied/configuration"])
        #expect(sent.first?.report == .cleared(.applied(.configuration)))
        #expect(box.send().isEmpty)
        #expect(!box.connect().map(\.path).contains("applied/configuration"))
    }

    @Test
    func `A box says which adhand it has tried and left`() throws {
        var box = try Box()
        box.facts.identity.leftAdhand = "0.3.0"
        guard case .status(let status)? = box.connect().last?.report else {
            Issue.record("it is not said")
            return
        }
        #expect(status.leftAdhand == "0.3.0")
        box.facts.identity.leftAdhand = nil
        #expect(box.send().map(\.path) == ["status"])
    }

    private static func id(_ number: Int) -> String {
        let date = CivilDate("2027-01-01")?.adding(days: number).description ?? ""
        return "asr_\(date.filter { $0 != "-" })"
    }

    @Test
    func `Outcomes of the time without network come once, over a restart too, and a hundred at most`() throws
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
    func `A box that joins tells nothing of before, and a clock that was ahead hides nothing for good`()
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
    func `What plays is said at once, and then what came of it`() throws {
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
    func `A board without a number has no name, and another box on it has another`() throws {
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
    func `An envelope that was answered for good is not handed over again at the next connection`() throws {
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
    func `Another moment may take it`(_ answer: EnvelopeDesk.Answer) throws {
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
    func `New keys go first, and what they signed is tried again at once`() throws {
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
    func `What is too large for every box is not carried, and the memory has an end`() {
        var desk = EnvelopeDesk()
        desk.receive(
            Self.topic, .configuration, [UInt8](repeating: 1, count: SignedEnvelope.largestBytes + 1), at: 0)
        #expect(desk.next(at: 0) == nil)
    }

    @Test
    func `A refusal of something newer is reported, and one of something older is not`() throws {
        var desk = EnvelopeDesk()
        try Self.refuse(&desk, Self.topic, seq: 7, "invalid")
        let older = Self.own(6)
        #expect(desk.applied([older]).map(\.state) == ["refused"])
        #expect(desk.applied([older])[0].digest == Self.envelope(7).digest)
        let newer = Self.own(8)
        #expect(desk.applied([newer]) == [newer])
    }

    private static func envelope(_ seq: Int) -> SignedEnvelope {
        let payload =
            #"{"v":1,"org":"noor","kind":"configuration","seq":\#(seq),"for":{"all":true},"notBefore":"2027-01-01T00:00:00Z","expires":"2027-01-31T00:00:00Z","body":{"toml":""}}"#
        return SignedEnvelope(
            payload: Array(payload.utf8),
            signatures: [.init(keyID: "0011223344556677", bytes: [UInt8](repeating: 0, count: 64))])
    }

    private static func own(_ seq: Int) -> FleetDocument.Applied {
        FleetDocument.Applied(
            kind: "configuration", seq: seq, digest: String(repeating: "a", count: 64), state: "confirmed",
            reason: nil, at: "")
    }

    /// The box gets an envelope with this number, and adhand refuses it.
    private static func refuse(
        _ desk: inout EnvelopeDesk, _ topic: String, seq: Int, _ reason: String
    ) throws {
        desk.receive(topic, .configuration, try envelope(seq).encoded(), at: 0)
        let item = try #require(desk.next(at: 0))
        desk.handed(item, .refused(reason: reason, detail: "x"), at: 0, now: "2027-01-02T00:00:00Z")
    }

    @Test(arguments: EnvelopeRefusal.Reason.allCases)
    func `A number that nobody may have signed hides nothing that the box has`(
        _ reason: EnvelopeRefusal.Reason
    ) throws {
        let verified: Set<EnvelopeRefusal.Reason> = [
            .clock, .tooEarly, .expired, .older, .revertedBefore, .invalid,
        ]
        var desk = EnvelopeDesk()
        try Self.refuse(&desk, Self.topic, seq: 9_007_199_254_740_991, reason.rawValue)
        let own = Self.own(6)
        let reported = desk.applied([own])
        #expect((reported == [own]) == !verified.contains(reason))
        // Where there is nothing to hide, the fleet learns of it.
        #expect(desk.applied([]).map(\.reason) == [reason.rawValue])
        // One with a right signature says more, whatever its number is.
        try Self.refuse(&desk, "adhand/v1/noor/a/down/configuration", seq: 7, "invalid")
        let newest = verified.contains(reason) ? 9_007_199_254_740_991 : 7
        #expect(desk.applied([own]).map(\.seq) == [newest] && desk.applied([]).map(\.seq) == [newest])
    }

    @Test
    func `A refusal ends with its envelope: cleared, replaced, or gone from the next broker`() throws {
        var desk = EnvelopeDesk()
        for reason in ["invalid", "unknown-key"] {
            try Self.refuse(&desk, Self.topic, seq: 7, reason)
            desk.receive(Self.topic, .configuration, [], at: 1)
            #expect(desk.applied([]).isEmpty && desk.next(at: 1e6) == nil)
            try Self.refuse(&desk, Self.topic, seq: 7, reason)
            desk.receive(
                Self.topic, .configuration, [UInt8](repeating: 1, count: SignedEnvelope.largestBytes + 1),
                at: 1)
            #expect(desk.applied([]).isEmpty && desk.next(at: 1e6) == nil)
            try Self.refuse(&desk, Self.topic, seq: 7, reason)
            desk.receive(Self.topic, .configuration, try Self.envelope(8).encoded(), at: 0)
            #expect(desk.applied([]).isEmpty)
            let item = try #require(desk.next(at: 0))
            desk.handed(item, .taken(state: "trial"), at: 0, now: "")
            #expect(desk.applied([]).isEmpty)
            // A broker that has it still shows it again, and adhand is asked again.
            try Self.refuse(&desk, Self.topic, seq: 7, reason)
            desk.connected()
            #expect(desk.applied([]).isEmpty && desk.next(at: 1e6) == nil)
            try Self.refuse(&desk, Self.topic, seq: 7, reason)
            #expect(desk.applied([]).map(\.seq) == [7])
            desk.connected()
        }
    }

    @Test(arguments: [
        EnvelopeDesk.Answer.taken(state: "not-for-me"), .refused(reason: "foreign", detail: ""),
        .refused(reason: "unknown-key", detail: ""),
    ])
    func `Another group, or another key, has envelopes tried again that were for others`(
        _ answer: EnvelopeDesk.Answer
    ) throws {
        var desk = EnvelopeDesk()
        desk.receive(Self.topic, .configuration, text, at: 0)
        let item = try #require(desk.next(at: 0))
        desk.handed(item, answer, at: 0, now: "")
        desk.receive(Self.topic, .configuration, text, at: 1)
        #expect(desk.next(at: 1) == nil)
        desk.membershipChanged(at: 2)
        #expect(desk.next(at: 2) == item)
        desk.handed(item, .taken(state: "trial"), at: 2, now: "")
        desk.membershipChanged(at: 3)
        #expect(desk.next(at: 1e6) == nil, "it was taken")
        // One that is gone is not tried again.
        desk.receive("adhand/v1/noor/all/down/hijri", .hijri, text, at: 4)
        let other = try #require(desk.next(at: 4))
        desk.handed(other, answer, at: 4, now: "")
        desk.receive("adhand/v1/noor/all/down/hijri", .hijri, [], at: 5)
        desk.membershipChanged(at: 6)
        #expect(desk.next(at: 1e6) == nil)
    }

    @Test
    func `A refused envelope that is taken in the end is refused no longer`() throws {
        var desk = EnvelopeDesk()
        try Self.refuse(&desk, Self.topic, seq: 7, "clock")
        #expect(desk.applied([Self.own(6)]).map(\.state) == ["refused"])
        let item = try #require(desk.next(at: 1e6))
        desk.handed(item, .taken(state: "trial"), at: 1e6, now: "")
        #expect(desk.applied([Self.own(6)]) == [Self.own(6)])
    }
}

struct FleetLinkTests {
    @Test
    func `The broker of a fleet stands beside that of the house`() throws {
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
    func `A fleet that cannot be meant is refused`(_ line: String) {
        #expect(throws: ConfigError.self) {
            try BridgeConfig.schema.read([ConfigSource(file: "f", text: Array("[fleet]\n\(line)\n".utf8))])
        }
    }
}
