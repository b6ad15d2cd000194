import PrayerEngine
import Testing
import Texts

@testable import BridgePlan
@testable import Protocol

@Suite("Alerts: one begin, one end")
struct AlertBookTests {
    /// A book with a clock of its own.
    private struct Bench {
        var book = AlertBook(box: "9f2c", name: "Living room")
        var now = Instant(unixSeconds: 1_795_516_800)
        var uptime = 100.0

        mutating func update(
            _ kinds: [AlertKind] = [], known: Bool = true, outcomes: [AdhanOutcome] = [],
            after seconds: Double = 0
        ) -> [String] {
            now = now + seconds
            uptime += seconds
            let facts = AlertFacts(
                kinds.map { AlertCondition($0, text: "\($0.rawValue) is wrong") }, isAdhandKnown: known,
                outcomes: outcomes,
                zone: .utc)
            return book.update(facts, at: now, uptime: uptime).map {
                "\($0.alert.rawValue) \($0.phase.rawValue) \($0.count)"
            }
        }
    }

    private func outcome(_ id: String, _ outcome: Outcome, _ clock: String, test: Bool = false) throws
        -> AdhanOutcome
    {
        AdhanOutcome(
            id: id, prayer: String(id.prefix { $0 != "_" }), at: try instant("2026-11-24T\(clock):00Z"),
            outcome: outcome,
            reason: outcome == .failed ? "no device opens" : nil, isTest: test)
    }

    @Test("At once where it may not wait; what goes before its time never was")
    func after() {
        var bench = Bench()
        #expect(bench.update([.device]) == ["device begin 1"])
        #expect(bench.update([.device], after: 10) == [])
        #expect(bench.update(after: 10) == ["device end 1"])
        #expect(bench.update([.clock]) == [] && bench.update([.clock], after: 599) == [])
        #expect(bench.book.waitSeconds(at: bench.uptime) == 1)
        #expect(bench.update() == [] && bench.update([.clock], after: 100) == [])
        #expect(bench.update([.clock], after: 600) == ["clock begin 1"] && bench.update() == ["clock end 1"])
    }

    @Test("A box without a place calls once, when whoever sets it up has had ten minutes")
    func place() throws {
        let status = try Documents.status(problems: [Documents.problem(.place)])
        #expect(AlertCondition.all(of: status, timetableDays: 7).map(\.kind) == [.place])
        #expect(AlertKind.place.isAdhands && AlertKind.place.severity == .problem)
        var bench = Bench()
        #expect(bench.update([.place]) == [] && bench.update([.place], after: 599) == [])
        #expect(bench.update([.place], after: 1) == ["place begin 1"])
        #expect(bench.update([.place], after: 3600) == [] && bench.book.isWrong)
        #expect(bench.update(after: 10) == ["place end 1"] && !bench.book.isWrong)
    }

    @Test("While adhand does not answer, nothing of it ends or begins")
    func unknown() {
        var bench = Bench()
        #expect(bench.update([.device]) == ["device begin 1"])
        #expect(bench.update([.daemon], known: false) == [])
        #expect(bench.update([.daemon], known: false, after: 60) == ["daemon begin 1"] && bench.book.isWrong)
        #expect(bench.update([.device]) == ["daemon end 1"])
        #expect(bench.update() == ["device end 1"] && !bench.book.isWrong)
    }

