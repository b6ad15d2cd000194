import PrayerEngine
import Settings
import Testing
import Texts

@testable import BridgePlan
@testable import Protocol

@Suite("Updates of a flashed box, the timetable's end, and a full disk")
struct UpgradeTests {
    private func report(_ text: String) -> UpgradeReport? { UpgradeReport(Array(text.utf8)) }

    @Test("A layer that was left is an alert until a newer one is well; what cannot be read is none")
    func left() throws {
        let left = try #require(
            report(
                #"{"running":"image","prepared":null,"failed":"upgrade-20261120-030000","at":"2026-11-20T03:20:00Z"}"#
            ))
        let condition = try #require(left.condition)
        #expect(condition.kind == .upgrade && condition.kind.severity == .warning)
        #expect(condition.since == (try instant("2026-11-20T03:20:00Z")))
        #expect(condition.text.contains("upgrade-20261120-030000") && condition.text.contains("image"))
        #expect(
            report(#"{"running":"upgrade-2","prepared":"upgrade-3","failed":null,"at":null}"#)?.condition
                == nil)
        for text in ["", "{}", #"{"v":1,"installed":"image"}"#, "[1]", "\u{0}"] {
            #expect(report(text) == nil, "\(text)")
        }
        // Which adhand was in it, where the box says so.
        #expect(left.leftAdhand == nil)
        let ours = #"{"running":"image","prepared":null,"failed":"upgrade-1","at":null,"adhand":"0.3.0"}"#
        #expect(report(ours)?.leftAdhand == "0.3.0")
        #expect(report(ours.replacing("\"upgrade-1\"", with: "null"))?.leftAdhand == nil)
        // Begin and end, once each.
        var book = AlertBook(box: "b", name: "n")
        let now = try instant("2026-11-24T12:00:00Z")
        func update(_ report: UpgradeReport?, _ uptime: Double) -> [AlertMessage.Phase] {
            let facts = AlertFacts([report?.condition].compactMap { $0 }, isAdhandKnown: true, zone: .utc)
            return book.update(facts, at: now, uptime: uptime).map(\.phase)
        }
        #expect(update(left, 10) == [.begin])
        #expect(update(left, 20).isEmpty)
        #expect(
            update(report(#"{"running":"upgrade-3","prepared":null,"failed":null,"at":null}"#), 30) == [.end])
    }

    @Test("Home Assistant has an update entity on a flashed box alone, which installs nothing")
    func entity() throws {
        let (box, topics) = (try Documents.box(), Topics(prefix: "adhand", box: "b"))
        let config = BridgeConfig()
        #expect(Discovery(box, topics, config, programVersion: "1").components["update"] == nil)
        let flashed = Discovery(box, topics, config, programVersion: "1", isFlashed: true)
        let update = try #require(flashed.components["update"])
        #expect(
            update.platform == "update" && update.command_topic == nil && update.state_topic == topics.state)
        let ready = report(#"{"running":"upgrade-2","prepared":"upgrade-3","failed":null,"at":null}"#)
        let state = StatePayload(box, ready)
        #expect(state.update == .init(installed: "upgrade-2", prepared: "upgrade-3"))
        let text = String(decoding: try JSON.encode(StatePayload(box)), as: UTF8.self)
        #expect(!text.contains("update"))
    }

    private func kinds(_ last: String?, days: Int, problem: Bool, isSilent: Bool = false, everyYear: Int = 0)
        throws
        -> [AlertKind]
    {
        var status = try Documents.status(problems: problem ? [Documents.problem(.timetable)] : [])
        status.timetable = .init(
            days: 20, everyYear: everyYear, first: "2026-01-01", last: last, published: [], missing: .compute,
            isSilent: isSilent)
        return AlertCondition.all(of: status, timetableDays: days).map(\.kind)
    }

    @Test("timetable-days says how long before the end; a day without times counts at once")
    func timetable() throws {
        // adhand's own problem begins 14 days before: today is 24 November.
        #expect(try kinds("2026-12-04", days: 14, problem: true) == [.timetable])
        #expect(try kinds("2026-12-04", days: 5, problem: true).isEmpty)
        #expect(try kinds("2026-12-04", days: 10, problem: true) == [.timetable])
        #expect(try kinds("2026-12-24", days: 30, problem: false) == [.timetable])
        #expect(try kinds("2026-12-24", days: 29, problem: false).isEmpty)
        #expect(try kinds("2026-11-20", days: 1, problem: true) == [.timetable])
        #expect(try kinds("2026-12-04", days: 1, problem: true, isSilent: true) == [.timetable])
        #expect(try kinds("2026-12-04", days: 30, problem: false, everyYear: 366).isEmpty)
        #expect(try kinds(nil, days: 30, problem: false).isEmpty)
        #expect(AlertCondition.all(of: try Documents.status(), timetableDays: 90).isEmpty)
    }

    @Test("While the disk takes nothing 50 messages stay, and no begin whose end is not known goes")
    func fullDisk() throws {
        var queue = DeliveryQueue()
        var destination = AlertDestination()
        destination.name = "web"
        let now = try instant("2026-11-24T12:00:00Z")
        func message(_ number: Int, _ phase: AlertMessage.Phase) -> AlertMessage {
            AlertMessage(
                key: "failed-\(number)", box: "b", name: "n", alert: .failed, phase: phase, since: nil,
                at: InstantText.rfc3339(now, in: .utc), test: false, text: "t")
        }
        for number in 0..<60 { queue.add([message(number, .begin)], to: [destination]) }
        for number in 0..<20 { queue.add([message(number, .end)], to: [destination]) }
        #expect(queue.count == 80)
        queue.isKept = false
        #expect(queue.count <= DeliveryQueue.mostInMemory && queue.count >= 40)
        // Pairs went first: no begin without an end is lost, and no end is left alone.
        let begins = Set(queue.items.filter { $0.message.phase == .begin }.map(\.message.key))
        let ends = queue.items.filter { $0.message.phase == .end }.map(\.message.key)
        #expect(begins.isSuperset(of: (20..<60).map { "failed-\($0)" }))
        #expect(ends.allSatisfy(begins.contains))
        queue.isKept = true
        for number in 100..<200 { queue.add([message(number, .begin)], to: [destination]) }
        #expect(queue.count > DeliveryQueue.mostInMemory)
    }
}
