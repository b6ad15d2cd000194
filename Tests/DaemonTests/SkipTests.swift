import BoxSupport
import LabSupport
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

@Suite("Prayers of one day that are skipped")
struct SkipTests {
    func skip(_ prayers: String..., on date: String? = nil) -> ControlRequest {
        .skipPrayers(SkipParameters(prayers: prayers, date: date))
    }

    func unskip(_ prayers: String..., on date: String? = nil) -> ControlRequest {
        .unskipPrayers(SkipParameters(prayers: prayers, date: date))
    }

    func states(_ box: inout Box, on date: String, _ prayer: String) throws -> [OccasionDocument] {
        guard case .document(let document)? = box.ask(.getAgenda(from: date, days: 1), as: 1234),
            let reply = document as? AgendaReply
        else { throw NotAnInstant(text: "no agenda") }
        return reply.occasions.filter { $0.prayer == prayer }
    }

    func reason(_ reply: Reply?) -> String? {
        guard case .invalidTime(_, let reason)? = reply?.refusal else { return nil }
        return reason
    }

    @Test("Tomorrow's Fajr is not called, and is recorded as skipped; the day after it is called")
    func notTomorrow() throws {
        var box = try Box()
        let changeReply = box.ask(skip("fajr", on: "2026-11-21"))?.changeReply
        #expect(changeReply?.message == "Fajr on Saturday 21 November 2026 will not be called")
        #expect(changeReply?.problems == nil)
        #expect(
            box.notices.last { $0.kind == .toggleChanged }?.message.hasPrefix("Fajr on Saturday 21") == true)
        // On the disk before the answer leaves.
        #expect(box.disk?.toggles.skips.contains(.fajr, on: try #require(CivilDate("2026-11-21"))) == true)
        #expect(box.timers.allSatisfy { !$0.name.contains("fajr_20261121") })
        let occasions = try states(&box, on: "2026-11-21", "fajr")
        #expect(occasions.map(\.state) == ["skipped"] && occasions.allSatisfy { !$0.enabled })
        try box.run(until: "2026-11-21T08:00:00-05:00")
        box.handle(.timerDue)
        let entry = try #require(box.history.first { $0.id == "fajr_20261121" })
        #expect(entry.outcome == .skipped && entry.cause == .toggle && !entry.isDue)
        #expect(!box.effects.cued.contains { $0.prayer == .fajr })
        #expect(box.state.status(at: box.now).prayers[0].state == .skipped)
        #expect(box.state.status(at: box.now).skips == nil)
        let start = box.effects.count
        try box.sleep(until: "2026-11-22T05:00:00-05:00")
        try box.run(until: "2026-11-22T08:00:00-05:00")
        #expect(
            box.effects[start...].contains {
                if case .cue(let order) = $0 { order.prayer == .fajr } else { false }
            })
    }

    @Test("Status tells what is skipped, and what is next is the one after it")
    func skippedInStatus() throws {
        var box = try Box("2026-11-20T22:00:00-05:00")
        #expect(box.state.status(at: box.now).next?.id == "fajr_20261121")
        _ = box.ask(skip("fajr"))
        let status = box.state.status(at: box.now)
        #expect(status.next?.id == "dhuhr_20261121")
        #expect(status.skips?.map(\.prayer) == ["fajr"] && status.skips?.map(\.date) == ["2026-11-21"])
        #expect(NextText.render(status, .plain).contains("(Fajr 05:"))
        #expect(NextText.render(status, .plain).hasSuffix(" is skipped)\n"))
        #expect(StatusText.render(status, .plain).contains("Fajr on Saturday 21 November 2026"))
        let facts = DoctorFacts(
            now: box.now, daemon: .answers(status), socketPath: "/run/adhand/control.sock",
            systemd: Patient.units(), configuration: .init(file: "/etc/adhand/adhand.toml", state: .valid),
            disk: .init(path: "/var/lib/adhand"))
        let silence = Doctor.silence(facts)
        #expect(silence.verdict == .warning)
        #expect(silence.message == "Fajr on Saturday 21 November 2026 will not be called: skipped by hand.")
        #expect(silence.fix?.hasSuffix("adhanctl unskip fajr 2026-11-21") == true)
        _ = box.ask(unskip("fajr"))
        #expect(box.state.status(at: box.now).next?.id == "fajr_20261121")
        #expect(box.state.status(at: box.now).skips == nil)
    }

    @Test("Skip, unskip, skip: the last word holds, and each is reported")
    func again() throws {
        var box = try Box()
        #expect(
            box.ask(unskip("fajr"))?.refusal?.sentence == "Fajr is not skipped on any day to come")
        _ = box.ask(skip("fajr"))
        #expect(
            box.ask(skip("fajr"))?.changeReply?.message
                == "Fajr on Saturday 21 November 2026 was skipped already")
        #expect(
            box.ask(unskip("fajr"))?.changeReply?.message.hasPrefix(
                "Fajr on Saturday 21 November 2026 will be called at 05:") == true)
        #expect(
            box.ask(unskip("fajr", on: "2026-11-21"))?.refusal?.sentence
                == "Fajr on Saturday 21 November 2026 is not skipped")
        _ = box.ask(skip("fajr"))
        try box.run(until: "2026-11-21T08:00:00-05:00")
        box.handle(.timerDue)
        #expect(box.history.last { $0.prayer == "fajr" }?.outcome == .skipped)
        // Nor may it be had when its time is past.
        _ = box.ask(unskip("fajr", on: "2026-11-21"))
        #expect(!box.effects.cued.contains { $0.prayer == .fajr })
    }

    @Test("Several at once; all or none of them")
    func several() throws {
        var box = try Box()
        let changeReply = box.ask(skip("fajr", "isha", on: "2026-11-21"))?.changeReply?.message
        #expect(
            changeReply
                == "Fajr on Saturday 21 November 2026, Isha on Saturday 21 November 2026 will not be called")
        #expect(box.ask(skip("asr", "fahr", on: "2026-11-21"))?.refusal == .unknownPrayer(prayer: "fahr"))
        #expect(box.ask(skip("asr", "jumua", on: "2026-11-21"))?.refusal != nil)
        #expect(box.state.saved.toggles.skips.count == 2)
        // Of each the next: Asr is today's.
        _ = box.ask(skip("asr", "dhuhr"))
        #expect(
            box.state.saved.toggles.skips.all.map { "\($0.prayer.rawValue) \($0.date)" } == [
                "asr 2026-11-20", "fajr 2026-11-21", "dhuhr 2026-11-21", "isha 2026-11-21",
            ])
    }

    @Test("What was called, is being called or is past is refused with a sentence")
    func refused() throws {
        var box = try Box("2026-11-20T14:00:00-05:00")
        #expect(reason(box.ask(skip("fajr", on: "2026-11-20")))?.hasSuffix("which is past") == true)
        #expect(reason(box.ask(skip("fajr", on: "2026-11-10")))?.hasSuffix("which is past") == true)
        #expect(reason(box.ask(skip("fajr", on: "2028-11-10"))) == "it is more than a year ahead")
        #expect(
            reason(box.ask(skip("jumua", on: "2026-11-21")))
                == "it is Saturday 21 November 2026, and Jumu'ah is on Fridays")
        box.run(until: try instant(try #require(box.state.status(at: box.now).next?.at)))
        let token = try #require(box.effects.started.last)
        box.begin(token: token)
        #expect(
            reason(box.ask(skip("asr", on: "2026-11-20")))
                == "Asr on Friday 20 November 2026 is being called now; \"adhanctl stop\" ends it")
        box.run(for: 10.8)
        box.end(token: token)
        #expect(reason(box.ask(skip("asr", on: "2026-11-20")))?.hasSuffix("already") == true)
        #expect(box.state.saved.toggles.skips.isEmpty)
        #expect(box.ask(skip("asr"), as: 1234)?.refusal == .notPermitted(needed: "adhan"))
        #expect(box.ask(unskip("asr"), as: 1234)?.refusal == .notPermitted(needed: "adhan"))
        #expect(box.ask(.getSkips, as: 1234)?.refusal == nil)
    }

    @Test("What is prepared is dropped, and comes back when it is unskipped in time")
    func prepared() throws {
        var box = try Box("2026-11-20T14:00:00-05:00")
        let asr = try instant(try #require(box.state.status(at: box.now).next?.at))
        box.run(until: asr - 5)
        let cued = try #require(box.effects.cued.last)
        let dropped = box.during { _ = $0.ask(skip("asr")) }
        #expect(dropped.stopped == [cued.token])
        let prepared = box.during { _ = $0.ask(unskip("asr")) }
        #expect(prepared.cued.map(\.prayer) == [.asr])
        box.run(until: asr)
        #expect(box.effects.started.last == prepared.cued.last?.token)
    }

    @Test("With it go its reminders and its congregation, as with a prayer that is switched off")
    func company() throws {
        let toml = """
            [adhan.asr]
            reminders = ["10m"]
            [iqama]
            asr = "+15m"
            sound = "signal"
            """
        let config = try ConfigLoader.load(text: toml, file: "adhand.toml")
        let plain = try Box.inputs(config)
        let site = Site(
            name: plain.site.name, place: plain.site.place, approximate: false, zone: plain.site.zone,
            calculation: plain.site.calculation, mosque: MosqueTimes(config, table: PublishedTimetable()))
        let inputs = DaemonInputs(
            config: config, configuration: "a test", site: site, user: 900, controlGroup: 901)
        var (skipped, off) = (try Box(inputs: inputs), try Box(inputs: inputs))
        #expect(skipped.timers.count { $0.name.contains("asr_20261120") } >= 3)
        _ = skipped.ask(skip("asr", on: "2026-11-20"))
        _ = off.ask(.disablePrayers(["asr"]))
        let names = { (box: Box) in box.timers.map(\.name).filter { $0.contains("asr_20261120") } }
        #expect(names(skipped) == names(off) && names(skipped).isEmpty)
        _ = skipped.ask(unskip("asr"))
        #expect(names(skipped).count >= 3)
    }

    @Test("It outlives a restart, a reload, an exception, and a clock that is set to and fro")
    func lasting() throws {
        var box = try Box()
        _ = box.ask(skip("fajr", on: "2026-11-21"))
        var again = try Box(
            "2026-11-20T13:00:00-05:00", disk: try SavedState(fileBytes: try #require(box.disk).fileBytes()))
        #expect(again.state.saved.toggles == box.state.saved.toggles)
        again.handle(.inputsLoaded(try Box.inputs(.default), .reload(nil)))
        _ = again.ask(
            .setException(ExceptionParameters(date: "2026-11-21", prayer: "fajr", adhan: "05:40")))
        #expect(try states(&again, on: "2026-11-21", "fajr").map(\.state) == ["skipped"])
        // A clock that leaps over it takes it for past; set back, it is to come and still skipped.
        again.now = try instant("2026-11-21T09:00:00-05:00")
        again.handle(.clockStepped(bySeconds: 72_000))
        #expect(
            again.state.saved.outcome(of: .adhan(.fajr, on: try #require(CivilDate("2026-11-21"))))
                == .skipped)
        again.now = try instant("2026-11-20T13:10:00-05:00")
        again.handle(.clockStepped(bySeconds: -72_000))
        #expect(try states(&again, on: "2026-11-21", "fajr").map(\.state) == ["skipped"])
        #expect(
            again.ask(unskip("fajr"))?.changeReply?.message
                == "Fajr on Saturday 21 November 2026 will be called at 05:40")
        #expect(try states(&again, on: "2026-11-21", "fajr").map(\.state) == ["upcoming"])
        // Nothing of the evening ends in this box: it sleeps until shortly before.
        try again.sleep(until: "2026-11-21T05:30:00-05:00")
        try again.run(until: "2026-11-21T05:40:00-05:00")
        #expect(again.effects.cued.last?.prayer == .fajr)
    }
}