    @Test("A failed adhan, more of them, and one that is heard; the sentence says which was heard last")
    func outcomes() throws {
        var bench = Bench()
        #expect(bench.update(outcomes: [try outcome("fajr_20261124", .played, "05:28")]) == [])
        let dhuhr = try outcome("dhuhr_20261124", .failed, "12:03")
        let facts = AlertFacts(
            [.init(.failed, since: dhuhr.at, text: "x")], isAdhandKnown: true, outcomes: [dhuhr], zone: .utc)
        let begin = try #require(bench.book.update(facts, at: bench.now, uptime: bench.uptime).first)
        #expect(begin.text == "Dhuhr 12:03 was not heard: no device opens. Last heard: Fajr 05:28.")
        #expect(begin.key == "failed-\(Int(dhuhr.at.unixSeconds))" && begin.id == "dhuhr_20261124")
        #expect(
            bench.update([.failed], outcomes: [dhuhr, try outcome("asr_20261124", .failed, "15:00")]) == [])
        #expect(
            bench.update(outcomes: [try outcome("maghrib_20261124", .played, "17:00")]) == ["failed end 2"])
    }

    @Test(
        "What came and went while nobody looked is sent, begin and end; what was before the first look is not"
    )
    func away() throws {
        var bench = Bench()
        let old = try outcome("isha_20261123", .missed, "01:00")
        let trial = try outcome("trigger-1_asr_1795500000", .failed, "02:00", test: true)
        #expect(bench.update(outcomes: [old, trial]) == [])
        #expect(bench.update(outcomes: [old, trial]) == [])
        let lost = try outcome("dhuhr_20261124", .failed, "12:03")
        let heard = try outcome("asr_20261124", .played, "15:00")
        #expect(bench.update(outcomes: [old, lost, heard]) == ["failed begin 1", "failed end 1"])
        #expect(bench.update(outcomes: [old, lost, heard]) == [])
    }

    @Test(
        "A first look that adhand does not answer makes nothing of before news, and nothing of after forgotten"
    )
    func firstUpdate() throws {
        var bench = Bench()
        let old = try [
            outcome("fajr_20261124", .failed, "05:28"), outcome("dhuhr_20261124", .failed, "10:03"),
        ]
        #expect(bench.update(known: false) == [])
        // The bench begins at 10:40.
        let lost = try outcome("asr_20261124", .missed, "11:30")
        #expect(bench.update([.missed], outcomes: old + [lost], after: 3600) == ["missed begin 1"])
        #expect(bench.update([.missed], outcomes: old + [lost]) == [])
    }

    @Test("Of a year of outcomes nothing is news twice, at the first look or later, also over restarts")
    func year() throws {
        var bench = Bench()
        var outcomes = (1...1799).map { number in
            AdhanOutcome(
                id: "asr_\(number)", prayer: "asr", at: bench.now - Double(1800 - number) * 17_000,
                outcome: number.isMultiple(of: 50) ? .failed : .played)
        }
        var made: [String] = []
        func update(after seconds: Double = 0) -> [String] {
            // adhand's own view: the last adhan failed.
            bench.update(
                outcomes.last?.outcome == .failed ? [.failed] : [], outcomes: outcomes, after: seconds)
        }
        for number in 1800...2600 {
            made += update()
            outcomes.append(
                AdhanOutcome(
                    id: "asr_\(number)", prayer: "asr", at: bench.now,
                    outcome: number.isMultiple(of: 50) ? .failed : .played))
            made += update(after: 17_000)
            if number.isMultiple(of: 70) {
                let file = try bench.book.fileBytes()
                bench.book = AlertBook(box: "9f2c", name: "Living room")
                try bench.book.restore(file, at: bench.now, uptime: bench.uptime)
            }
        }
        let failures = (1800...2600).count { $0.isMultiple(of: 50) }
        let ends = made.count { $0.hasPrefix("failed end") }
        #expect(made.count { $0 == "failed begin 1" } == failures)
        // The last one is open.
        #expect(ends == failures - 1 && made.count == failures + ends)
    }

    @Test("A trial is marked as one, stands apart, and makes nothing wrong")
    func trials() throws {
        var bench = Bench()
        _ = bench.update()
        #expect(
            bench.update(outcomes: [try outcome("trigger-1_asr_1795520000", .failed, "12:00", test: true)])
                == [
                    "failed begin 1"
                ])
        #expect(!bench.book.isWrong && bench.book.open.values.first?.key.hasPrefix("test-failed-") == true)
        #expect(bench.update(outcomes: [try outcome("asr_20261124", .played, "15:00")]) == ["failed end 1"])
    }

    @Test(
        "A reminder while it lasts; a restart repeats no begin, loses no end and keeps the turn of reminders")
    func reminders() throws {
        var bench = Bench()
        #expect(bench.update([.device]) == ["device begin 1"])
        #expect(
            bench.update([.device], after: 86_399) == []
                && bench.update([.device], after: 1) == ["device reminder 1"])
        var again = Bench()
        (again.now, again.uptime) = (bench.now + 3600, 5)
        try again.book.restore(try bench.book.fileBytes(), at: again.now, uptime: again.uptime)
        #expect(again.update([.device]) == [] && again.update([.device], after: 82_799) == [])
        #expect(again.update([.device], after: 1) == ["device reminder 1"])
        #expect(again.update() == ["device end 1"])
        #expect(throws: (any Error).self) {
            try again.book.restore(Array("{".utf8), at: again.now, uptime: 0)
        }
    }

    @Test("The bridge's own trouble is reported while adhand is away, and is over only when that is known")
    func own() {
        var bench = Bench()
        bench.book.settings.after = [.disk: 0]
        #expect(bench.update([.disk], known: false) == ["disk begin 1"])
        #expect(bench.update([], known: false) == [])
        #expect(bench.update([]) == ["disk end 1"])
    }

    @Test("Each message has a key of its own, and a document of the design's fields")
    func document() throws {
        var bench = Bench()
        let facts = AlertFacts([.init(.disk, text: "full")], isAdhandKnown: true, zone: .utc)
        bench.book.settings.after = [.disk: 0]
        let message = try #require(bench.book.update(facts, at: bench.now, uptime: 0).first)
        let text = String(decoding: try JSON.encode(message), as: UTF8.self)
        for field in [
            "\"v\":1", "\"box\":\"9f2c\"", "\"phase\":\"begin\"", "\"severity\":\"problem\"",
            "\"since\":null", "\"count\":1",
        ] {
            #expect(text.contains(field), "\(field) in \(text)")
        }
        #expect(message.idempotencyKey == "disk-1795516800-begin" && !text.contains("\n"))
    }
}

