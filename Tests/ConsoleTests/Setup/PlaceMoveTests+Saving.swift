import BoxSupport
import PrayerEngine
import Testing
import Texts

@testable import Announcements
@testable import Console
@testable import Daemon
@testable import Protocol
@testable import Settings
@testable import Times

extension PlaceMoveTests {
    // MARK: - adhand's own reports

    @Test(
        "A daemon whose place was changed by hand says so in status, doctor, the journal and the answer to a reload"
    )
    func mismatchIsReported() throws {
        let kazan = try Self.kazan().applying(table: Self.table(try Self.paris()))
        let inputs = DaemonInputs(
            config: .default, configuration: "a test", site: kazan, user: 900, controlGroup: 901,
            mosqueProblems: kazan.mosqueProblems(from: Self.today))
        var box = try Box("2026-11-20T12:30:00+03:00", inputs: inputs)
        let sentence = try #require(TimetableMismatch(kazan.times.table, at: kazan, from: Self.today))
            .sentence
        func isReported(_ notices: [Notice]) -> Bool {
            notices.contains { $0.message == sentence && $0.level == .warning }
        }
        #expect(isReported(box.notices))
        let timetable = try #require(box.state.status(at: box.now).timetable)
        #expect(
            timetable.mismatch == .sun && timetable.importedFor == "Paris" && timetable.warning == sentence)
        var patient = try Patient()
        patient.facts.daemon = .answers(box.state.status(at: box.now))
        let check = Doctor.timetable(patient.facts)
        #expect(check.verdict == .problem && check.fix == "sudo adhanctl timetable remove")
        // A reload that somebody asks for takes what the file says, and tells.
        let before = box.notices.count
        let id = RequestID(serial: 9)
        let done = box.effects(of: .inputsLoaded(inputs, .reload(id)))
        #expect(isReported(Array(box.notices[before...])))
        #expect(Box.reply(to: id, in: done)?.changeReply?.problems?.contains(sentence) == true)
        // Without the table there is nothing to tell.
        box.handle(.timetableRead(.table(PublishedTimetable()), for: nil))
        #expect(box.state.status(at: box.now).timetable == nil)
        #expect(Doctor.timetable(facts(patient, box)).verdict == .ok)
        // The times set by hand for another place.
        box.ask(.setException(.init(date: "2026-11-21", prayer: "fajr", adhan: "04:50")))
        let problem = try #require(box.state.status(at: box.now).exceptionProblem)
        #expect(problem.fix == "adhanctl exception remove 2026-11-21 fajr")
        #expect(Doctor.timetable(facts(patient, box)).verdict == .warning)
    }

    func facts(_ patient: Patient, _ box: Box) -> DoctorFacts {
        var facts = patient.facts
        facts.daemon = .answers(box.state.status(at: box.now))
        return facts
    }

    // MARK: - When it is saved

    @Test("A refused save asks the question that matters again, and no answer is lost")
    func refusedSave() throws {
        var (_, conversation) = try conversation("")
        let before = conversation.draft
        let turn = conversation.refused(
            "adhan.isha.at depends on the iqama; nothing was changed", key: "adhan.isha.at")
        #expect(turn.lines.contains("Adhan.isha.at depends on the iqama; nothing was changed."), "\(turn)")
        guard case .ask(let prompt) = turn.next else { throw Unexpected(turn: turn) }
        #expect(prompt.hasPrefix("Is there a congregation?"))
        #expect(conversation.draft.devices == before.devices && conversation.draft.method == before.method)
        guard case .ask(let other) = conversation.refused("no", key: nil).next else {
            throw Unexpected(turn: turn)
        }
        #expect(other.hasPrefix("place, method"))
    }

    @Test(
        "What a command sets while a question waits stays, unless the answers say otherwise and y is said to it"
    )
    func meanwhile() throws {
        var (_, conversation) = try conversation("kazan")
        let old = try #require(conversation.draft.inputs.text)
        var now = ConfigEdit(old)
        now.set(["adhan", "reminders"], .texts(["10m"]))
        let merged = String(decoding: try conversation.draft.newText(onto: now.bytes), as: UTF8.self)
        #expect(merged.contains("reminders = [\"10m\"]") && merged.contains("latitude = 55.7"), "\(merged)")
        let turn = conversation.overtaken(by: [.init(key: "adhan.volume", before: "80", after: "40")])
        #expect(turn.lines.contains("  adhan.volume: 80 -> 40"))
        #expect(turn.next == .ask(prompt: "Save? y or n [y]: "))
    }

    struct Unexpected: Error {
        let turn: SetupTurn
    }
}
