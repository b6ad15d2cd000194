import BoxSupport
import PrayerEngine
import Testing
import Texts
import Times

@testable import AdhanSimulator
@testable import Announcements
@testable import Daemon
@testable import Protocol
@testable import Settings

/// Whether something is new is decided by codes and subjects.
@Suite("Whether something is new depends on no sentence")
struct RewordedNewsTests {
    private static func check(_ files: [SoundFacts.File], _ problems: [CheckProblem] = []) -> CheckDocument {
        var document = CheckDocument(file: "a.toml", view: .daemon, user: "adhand", problems: problems)
        document.sounds = files
        for problem in CheckProblem.find(in: document.soundFacts, sudo: true) { document.add(problem) }
        return document
    }

    private static func file(
        _ name: String, _ outcome: SoundFacts.File.Outcome, for prayers: [Prayer] = [.fajr]
    ) -> SoundFacts.File {
        SoundFacts.File(name: name, prayers: prayers, path: "/sounds/\(name).mp3", outcome: outcome)
    }

    @Test("Whether a change of the fleet brings a problem in")
    func fleetChange() throws {
        let before = Self.check([Self.file("bells", .broken(reason: "it ends too early"))])
        let reworded = Self.check([Self.file("bells", .broken(reason: "x"))])
        #expect(before.firstFinding(since: reworded) == nil && reworded.firstFinding(since: before) == nil)
        #expect(reworded.firstFinding(since: Self.check([])) == reworded.problems.first?.message)
        // Equal sentences about other prayers, another file or another fault are news.
        for other in [
            Self.file("bells", .broken(reason: "x"), for: [.fajr, .asr]),
            Self.file("horns", .broken(reason: "x")), Self.file("bells", .unreadable(reason: "x")),
        ] {
            #expect(Self.check([other]).firstFinding(since: before) != nil, "\(other)")
        }
        // A recording that was well before.
        let well = Self.check([Self.file("bells", .decodes(seconds: 100))])
        #expect(before.firstFinding(since: well) != nil && well.firstFinding(since: before) == nil)
        func access(_ sentence: String, _ file: String) -> CheckDocument {
            Self.check([], [CheckProblem(.access, .problem, sentence, file: file)])
        }
        #expect(access("x", "/a").firstFinding(since: access("it is closed", "/a")) == nil)
        #expect(access("x", "/a").firstFinding(since: access("x", "/b")) == "x")
    }

    @Test("Which of a mosque's problems are the same")
    func mosque() throws {
        let day = try #require(CivilDate("2026-11-20"))
        func late(_ from: CivilDate, _ days: Int, _ sentence: String) -> InputsProblem {
            InputsProblem(
                .iqamaTooLate, of: "asr", on: [DateSpan(from, from.adding(days: days))], sentence)
        }
        #expect(late(day, 6, "asr's iqama would come after Maghrib") == late(day, 6, "x"))
        #expect(late(day, 6, "x") != late(day, 13, "x"))
        // All year is all year tomorrow, too.
        #expect(late(day, 365, "x") == late(day.adding(days: 1), 365, "y"))
        #expect(
            InputsProblem(.iqamaTooLate, of: "asr", "x") != InputsProblem(.iqamaTooLate, of: "isha", "x"))
        #expect(
            InputsProblem(.iqamaTooLate, of: "asr", "x") != InputsProblem(.iqamaTooSoon, of: "asr", "x"))
        #expect(Set([late(day, 6, "x"), late(day, 6, "y")]).count == 1)
    }

    @Test("Which settings are reported after a reload")
    func settings() throws {
        let entry = SettingsLayer.Entry(
            key: "adhan.volume", value: "45", over: nil, change: 1, unit: 1,
            author: SettingAuthor(actor: "phone", user: "adhan-remote"), at: "2026-11-20T17:00:00Z")
        let invalid = EvaluatedSetting(entry, .invalid, "the whole could not be used")
        #expect(invalid.isSame(as: EvaluatedSetting(entry, .invalid, "x")))
        #expect(!invalid.isSame(as: EvaluatedSetting(entry, .pinned, "the whole could not be used")))
    }

    @Test("A recording that two outputs replace is reported once, whatever each says about it")
    func substituted() throws {
        var box = try OutputLifeTests().called()
        let token = try #require(box.effects.started.last)
        func failed() -> Int { box.notices.count { $0.kind == .prayerFailed } }
        box.handle(.playback(token: token, output: "hall", .substituted(sound: "/a.mp3", reason: "damaged")))
        box.handle(.playback(token: token, output: "horn", .substituted(sound: "/a.mp3", reason: "x")))
        #expect(failed() == 1)
        box.handle(.playback(token: token, output: "horn", .substituted(sound: "/b.mp3", reason: "x")))
        #expect(failed() == 2)
    }

    @Test("What the simulator makes of a fleet's notices")
    func simulator() throws {
        let box = try Box("2026-11-20T13:00:00-05:00")
        func notice(_ step: Notice.FleetStep?) -> Notice {
            var notice = Notice(.fleetChanged, .notice, at: box.now, "x")
            notice.fleetStep = step
            return notice
        }
        var checker = FleetChecker()
        func violation(_ step: Notice.FleetStep?) -> String? {
            checker.checkNotice(notice(step), box.state, now: box.now)
        }
        let first = violation(.inForce(seq: 1))
        let again = violation(.inForce(seq: 1))
        #expect(first == nil && again == "envelope 1 takes effect twice")
        let (trial, leaving, back) = (violation(.onTrial(seq: 2)), violation(.left(seq: 2)), violation(nil))
        #expect(trial == nil && leaving == nil && back == nil)
    }
}