@Suite("Messages on their way")
struct DeliveryTests {
    private func destination(_ name: String, _ kind: AlertDestination.Kind = .webhook) -> AlertDestination {
        var destination = AlertDestination()
        (destination.name, destination.kind) = (name, kind)
        return destination
    }

    private func message(
        _ key: String, _ phase: AlertMessage.Phase = .begin, _ kind: AlertKind = .device, at: String = "t"
    )
        -> AlertMessage
    {
        AlertMessage(
            key: key, box: "b", name: "Küche", alert: kind, phase: phase, since: nil, at: at,
            text: "No device opens.")
    }

    @Test("The head of each destination alone is tried; order stays, others go on")
    func order() throws {
        var queue = DeliveryQueue()
        queue.add([message("a"), message("b")], to: [destination("x"), destination("y")])
        let first = try #require(queue.next(for: "x", at: 0))
        #expect(queue.tried(first, .failed, at: 0) == .retried(afterSeconds: 5))
        #expect(queue.next(for: "x", at: 4) == nil && queue.next(for: "x", at: 5)?.message.key == "a")
        let other = try #require(queue.next(for: "y", at: 0))
        #expect(
            queue.tried(other, .delivered, at: 0) == .delivered
                && queue.next(for: "y", at: 0)?.message.key == "b")
        // The same once more is the same message.
        let isNews = queue.add([message("a")], to: [destination("x")])
        #expect(!isNews)
    }

    @Test(
        "Retries: 5 s, 30 s, 2 min, 10 min, then every half hour for two days; a refusal is believed the third time"
    )
    func schedule() {
        #expect((1...6).map { RetrySchedule.seconds(after: $0, .failed) } == [5, 30, 120, 600, 1800, 1800])
        let whole = (1..<RetrySchedule.mostAttempts).compactMap { RetrySchedule.seconds(after: $0, .failed) }
            .reduce(0, +)
        #expect(abs(whole - 48 * 3600) < 3600)
        #expect(RetrySchedule.seconds(after: RetrySchedule.mostAttempts, .failed) == nil)
        #expect(RetrySchedule.seconds(after: 2, .refused(status: 404)) == 30)
        #expect(RetrySchedule.seconds(after: 3, .refused(status: 404)) == nil)
        for status in [408, 425, 429, 500, 503, 301] {
            #expect(RetrySchedule.seconds(after: 3, .refused(status: status)) != nil)
        }
    }

    @Test(
        "When it is full reminders go first, then what began and ended, and no begin whose end is not known")
    func room() {
        var queue = DeliveryQueue()
        let x = [destination("x")]
        queue.add([message("open")], to: x)
        for number in 0..<150 { queue.add([message("r", .reminder, at: "\(number)")], to: x) }
        for number in 0..<60 { queue.add([message("p\(number)"), message("p\(number)", .end)], to: x) }
        #expect(queue.count <= DeliveryQueue.mostMessages && queue.items.first?.message.key == "open")
        for number in 0..<150 { queue.add([message("q\(number)"), message("q\(number)", .end)], to: x) }
        #expect(queue.count <= DeliveryQueue.mostMessages && queue.items.first?.message.key == "open")
        #expect(!queue.items.contains { $0.message.phase == .reminder })
        // A pair goes whole.
        let keys = Dictionary(grouping: queue.items, by: \.message.key).filter { $0.key != "open" }
        #expect(keys.allSatisfy { $0.value.count == 2 } && queue.fileBytes().count <= DeliveryQueue.mostBytes)
    }

    @Test("The file is read again as it was, and a half line costs itself alone")
    func file() {
        var queue = DeliveryQueue()
        queue.add([message("a"), message("b", .end)], to: [destination("x")])
        let bytes = queue.fileBytes()
        #expect(DeliveryQueue(fileBytes: bytes).items == queue.items)
        #expect(DeliveryQueue(fileBytes: Array(bytes.dropLast(20))).items.map(\.message.key) == ["a"])
    }

    @Test("Each format says what its reader wants, and the owner's header wins")
    func formats() throws {
        func header(_ web: WebMessage, _ name: String) -> String? {
            web.headers.last { $0.name == name }?.value
        }
        let ntfy = try WebMessage(message("a"), .ntfy)
        #expect(
            header(ntfy, "Priority") == "5"
                && String(decoding: ntfy.body, as: UTF8.self) == "No device opens.")
        #expect(
            header(ntfy, "Title") == "=?UTF-8?B?YWRoYW4gS8O8Y2hlOiBwcm9ibGVt?="
                || header(ntfy, "Title")?.hasPrefix("=?UTF-8?B?") == true)
        #expect(header(ntfy, "Idempotency-Key") == "a-begin")
        #expect(header(try WebMessage(message("a", .end), .ntfy), "Priority") == "2")
        #expect(header(try WebMessage(message("a", .begin, .timetable), .ntfy), "Priority") == "3")
        let slack = String(decoding: try WebMessage(message("a"), .slack).body, as: UTF8.self)
        #expect(slack == #"{"text":"adhand Küche: no sound\nNo device opens."}"#)
        let own = try #require(HeaderLine.read("Authorization: Bearer x\n\npriority: 1\n"))
        let mine = try WebMessage(message("a"), .ntfy, extra: own)
        #expect(
            header(mine, "priority") == "1" && header(mine, "Priority") == nil
                && header(mine, "Authorization") == "Bearer x")
        #expect(HeaderLine.read("no header") == nil && HeaderLine.read("A: b\r\nB : c") == nil)
    }

    @Test("Mail says that a program wrote it, and no letter is lost")
    func mail() throws {
        let at = try instant("2026-11-24T06:30:00Z")
        let mail = String(
            decoding: message("a").mail(from: "a@b.org", to: ["c@d.org", "e@f.org"], at: at, zone: .utc),
            as: UTF8.self)
        for line in [
            "From: <a@b.org>", "To: <c@d.org>, <e@f.org>", "Date: Tue, 24 Nov 2026 06:30:00 +0000",
            "Message-ID: <a-begin@b>",
            "Auto-Submitted: auto-generated",
        ] { #expect(mail.contains(line + "\n"), "\(line) in \(mail)") }
        #expect(mail.hasSuffix("\n\nTm8gZGV2aWNlIG9wZW5zLgo=\n"))
        #expect(
            AlertMessage.mailArguments(from: "a@b.org", to: ["c@d.org"]) == [
                "-i", "-f", "a@b.org", "--", "c@d.org",
            ])
    }
}

