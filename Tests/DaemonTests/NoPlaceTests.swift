import BoxSupport
import PrayerEngine
import StateFile
import Testing
import Texts

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Times

@Suite("A box that nobody has told where it is")
struct NoPlaceTests {
    private func inputs(
        approximate: Bool = true, isUnplaced: Bool = false, zone: String = "Asia/Karachi",
        callsApproximate: Bool = true
    ) throws -> DaemonInputs {
        let site = Site(
            name: "somewhere", place: try Place(latitude: 24.87, longitude: 67.05), approximate: approximate,
            isUnplaced: isUnplaced, zone: try Zone(name: zone, posix: "PKT-5"), calculation: Calculation())
        var config = Config.default
        config.debugTriggers = true
        return DaemonInputs(
            config: config, configuration: "a test", site: site, user: 900, controlGroup: 901,
            callsApproximate: callsApproximate)
    }

    private func unplaced() throws -> DaemonInputs { try inputs(isUnplaced: true, zone: "UTC") }

    @Test("Nothing is armed or called for days, and it says why and what to type")
    func silent() throws {
        var box = try Box("2026-11-20T12:30:00+05:00", inputs: try unplaced())
        let status = box.state.status(at: box.now)
        #expect(status.next == nil && status.prayers.isEmpty && status.timers.isEmpty)
        #expect(status.location.approximate && status.awaiting == .place)
        #expect(status.placeProblem?.code == "no-place" && status.placeProblem?.fix == "adhanctl setup")
        #expect(status.problems?.map(\.kind) == [.place] && status.problems?.first?.severity == .problem)
        #expect(status.problems?.first?.fix == "adhanctl setup")
        #expect(status.problems?.first?.message == status.placeProblem?.message)
        #expect(
            box.notices.contains { $0.level == .error && $0.message.contains("run \"sudo adhanctl setup\"") })
        #expect(
            StatusText.render(status, .plain).hasPrefix(
                "Nothing is called: no place is set. Run \"sudo adhanctl setup\".\n"))
        #expect(
            NextText.render(status, .plain)
                == "Nothing is called: no place is set. Run \"sudo adhanctl setup\".\n")
        #expect(WaybarDocument(status).class == .problem)
        box.run(for: 3 * 86_400)
        #expect(box.effects.cued.isEmpty && box.history.isEmpty)
        guard case .document(let agenda)? = box.ask(.getAgenda(from: "2026-11-21", days: 2)),
            let agenda = agenda as? AgendaReply
        else {
            Issue.record("no agenda")
            return
        }
        #expect(agenda.occasions.isEmpty)
    }

    @Test("What is asked for by hand is heard all the same")
    func byHand() throws {
        var box = try Box("2026-11-20T12:30:00+05:00", inputs: try unplaced())
        box.ask(.testPlay(prayer: "fajr", seconds: 2))
        #expect(box.effects.cued.count == 1)
        var other = try Box("2026-11-20T12:30:00+05:00", inputs: try unplaced())
        other.ask(.trigger(prayer: "asr", delay: "20s"))
        other.run(for: 21)
        #expect(other.effects.cued.count == 1)
    }

    @Test("A zone that names a place is called for, except where a place must be named")
    func approximate() throws {
        let normal = try Box("2026-11-20T12:30:00+05:00", inputs: try inputs())
        #expect(normal.state.status(at: normal.now).next?.prayer == "asr")
        #expect(normal.state.status(at: normal.now).placeProblem == nil)
        #expect(normal.state.status(at: normal.now).awaiting == nil)
        #expect(normal.state.status(at: normal.now).problems == [])
        let flashed = try Box("2026-11-20T12:30:00+05:00", inputs: try inputs(callsApproximate: false))
        let status = flashed.state.status(at: flashed.now)
        #expect(status.next == nil && status.placeProblem?.code == "approximate")
        let named = try Box(
            "2026-11-20T12:30:00+05:00", inputs: try inputs(approximate: false, callsApproximate: false))
        #expect(named.state.status(at: named.now).next?.prayer == "asr")
    }

    @Test("What passed before somebody named the place is not missed, at a reload and after a restart")
    func named() throws {
        var box = try Box("2026-11-20T08:00:00+05:00", inputs: try unplaced())
        box.run(for: 6 * 3600)
        box.handle(.inputsLoaded(try inputs(approximate: false), .reload(nil)))
        #expect(box.history.isEmpty && box.state.status(at: box.now).next?.prayer == "asr")
        try box.run(until: "2026-11-20T17:15:00+05:00")
        #expect(box.effects.cued.count == 1)

        var before = try Box("2026-11-20T08:00:00+05:00", inputs: try unplaced())
        before.run(for: 6 * 3600)
        let saved = try SavedState(fileBytes: try #require(before.disk).fileBytes())
        #expect(saved.isWithoutPlace)
        let after = try Box("2026-11-20T14:10:00+05:00", disk: saved, inputs: try inputs(approximate: false))
        #expect(after.history.isEmpty && after.state.saved.isWithoutPlace == false)
    }

    @Test("A reload that loses the place ends what was prepared, and says so in its answer")
    func lost() throws {
        var box = try Box("2026-11-20T12:30:00+05:00", inputs: try inputs(approximate: false))
        #expect(!box.state.status(at: box.now).timers.isEmpty)
        let id = RequestID(serial: 4)
        let done = box.effects(of: .inputsLoaded(try unplaced(), .reload(id)))
        #expect(box.state.status(at: box.now).timers.isEmpty)
        guard case .document(let document)? = Box.reply(to: id, in: done),
            let reply = document as? ChangeReply
        else {
            Issue.record("no answer")
            return
        }
        #expect(reply.problems?.contains { $0.contains("no place is set") } == true)
    }

    @Test("A place that is lost is a problem from that moment on, over a restart, until one is named")
    func problem() throws {
        func began(_ box: Box) -> Instant? {
            let problem = box.state.status(at: box.now).problems?.first { $0.kind == .place }
            return problem?.since.flatMap { InstantText.parse($0) }
        }
        var box = try Box("2026-11-20T12:30:00+05:00", inputs: try inputs(approximate: false))
        #expect(box.state.status(at: box.now).problems == [])
        box.run(for: 60)
        box.handle(.inputsLoaded(try unplaced(), .reload(nil)))
        let lost = box.now
        box.run(for: 3600)
        let shown = try #require(began(box))
        #expect(abs(shown - lost) < 0.01)
        var after = try Box("2026-11-20T13:45:00+05:00", disk: box.disk, inputs: try unplaced())
        let kept = try #require(began(after))
        #expect(abs(kept - lost) < 0.01)
        after.handle(.inputsLoaded(try inputs(approximate: false), .reload(nil)))
        #expect(after.state.status(at: after.now).problems == [])
    }

    @Test(
        "Universal time under each of its names is no place",
        arguments: [
            "UTC", "Etc/UTC", "GMT", "Etc/GMT", "Zulu", "Etc/Zulu", "Universal", "UCT", "Greenwich",
            "posix/UTC",
        ])
    func universal(_ zone: String) {
        #expect(ZonePlaces.isUniversal(zone) && !ZonePlaces.isUniversal("Europe/London"))
    }
}