@Suite("Heartbeats")
struct HeartbeatTests {
    @Test("Right, and every way of being wrong")
    func rule() throws {
        let well = try Documents.status()
        #expect(HeartbeatRule.verdict(well, after: 0.1, isWrong: false) == .right)
        #expect(HeartbeatRule.verdict(nil, after: 0, isWrong: false) == .wrong(.noAnswer))
        #expect(HeartbeatRule.verdict(well, after: 5.1, isWrong: false) == .wrong(.lateAnswer))
        #expect(HeartbeatRule.verdict(well, after: 0, isWrong: true) == .wrong(.problem))
        let failed = try Documents.status(problems: [Documents.problem(.failed)])
        #expect(HeartbeatRule.verdict(failed, after: 0, isWrong: false) == .wrong(.problem))
        let ending = try Documents.status(problems: [Documents.problem(.timetable)])
        #expect(HeartbeatRule.verdict(ending, after: 0, isWrong: false) == .right)
        for awaited in StatusDocument.Awaiting.allCases {
            var awaiting = well
            awaiting.awaiting = awaited
            #expect(HeartbeatRule.verdict(awaiting, after: 0, isWrong: false) == .wrong(.problem))
            #expect(try !StatePayload(Documents.box(awaiting)).healthy, "\(awaited)")
        }
        let unplaced = try Documents.status(problems: [Documents.problem(.place)])
        #expect(HeartbeatRule.verdict(unplaced, after: 0, isWrong: false) == .wrong(.problem))
        #expect(try !StatePayload(Documents.box(unplaced)).healthy)
        #expect(try StatePayload(Documents.box(well)).healthy)
        let overdue = try Documents.status(dhuhr: .upcoming)
        #expect(HeartbeatRule.verdict(overdue, after: 0, isWrong: false) == .wrong(.overdue))
        #expect(HeartbeatRule.verdict(overdue, after: 0, isWrong: false, graceSeconds: 1800) == .right)
    }

    @Test("A beat is never made up for, and fail is asked for once")
    func clock() {
        var clock = HeartbeatClock(everySeconds: 60, at: 0)
        #expect(clock.act(on: .right, at: 0) == .beat && clock.waitSeconds(at: 0) == 60)
        #expect(clock.act(on: .right, at: 300) == .beat && clock.waitSeconds(at: 300) == 60)
        #expect(
            clock.act(on: .wrong(.problem), at: 360) == .fail
                && clock.act(on: .wrong(.problem), at: 420) == .nothing)
        #expect(clock.act(on: .right, at: 480) == .beat && clock.act(on: .wrong(.noAnswer), at: 540) == .fail)
        var fresh = HeartbeatClock(everySeconds: 60, at: 0)
        #expect(fresh.act(on: .wrong(.noAnswer), at: 0) == .nothing)
    }
}
